#include "cli/arguments.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <sstream>

#include "cli/table.hpp"

namespace apsp::cli {
namespace {

char lower(char letter) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
}

std::vector<std::string> quoted(std::span<const std::string> words) {
  std::vector<std::string> result;
  for (const std::string& word : words) result.push_back("'" + word + "'");
  return result;
}

constexpr std::size_t kAboutColumn = 28;  // first column of the help's right half
constexpr std::size_t kHelpWidth = 80;

/// Breaks `text` into lines; all lines but the first begin at `column`.
std::string wrapped(const std::string& text, std::size_t column) {
  std::string result;
  std::istringstream words(text);
  std::size_t at = column;
  for (std::string word; words >> word;) {
    if (at > column && at + 1 + display_width(word) > kHelpWidth) {
      result += '\n' + std::string(column, ' ');
      at = column;
    } else if (at > column) {
      result += ' ';
      ++at;
    }
    result += word;
    at += display_width(word);
  }
  return result + '\n';
}

/// Moves the remark of an example, after four or more blanks, to the left if the line is too long.
std::string example_line(std::string line) {
  const std::size_t gap = line.find("    ");
  if (display_width(line) + 2 <= kHelpWidth || gap == std::string::npos) return line;
  const std::size_t remark = line.find_first_not_of(' ', gap);
  return line.substr(0, gap) + "  " + line.substr(remark);
}

std::string spaced(std::string names) {
  const std::size_t comma = names.find(',');
  return comma == std::string::npos ? "    " + names : names.replace(comma, 1, ", ");
}

/// Refuses the words that the parser could not place: first an unknown option, which explains the
/// others. The parser names an option without a value before a colon.
[[noreturn]] void refuse(const std::vector<std::string>& remaining,
                         const std::vector<std::string>& known, const CLI::ParseError& failure) {
  for (const std::string& word : remaining) {
    if (word.size() < 2 || word[0] != '-') continue;
    const std::string name = word.substr(0, word.find('='));
    throw usage_error("unknown option '{}'{}", name, did_you_mean(name, known));
  }
  if (!remaining.empty()) throw usage_error("unexpected argument '{}'", remaining.front());
  const std::string words = failure.what();
  const std::string name = words.substr(0, words.find(':'));
  refuse_if(dynamic_cast<const CLI::ArgumentMismatch*>(&failure) != nullptr && name != words,
            "{} needs a value after it", name);
  throw usage_error("{}", words);
}

}  // namespace

void Arguments::positional(std::string name, std::string& target, std::string about,
                           bool required) {
  positionals_.push_back({std::move(name), std::move(about), required, &target});
}

void Arguments::value(std::string names, std::string placeholder, Setter take, std::string about) {
  options_.push_back(
      {std::move(names), std::move(placeholder), std::move(about), section_, std::move(take)});
}

void Arguments::list(std::string names, std::string placeholder, Setter take, std::string about) {
  value(std::move(names), std::move(placeholder), std::move(take), std::move(about));
  options_.back().list = true;
}

void Arguments::text(std::string names, std::string placeholder, std::string& target,
                     std::string about) {
  value(
      std::move(names), std::move(placeholder),
      [&target](const std::string& given) { target = given; }, std::move(about));
}

void Arguments::flag(std::string names, bool& target, std::string about) {
  flag(
      std::move(names), [&target] { target = true; }, std::move(about));
}

void Arguments::flag(std::string names, std::function<void()> action, std::string about) {
  options_.push_back({std::move(names), "", std::move(about), section_,
                      [action = std::move(action)](const std::string&) { action(); }});
}

bool Arguments::parse(const std::vector<std::string>& words, std::vector<Given>* given) const {
  CLI::App app(about_, "apsp " + verb_);
  app.set_help_flag("-h,--help");
  for (const Positional& positional : positionals_) {
    app.add_option(positional.name, *positional.target);
  }
  for (const Option& option : options_) {
    const auto note = [given, name = option.long_name()](Given value) {
      value.insert(value.begin(), name);
      if (given != nullptr) given->push_back(std::move(value));
    };
    if (option.placeholder.empty()) {
      app.add_flag_callback(option.names, [&option, note] {
        note({});
        option.take("");
      });
    } else {
      const auto take = [&option, note](const std::string& text) {
        refuse_if(text.empty(), "{} takes {}, not an empty value", option.long_name(),
                  option.placeholder);
        note({text});
        option.take(text);
      };
      CLI::Option* const added = app.add_option_function<std::string>(option.names, take);
      added->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
      if (option.list) added->delimiter(',')->multi_option_policy(CLI::MultiOptionPolicy::Join);
    }
  }
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::CallForHelp&) {
    return false;
  } catch (const CLI::ParseError& failure) {
    refuse(app.remaining(), option_names(), failure);
  }
  for (const Positional& positional : positionals_) {
    if (!positional.target->empty()) continue;
    const bool given = app.get_option(positional.name)->count() > 0;
    if (!given && !positional.required) continue;
    throw usage_error("{} is {}: {}", positional.name, given ? "empty" : "missing",
                      positional.about);
  }
  return true;
}

std::vector<std::string> Arguments::option_names() const {
  std::vector<std::string> names = {"--help"};
  for (const Option& option : options_) {
    names.push_back(option.long_name());
  }
  return names;
}

std::string Arguments::usage() const {
  std::string line = "apsp " + verb_;
  for (const Positional& positional : positionals_) {
    line += positional.required ? " " + positional.name : " [" + positional.name + "]";
  }
  return line + " [options]";
}

std::string help_entry(const std::string& left, const std::string& about) {
  std::string line = pad("  " + left, kAboutColumn);
  if (line.back() != ' ') line += '\n' + std::string(kAboutColumn, ' ');
  return line + wrapped(about, kAboutColumn);
}

std::string Arguments::entries(const std::string& section) const {
  std::string text;
  for (const Option& option : options_) {
    if (option.section.title != section) continue;
    const std::string placeholder = option.placeholder.empty() ? "" : " " + option.placeholder;
    text += help_entry(spaced(option.names) + placeholder, option.about);
  }
  return text;
}

std::string Arguments::topic(const std::string& name) const {
  for (const Option& option : options_) {
    if (name.empty() || option.section.topic != name) continue;
    return option.section.title + "\n" + entries(option.section.title);
  }
  return "";
}

std::string Arguments::help(bool all) const {
  std::string text = "Examples\n";
  for (const std::string& example : examples_) text += "  " + example_line(example) + "\n";
  text += "\n" + wrapped(about_, 0) + "\nUsage\n  " + usage() + "\n";
  if (!positionals_.empty()) text += "\nArguments\n";
  for (const Positional& positional : positionals_) {
    text += help_entry(positional.name, positional.about);
  }
  std::vector<Section> sections;
  for (const Option& option : options_) {
    const auto same = [&](const Section& one) { return one.title == option.section.title; };
    if (std::ranges::none_of(sections, same)) sections.push_back(option.section);
  }
  std::ranges::stable_partition(sections, [](const Section& one) { return one.topic.empty(); });
  for (const auto& [title, topic] : sections) {
    if (topic.empty() || all) {
      text += "\n" + title + "\n" + entries(title);
      continue;
    }
    std::string names;
    for (const Option& option : options_) {
      if (option.section.title != title) continue;
      names += (names.empty() ? "" : ", ") + option.long_name();
    }
    text += "\n" + title + " (apsp help " + topic + ")\n  " + wrapped(names, 2);
  }
  return text;
}

int edit_distance(std::string_view a, std::string_view b) {
  std::vector<int> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before_last, last);
    std::swap(last, row);
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int replace = lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1;
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + replace});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                           lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row[b.size()];
}

std::vector<std::string> nearest(std::string_view word, std::span<const std::string> candidates,
                                 std::size_t count) {
  const int limit = std::max(1, static_cast<int>(word.size() / 3));
  std::vector<std::pair<int, const std::string*>> near;
  for (const std::string& candidate : candidates) {
    const std::size_t longer = std::max(word.size(), candidate.size());
    const std::size_t shorter = std::min(word.size(), candidate.size());
    if (longer - shorter > static_cast<std::size_t>(limit)) continue;
    const int distance = edit_distance(word, candidate);
    if (distance <= limit) near.emplace_back(distance, &candidate);
  }
  std::stable_sort(near.begin(), near.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> result;
  for (std::size_t i = 0; i < std::min(count, near.size()); ++i) {
    if (near[i].first > near[0].first + 1) break;
    result.push_back(*near[i].second);
  }
  return result;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
  const std::vector<std::string> near = nearest(word, candidates);
  return near.empty() ? "" : "; did you mean " + alternatives(quoted(near)) + "?";
}

std::string alternatives(std::span<const std::string> words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

}  // namespace apsp::cli
