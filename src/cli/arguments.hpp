// The words behind a verb: what it takes, declared once for the parser and for --help.
//
// CLI11 does the parsing and is included by arguments.cpp alone (its header takes seconds to
// compile). Values arrive as text and are converted by the taker that the verb hands in, whose
// `Error` (usage) says what would have been right.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace apsp::cli {

class Arguments {
 public:
  using Setter = std::function<void(const std::string& text)>;

  Arguments(std::string verb, std::string about, std::vector<std::string> examples)
      : verb_(std::move(verb)), about_(std::move(about)), examples_(std::move(examples)) {}

  /// Options declared from here on stand under this title in the help.
  void section(std::string title) { section_ = std::move(title); }

  void positional(std::string name, std::string& target, std::string about, bool required = true);
  /// `names`: "-o,--output". A repeated option counts once, the last time.
  void value(std::string names, std::string placeholder, Setter take, std::string about);
  void text(std::string names, std::string placeholder, std::string& target, std::string about);
  void flag(std::string names, bool& target, std::string about);
  void flag(std::string names, std::function<void()> action, std::string about);

  /// An option as it was given: its long name, and its value unless it is a flag.
  using Given = std::vector<std::string>;
  /// False if help was asked for. `given`: takes the options that were given. Throws `Error`
  /// (usage) for unknown words, with the nearest known one, and for empty values; and what the
  /// takers throw.
  bool parse(const std::vector<std::string>& words, std::vector<Given>* given = nullptr) const;

  /// Three examples first, then usage, arguments and options.
  std::string help() const;
  const std::string& verb() const { return verb_; }

 private:
  struct Option {
    std::string names;
    std::string placeholder;  // empty: a flag
    std::string about;
    std::string section;
    Setter take;
  };
  struct Positional {
    std::string name;
    std::string about;
    bool required;
    std::string* target;
  };
  std::vector<std::string> option_names() const;
  std::string usage() const;

  std::string verb_;
  std::string about_;
  std::vector<std::string> examples_;
  std::string section_ = "Options";
  std::vector<Positional> positionals_;
  std::vector<Option> options_;
};

}  // namespace apsp::cli
