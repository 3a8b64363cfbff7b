// Arguments of a verb, declared once for the parser and for --help, and suggestions for unknown
// ones.
//
// Only arguments.cpp includes CLI11, whose header takes seconds to compile. Values arrive as text;
// the verb converts them.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/refusal.hpp"

namespace apsp::cli {

class Arguments {
 public:
  using Setter = std::function<void(const std::string& text)>;

  Arguments(std::string verb, std::string about, std::vector<std::string> examples)
      : verb_(std::move(verb)), about_(std::move(about)), examples_(std::move(examples)) {}

  /// Options that are declared next appear under this title in the help. `topic`: the help of the
  /// verb only names these options, and `apsp help TOPIC` explains them.
  void section(std::string title, std::string topic = {}) {
    section_ = {std::move(title), std::move(topic)};
  }
  void rare() { section("Rarely needed", "rare"); }

  void positional(std::string name, std::string& target, std::string about, bool required = true);
  /// `names`: "-o,--output". A repeated option counts once, the last time.
  void value(std::string names, std::string placeholder, Setter take, std::string about);
  /// Values separated by commas. A repeated option counts every time; `take` is called once.
  void list(std::string names, std::string placeholder, Setter take, std::string about);
  void text(std::string names, std::string placeholder, std::string& target, std::string about);
  void flag(std::string names, bool& target, std::string about);
  void flag(std::string names, std::function<void()> action, std::string about);

  using Given = std::vector<std::string>;
  /// Returns false if help was asked for. Throws `Error` (usage) for unknown words, with the
  /// nearest known one, for empty values, and what the setters throw.
  bool parse(const std::vector<std::string>& words, std::vector<Given>* given = nullptr) const;

  /// `all`: with the sections that have topics.
  std::string help(bool all = false) const;
  /// The section of this topic; empty if there is none.
  std::string topic(const std::string& name) const;

  struct Section {
    std::string title, topic;
  };
  struct Option {
    std::string names;
    std::string placeholder;  // empty: a flag
    std::string about;
    Section section;
    Setter take;
    bool list = false;
    std::string long_name() const { return names.substr(names.rfind(',') + 1); }
  };
  struct Positional {
    std::string name;
    std::string about;
    bool required;
    std::string* target;
  };
  std::span<const Option> options() const { return options_; }
  std::span<const Positional> positionals() const { return positionals_; }

  /// "apsp VERB ARGUMENT [ARGUMENT] [options]"
  std::string usage() const;

 private:
  std::string entries(const std::string& section) const;
  std::vector<std::string> option_names() const;

  std::string verb_;
  std::string about_;
  std::vector<std::string> examples_;
  Section section_{"Options", ""};
  std::vector<Positional> positionals_;
  std::vector<Option> options_;
};

/// `about` to the right of `left`, or below it if `left` is too long; at most 80 columns.
std::string help_entry(const std::string& left, const std::string& about);

/// The optimal string alignment distance (a restricted Damerau-Levenshtein distance), case ignored.
/// O(|a|·|b|).
int edit_distance(std::string_view a, std::string_view b);

/// Up to `count` candidates that differ from `word` in at most one letter in three (at least one),
/// nearest first, ties in the order given.
std::vector<std::string> nearest(std::string_view word, std::span<const std::string> candidates,
                                 std::size_t count = 3);

/// "; did you mean 'a' or 'b'?", or nothing if no candidate is near.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

std::string alternatives(std::span<const std::string> words);

}  // namespace apsp::cli
