#include "cli/help_pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <apsp/solve.hpp>
#include <cctype>
#include <string_view>
#include <vector>

#include "cli/exit_code.hpp"
#include "cli/verb.hpp"
#include "rates/machine_report.hpp"

namespace apsp::cli {

const std::vector<Topic>& topics() {
  static const std::vector<Topic> all = {
      {"formats",
       "Graph formats, recognised by content, then by suffix; plain, .gz or .zst:\n"
       "  .mtx          Matrix Market: a sparse matrix of weights\n"
       "  .gr           DIMACS: arcs of road networks\n"
       "  .csv .tsv .txt  edge lists: from, to, weight\n"
       "  .graph        METIS\n"
       "  .as-rel.txt   CAIDA relations between networks\n"
       "  .npy          NumPy: a dense matrix of weights\n"
       "Results are kept as .zarr (everything in one place) or .npy (only the matrix).\n"
       "More: docs/formats.md and docs/stores.md.\n"},
      {"exit-codes",
       "Exit codes of every verb:\n"
       "  0   done\n"
       "  1   a negative answer: no path, a failed check\n"
       "  2   wrong command line\n"
       "  3   malformed input\n"
       "  4   negative cycle\n"
       "  5   does not fit into memory or on disk\n"
       "  6   files\n"
       "  7   GPU, MPI, or a processor that this build is not for\n"
       "  8   interrupted\n"
       "  70  an error in apsp itself\n"},
      {"environment",
       "Environment variables:\n"
       "  OMP_NUM_THREADS   threads, where --threads does not say\n"
       "  APSP_CACHE_DIR    where measured rates are kept; default: ~/.cache/apsp\n"
       "  APSP_MEASURE      never: plans use assumed rates, nothing is measured\n"
       "  APSP_CUDA_ENGINE  the file of libapsp_cuda.so, where it is not found\n"
       "  NO_COLOR          no colours\n"
       "Of several processes (docs/scaling.md):\n"
       "  APSP_MEETING_SECONDS   how long they wait for each other at the start;\n"
       "                         default: 60\n"
       "  APSP_SILENCE_SECONDS   how long one may give no sign of life before the\n"
       "                         job ends and names it; default: 40; 0: for ever\n"},
  };
  return all;
}

const Topic* find_topic(const std::string& name) {
  for (const Topic& topic : topics()) {
    if (topic.name == name) return &topic;
  }
  return nullptr;
}

namespace {

/// Escapes hyphens and lines that look like requests of roff.
std::string roff(std::string_view text) {
  std::string result;
  bool begins = true;
  for (const char letter : text) {
    if (begins && (letter == '.' || letter == '\'')) result += "\\&";
    if (letter == '\\') {
      result += "\\e";
    } else if (letter == '-') {
      result += "\\-";
    } else {
      result += letter;
    }
    begins = letter == '\n';
  }
  return result;
}

std::string title(const std::string& name) {
  std::string upper;
  for (const char letter : name) {
    upper += letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
  }
  return fmt::format(".TH {} 1 \"\" \"apsp {}\" \"apsp manual\"\n", roff(upper), rates::version());
}

std::string as_they_are(std::string_view lines) {
  return ".PP\n.nf\n" + roff(lines) + (lines.ends_with('\n') ? "" : "\n") + ".fi\n";
}

std::string option_entry(const Arguments::Option& option) {
  std::string names = option.names;
  if (const std::size_t comma = names.find(','); comma != std::string::npos) {
    names.replace(comma, 1, ", ");
  }
  std::string line = ".TP\n\\fB" + roff(names) + "\\fR";
  if (!option.placeholder.empty()) line += " \\fI" + roff(option.placeholder) + "\\fR";
  return line + "\n" + roff(option.about) + "\n";
}

}  // namespace

std::string manual_page(const VerbHelp& verb) {
  const std::string name = "apsp-" + verb.entry->name();
  std::string text = title(name);
  text += ".SH NAME\n" + roff(name) + " \\- " + roff(verb.entry->brief) + "\n";
  text += ".SH SYNOPSIS\n\\fB" + roff(verb.arguments->usage()) + "\\fR\n";
  text += ".SH DESCRIPTION\n" + roff(verb.arguments->about()) + "\n";
  for (const Arguments::Positional& positional : verb.arguments->positionals()) {
    text += ".TP\n\\fI" + roff(positional.name) + "\\fR\n" + roff(positional.about) + "\n";
  }
  text += ".SH OPTIONS\n";
  std::string section;
  for (const Arguments::Option& option : verb.arguments->options()) {
    if (option.section != section) text += ".SS \"" + roff(option.section) + "\"\n";
    section = option.section;
    text += option_entry(option);
  }
  text += ".SH EXAMPLES\n";
  for (const std::string& example : verb.arguments->examples()) text += as_they_are(example);
  return text + ".SH SEE ALSO\n\\fBapsp\\fR(1)\n";
}

std::string overview_page(const std::string& text) {
  return title("apsp") + ".SH NAME\napsp \\- all\\-pairs shortest paths\n" +
         ".SH SYNOPSIS\n\\fBapsp\\fR \\fIVERB\\fR [\\fIarguments\\fR] [\\fIoptions\\fR]\n" +
         ".SH DESCRIPTION\n" + as_they_are(text) +
         ".PP\nEach verb has a page of its own, such as \\fBapsp\\-solve\\fR(1).\n";
}

namespace {

/// The literal alternatives of a placeholder such as "auto|matrix|OUT.npy"; empty for free text.
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

namespace {

constexpr int kMostNames = 200;

/// Up to kMostNames names of a result's vertices with this prefix, one per line, in the order of
/// the graph.
std::string names_that_begin(const std::string& result, const std::string& beginning) {
  std::string lines;
  int found = 0;
  const Result opened = open_result(result);
  for (const std::string& name : opened.graph().labels()) {
    if (!name.starts_with(beginning)) continue;
    lines += name + "\n";
    if (++found == kMostNames) break;
  }
  return lines;
}

class Completion : public Verb {
 public:
  void declare(Arguments& arguments) override {
    arguments.positional("SHELL", shell_, "bash, zsh or fish; names: the vertices of a result");
    arguments.positional("RESULT", result_, "names: a result of apsp solve -o, a .zarr", false);
    arguments.positional("BEGINNING", beginning_,
                         fmt::format("names: the first letters of a name; at most {} names are "
                                     "printed; default: of any name",
                                     kMostNames),
                         false);
  }

  int run(Context& context) override {
    context.json = false;
    const bool names = shell_ == "names";
    refuse_if(names && result_.empty(), "names of which result? apsp completion names RESULT");
    refuse_if(!names && !result_.empty(), "RESULT is for names: apsp completion names RESULT");
    context.print(names ? names_that_begin(result_, beginning_) : completion_of_all(shell_));
    return kExitOk;
  }

 private:
  std::string shell_;
  std::string result_;
  std::string beginning_;
};

}  // namespace

VerbEntry completion_verb() {
  return {
      "completion SHELL",
      "a script that completes commands in a shell",
      "Completion: verbs, options, their values, files, and the names of a result's vertices, for "
      "bash, zsh or fish. An installed apsp brings these scripts with it.",
      {"source <(apsp completion bash)", "apsp completion zsh > ~/.zfunc/_apsp",
       "apsp completion fish > ~/.config/fish/completions/apsp.fish"},
      make_verb<Completion>};
}

}  // namespace apsp::cli
