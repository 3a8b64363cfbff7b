#include "cli/arguments.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <apsp/error.hpp>
#include <sstream>

#include "cli/text_width.hpp"
#include "cli/words.hpp"

namespace apsp::cli {
namespace {

constexpr std::size_t kAboutColumn = 28;  // where the help's right half begins
constexpr std::size_t kHelpWidth = 96;

/// Words of `about` in lines, the first behind `left`, the others below it.
std::string entry(const std::string& left, const std::string& about) {
  std::string line = pad("  " + left, kAboutColumn);
  if (line.back() != ' ') line += '\n' + std::string(kAboutColumn, ' ');
  std::string text;
  std::istringstream words(about);
  std::size_t column = kAboutColumn;
  for (std::string word; words >> word;) {
    if (column > kAboutColumn && column + 1 + display_width(word) > kHelpWidth) {
      text += '\n' + std::string(kAboutColumn, ' ');
      column = kAboutColumn;
    }
    if (column > kAboutColumn) {
      text += ' ';
      ++column;
    }
    text += word;
    column += display_width(word);
  }
  return line + text + '\n';
}

std::string long_name(const std::string& names) { return names.substr(names.rfind(',') + 1); }

std::string spaced(std::string names) {
  const std::size_t comma = names.find(',');
  return comma == std::string::npos ? "    " + names : names.replace(comma, 1, ", ");
}

/// What the parser could not place: an unknown option first, for it explains the rest; an option
/// that stands last and has no value, which the parser calls by name before a colon.
[[noreturn]] void refuse(const std::vector<std::string>& remaining,
                         const std::vector<std::string>& known, const CLI::ParseError& failure) {
  for (const std::string& word : remaining) {
    if (word.size() < 2 || word[0] != '-') continue;
    const std::string name = word.substr(0, word.find('='));
    throw Error(ErrorKind::usage,
                fmt::format("unknown option '{}'{}", name, did_you_mean(name, known)));
  }
  if (!remaining.empty()) {
    throw Error(ErrorKind::usage, fmt::format("unexpected argument '{}'", remaining.front()));
  }
  const std::string words = failure.what();
  const std::string name = words.substr(0, words.find(':'));
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&failure) != nullptr && name != words) {
    throw Error(ErrorKind::usage, name + " needs a value behind it");
  }
  throw Error(ErrorKind::usage, words);
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
    const auto note = [given, name = long_name(option.names)](Given value) {
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
        if (text.empty()) {
          throw Error(ErrorKind::usage, fmt::format("{} takes {}, and what is given is empty",
                                                    long_name(option.names), option.placeholder));
        }
        note({text});
        option.take(text);
      };
      app.add_option_function<std::string>(option.names, take)
          ->type_name(option.placeholder)
          ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
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
    throw Error(ErrorKind::usage, fmt::format("{} is {}: {}", positional.name,
                                              given ? "empty" : "missing", positional.about));
  }
  return true;
}

std::vector<std::string> Arguments::option_names() const {
  std::vector<std::string> names = {"--help"};
  for (const Option& option : options_) {
    names.push_back(long_name(option.names));
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

std::string Arguments::help() const {
  std::string text = "Examples\n";
  for (const std::string& example : examples_) text += "  " + example + "\n";
  text += "\n" + about_ + "\n\nUsage\n  " + usage() + "\n";
  if (!positionals_.empty()) text += "\nArguments\n";
  for (const Positional& positional : positionals_) {
    text += entry(positional.name, positional.about);
  }
  std::vector<std::string> sections;
  for (const Option& option : options_) {
    if (std::find(sections.begin(), sections.end(), option.section) == sections.end()) {
      sections.push_back(option.section);
    }
  }
  for (const std::string& section : sections) {
    text += "\n" + section + "\n";
    for (const Option& option : options_) {
      if (option.section != section) continue;
      const std::string placeholder = option.placeholder.empty() ? "" : " " + option.placeholder;
      text += entry(spaced(option.names) + placeholder, option.about);
    }
  }
  return text;
}

}  // namespace apsp::cli
