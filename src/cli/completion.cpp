// Completions of bash, zsh and fish, from what the help is made of.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <vector>

#include "cli/help_pages.hpp"

namespace apsp::cli {
namespace {

/// The words among the alternatives of a placeholder, "auto|matrix|OUT.npy"; empty: free text.
std::vector<std::string> values_of(const Arguments::Option& option) {
  std::vector<std::string> words;
  std::string word;
  for (const char letter : option.placeholder + "|") {
    if (letter != '|') {
      word += letter;
      continue;
    }
    const bool literal = std::all_of(word.begin(), word.end(), [](unsigned char c) {
      return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '-' || c == ':';
    });
    if (literal && !word.empty() && option.placeholder != word) words.push_back(word);
    word.clear();
  }
  return words;
}

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

/// The first clause of a text, in single quotes of a shell.
std::string quoted_brief(const std::string& text) {
  std::string brief = text.substr(0, text.find_first_of(".;:"));
  std::erase_if(brief, [](char letter) { return letter == '\'' || letter == '\\'; });
  return "'" + brief + "'";
}

std::vector<std::string> option_words(const Arguments& arguments) {
  std::vector<std::string> words;
  for (const Arguments::Option& option : arguments.options()) words.push_back(option.long_name());
  words.emplace_back("--help");
  return words;
}

std::vector<std::string> verb_words(std::span<const VerbHelp> verbs) {
  std::vector<std::string> words;
  for (const VerbHelp& verb : verbs) words.push_back(verb.entry->name());
  words.emplace_back("help");
  return words;
}

/// One line of a case statement for each option whose values are known.
std::string value_cases(std::span<const VerbHelp> verbs, const std::string& command) {
  std::string text;
  for (const VerbHelp& verb : verbs) {
    for (const Arguments::Option& option : verb.arguments->options()) {
      const std::vector<std::string> values = values_of(option);
      if (values.empty()) continue;
      text += fmt::format("    '{} {}') {}; return ;;\n", verb.entry->name(), option.long_name(),
                          fmt::format(fmt::runtime(command), joined(values)));
    }
  }
  return text;
}

/// The verbs whose words behind RESULT are names of its vertices.
std::vector<std::string> naming_verbs(std::span<const VerbHelp> verbs) {
  std::vector<std::string> words;
  for (const VerbHelp& verb : verbs) {
    for (const Arguments::Positional& one : verb.arguments->positionals()) {
      if (one.name == "FROM") words.push_back(verb.entry->name());
    }
  }
  return words;
}

std::string bash(std::span<const VerbHelp> verbs) {
  const std::string offer = "COMPREPLY=($(compgen -W '{}' -- \"$word\"))";
  std::string text =
      "# bash completion for apsp\n"
      "_apsp() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
      "  local verb=${COMP_WORDS[1]}\n"
      "  COMPREPLY=()\n"
      "  if ((COMP_CWORD == 1)) || [[ $verb == help && $COMP_CWORD == 2 ]]; then\n";
  text += "    " + fmt::format(fmt::runtime(offer), joined(verb_words(verbs))) + "\n";
  text +=
      "    return\n"
      "  fi\n"
      "  case \"$verb $before\" in\n";
  text += value_cases(verbs, offer) + "  esac\n  if [[ $word == -* ]]; then\n    case $verb in\n";
  for (const VerbHelp& verb : verbs) {
    text += fmt::format("      {}) {} ;;\n", verb.entry->name(),
                        fmt::format(fmt::runtime(offer), joined(option_words(*verb.arguments))));
  }
  return text +
         "    esac\n"
         "    return\n"
         "  fi\n"
         "  if [[ ' " +
         joined(naming_verbs(verbs)) +
         " ' == *\" $verb \"* && $COMP_CWORD -gt 2 && ${COMP_WORDS[2]} == *.zarr ]]; then\n"
         "    local name\n"
         "    while IFS= read -r name; do COMPREPLY+=(\"$(printf %q \"$name\")\"); done < <(\n"
         "      \"${COMP_WORDS[0]}\" completion names \"${COMP_WORDS[2]}\" \"$word\" 2>/dev/null)\n"
         "    ((${#COMPREPLY[@]} == 0)) || return\n"
         "  fi\n"
         "  compopt -o filenames 2>/dev/null\n"
         "  COMPREPLY=($(compgen -f -- \"$word\"))\n"
         "}\n"
         "complete -F _apsp apsp\n";
}

std::string zsh(std::span<const VerbHelp> verbs) {
  std::string text =
      "#compdef apsp\n"
      "_apsp() {\n"
      "  local -a offered\n"
      "  if (( CURRENT == 2 )); then\n"
      "    offered=(";
  for (const VerbHelp& verb : verbs) {
    text += fmt::format(" {}:{}", verb.entry->name(), quoted_brief(verb.entry->brief));
  }
  text +=
      " help)\n"
      "    _describe verb offered\n"
      "    return\n"
      "  fi\n"
      "  case \"$words[2] $words[CURRENT-1]\" in\n";
  text += value_cases(verbs, "compadd -- {}") +
          "  esac\n  if [[ $PREFIX == -* ]]; then\n    case $words[2] in\n";
  for (const VerbHelp& verb : verbs) {
    text += fmt::format("      {}) offered=(", verb.entry->name());
    for (const Arguments::Option& option : verb.arguments->options()) {
      text += fmt::format(" {}:{}", option.long_name(), quoted_brief(option.about));
    }
    text += " --help) ;;\n";
  }
  return text +
         "    esac\n"
         "    _describe option offered\n"
         "    return\n"
         "  fi\n"
         "  if [[ ' " +
         joined(naming_verbs(verbs)) +
         " ' == *\" $words[2] \"* && CURRENT -gt 3 && $words[3] == *.zarr ]]; then\n"
         "    offered=(${(f)\"$($words[1] completion names $words[3] \"$PREFIX\" 2>/dev/null)\"})\n"
         "    if (( $#offered )); then compadd -a offered; return; fi\n"
         "  fi\n"
         "  _files\n"
         "}\n"
         "if [[ $funcstack[1] == _apsp ]]; then _apsp \"$@\"; else compdef _apsp apsp; fi\n";
}

std::string fish(std::span<const VerbHelp> verbs) {
  std::string text =
      "# fish completion for apsp\n"
      "function __apsp_names\n"
      "  set -l words (commandline -opc)\n"
      "  test (count $words) -ge 3; and string match -q '*.zarr' $words[3]\n"
      "  and $words[1] completion names $words[3] (commandline -ct) 2>/dev/null\n"
      "end\n";
  text += fmt::format("complete -c apsp -n '__fish_seen_subcommand_from {}' -a '(__apsp_names)'\n",
                      joined(naming_verbs(verbs)));
  for (const VerbHelp& verb : verbs) {
    text += fmt::format("complete -c apsp -n __fish_use_subcommand -f -a {} -d {}\n",
                        verb.entry->name(), quoted_brief(verb.entry->brief));
  }
  for (const VerbHelp& verb : verbs) {
    for (const Arguments::Option& option : verb.arguments->options()) {
      text += fmt::format("complete -c apsp -n '__fish_seen_subcommand_from {}' -l {}",
                          verb.entry->name(), option.long_name().substr(2));
      if (option.names[1] != '-') text += fmt::format(" -s {}", option.names[1]);
      const std::vector<std::string> values = values_of(option);
      if (!values.empty()) {
        text += " -x -a '" + joined(values) + "'";
      } else if (!option.placeholder.empty()) {
        text += " -r";
      }
      text += " -d " + quoted_brief(option.about) + "\n";
    }
  }
  return text;
}

}  // namespace

std::string completion_script(const std::string& shell, std::span<const VerbHelp> verbs) {
  if (shell == "bash") return bash(verbs);
  if (shell == "zsh") return zsh(verbs);
  if (shell == "fish") return fish(verbs);
  throw usage_error("SHELL is bash, zsh or fish, not '{}'", shell);
}

}  // namespace apsp::cli
