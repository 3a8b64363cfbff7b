#include "cli/help_pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <apsp/solve.hpp>
#include <cctype>
#include <sstream>
#include <string_view>

#include "base/json.hpp"
#include "cli/exit_code.hpp"
#include "cli/solve_request.hpp"
#include "rates/machine_report.hpp"

namespace apsp::cli {
namespace {

struct Topic {
  std::string_view name, text;
};
constexpr Topic kTopics[] = {
    {"formats",
     "Graph formats, recognised by content, then by suffix; plain, .gz or .zst:\n"
     "  .mtx          Matrix Market: a sparse matrix of weights\n"
     "  .gr           DIMACS: arcs of road networks\n"
     "  .csv .tsv .txt  edge lists: from, to, weight\n"
     "  .graph        METIS\n"
     "  .as-rel.txt   CAIDA relations between networks\n"
     "  .osm.pbf      OpenStreetMap: streets, with --profile\n"
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

/// A topic of its own, or a section of the options of `apsp solve`, which has all of them.
std::string topic_text(const std::string& name) {
  for (const Topic& topic : kTopics) {
    if (topic.name == name) return std::string(topic.text);
  }
  if (name == "tuning") return tuning_text();
  Context context({});
  return DeclaredVerb(solve_verb(), context).arguments.topic(name);
}

/// Escapes hyphens and lines that look like requests of roff.
std::string roff(std::string_view text) {
  std::string result;
  for (const char letter : text) {
    const bool begins = result.empty() || result.back() == '\n';
    if (begins && (letter == '.' || letter == '\'')) result += "\\&";
    if (letter == '\\' || letter == '-') result += '\\';
    result += letter == '\\' ? 'e' : letter;
  }
  return result;
}

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

/// The literal alternatives of a placeholder such as "auto|matrix|OUT.npy"; empty for free text.
std::vector<std::string> values_of(const Arguments::Option& option) {
  std::vector<std::string> values;
  std::string word;
  for (const char letter : option.placeholder + "|") {
    if (letter != '|') {
      word += letter;
      continue;
    }
    const bool literal = std::ranges::all_of(word, [](unsigned char c) {
      return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '-' || c == ':';
    });
    if (literal && option.placeholder != word) values.push_back(word);
    word.clear();
  }
  return values;
}

std::string offer(const std::string& word, const std::string& about) {
  return fmt::format("{}\t{}\n", word, about.substr(0, about.find_first_of(".;:")));
}

/// Returns the words that can follow `verb words…` in place of the last one, whatever letters it
/// begins with.
std::string offers_of(const VerbEntry& verb, std::span<const std::string> words) {
  Context context({});
  const DeclaredVerb declared(verb, context);
  const std::string before = words.size() < 2 ? "" : words[words.size() - 2];
  std::string options = offer("--help", "this verb's help");
  for (const Arguments::Option& option : declared.arguments.options()) {
    const bool named =
        !before.empty() && (option.long_name() == before || option.names.starts_with(before + ","));
    if (named && !option.placeholder.empty()) {
      std::string lines;
      for (const std::string& value : values_of(option)) lines += value + "\n";
      return lines;
    }
    options += offer(option.long_name(), option.about);
  }
  if (words.back().starts_with('-')) return options;
  const bool names = std::ranges::any_of(declared.arguments.positionals(),
                                         [](const auto& one) { return one.name == "FROM"; });
  const bool of_result = names && words.size() > 1 && words.front().ends_with(".zarr");
  return of_result ? names_that_begin(words.front(), words.back()) : "";
}

/// Returns the words that can replace the last one of `words`, which follow "apsp": lines of a
/// word, a tab and its meaning. Empty if a file is expected.
std::string completions(std::span<const std::string> words) {
  const std::vector<VerbEntry> verbs = all_verbs();
  std::string all;
  if (words.size() < 2 || (words.front() == "help" && words.size() == 2)) {
    for (const VerbEntry& verb : verbs) all += offer(verb.name(), verb.brief);
    all += offer("help", "help of a verb or a topic");
  } else {
    const auto verb = std::ranges::find(verbs, words.front(), &VerbEntry::name);
    if (verb != verbs.end()) all = offers_of(*verb, words.subspan(1));
  }
  std::string fitting;
  std::istringstream lines(all);
  for (std::string line; std::getline(lines, line);) {
    if (words.empty() || line.starts_with(words.back())) fitting += line + "\n";
  }
  return fitting;
}

constexpr std::string_view kBash =
    "# bash completion for apsp\n"
    "_apsp() {\n"
    "  local word\n"
    "  COMPREPLY=()\n"
    "  while IFS=$'\\t' read -r word _; do COMPREPLY+=(\"$(printf %q \"$word\")\"); done < <(\n"
    "    \"${COMP_WORDS[0]}\" completion words \"${COMP_WORDS[@]:1:COMP_CWORD}\" 2>/dev/null)\n"
    "}\n"
    "complete -o default -F _apsp apsp\n";
constexpr std::string_view kZsh =
    "#compdef apsp\n"
    "_apsp() {\n"
    "  local -a offered\n"
    "  offered=(${(f)\"$($words[1] completion words \"${(@Q)words[2,CURRENT]}\" 2>/dev/null)\"})\n"
    "  if (( ! $#offered )); then _files; return; fi\n"
    "  offered=(${offered//:/\\\\:})\n"
    "  offered=(${offered/$'\\t'/:})\n"
    "  _describe apsp offered\n"
    "}\n"
    "if [[ $funcstack[1] == _apsp ]]; then _apsp \"$@\"; else compdef _apsp apsp; fi\n";
constexpr std::string_view kFish =
    "# fish completion for apsp\n"
    "function __apsp_offers\n"
    "  set -l words (commandline -opc)\n"
    "  $words[1] completion words $words[2..] (commandline -ct) 2>/dev/null\n"
    "end\n"
    "complete -c apsp -n __fish_use_subcommand -f\n"
    "complete -c apsp -a '(__apsp_offers)'\n";

std::string completion_script(const std::string& shell) {
  if (shell == "bash") return std::string(kBash);
  if (shell == "zsh") return std::string(kZsh);
  if (shell == "fish") return std::string(kFish);
  throw usage_error("SHELL is bash, zsh or fish, not '{}'", shell);
}

/// A letter of ASCII as titles of manual pages have it.
char upper_case(char letter) {
  return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
}

/// The text after "default: ", up to a semicolon or the end of its sentence; null if there is
/// none.
nlohmann::json default_of(const std::string& about) {
  constexpr std::string_view kTitle = "default: ";
  const std::size_t at = about.find(kTitle);
  if (at == std::string::npos) return nullptr;
  const std::size_t begin = at + kTitle.size();
  return about.substr(begin, std::min(about.find(';', begin), about.find(". ", begin)) - begin);
}

nlohmann::ordered_json described(const Arguments::Option& option) {
  const std::vector<std::string> values = values_of(option);
  const std::string& placeholder = option.placeholder;
  const bool counts = placeholder == "N" || placeholder == "K" || placeholder == "R";
  const char* const type = placeholder.empty()     ? "flag"
                           : !values.empty()       ? "choice"
                           : counts                ? "integer"
                           : placeholder == "SIZE" ? "size"
                                                   : "text";
  std::vector<std::string> names = {option.long_name()};
  if (names[0] != option.names) {
    names.insert(names.begin(), option.names.substr(0, option.names.find(',')));
  }
  return {{"names", names},
          {"type", type},
          {"value", placeholder},
          {"choices", values},
          {"list", option.list},
          {"default", default_of(option.about)},
          {"group", option.section.title},
          {"topic", option.section.topic},
          {"about", option.about}};
}

}  // namespace

std::string usage_json() {
  nlohmann::ordered_json verbs = nlohmann::ordered_json::array();
  for (const VerbEntry& entry : all_verbs()) {
    Context context({});
    const DeclaredVerb declared(entry, context);
    nlohmann::ordered_json verb = {{"name", entry.name()},
                                   {"usage", declared.arguments.usage()},
                                   {"brief", entry.brief},
                                   {"about", entry.about},
                                   {"examples", entry.examples},
                                   {"arguments", nlohmann::ordered_json::array()},
                                   {"options", nlohmann::ordered_json::array()}};
    for (const Arguments::Positional& one : declared.arguments.positionals()) {
      verb["arguments"].push_back(
          {{"name", one.name}, {"required", one.required}, {"about", one.about}});
    }
    for (const Arguments::Option& option : declared.arguments.options()) {
      verb["options"].push_back(described(option));
    }
    verbs.push_back(std::move(verb));
  }
  const nlohmann::ordered_json usage = {{"version", rates::version()}, {"verbs", verbs}};
  return base::json_text(usage, 2) + "\n";
}

std::string help_text(const std::string& name, HelpForm form) {
  if (form == HelpForm::usual) {
    if (std::string text = topic_text(name); !text.empty()) return text;
  }
  Context context({});
  const VerbEntry entry = find_verb(name);
  const std::string text = DeclaredVerb(entry, context).arguments.help(form != HelpForm::usual);
  return form == HelpForm::page ? manual_page("apsp-" + name, entry.brief, text) : text;
}

std::string manual_page(const std::string& name, const std::string& brief,
                        const std::string& text) {
  std::string page =
      fmt::format(".TH {0} 1 \"\" \"apsp {1}\" \"apsp manual\"\n.SH NAME\n{0} \\- {2}\n",
                  roff(name), rates::version(), roff(brief));
  std::istringstream lines(text);
  bool begins = true;
  for (std::string line; std::getline(lines, line);) {
    const bool title = begins && !line.empty() && !line.ends_with('.') && lines.peek() == ' ';
    if (title) std::ranges::transform(line, line.begin(), upper_case);
    page += title ? ".SH \"" + roff(line) + "\"\n.nf\n" : roff(line) + "\n";
    begins = line.empty();
    if (begins) page += ".fi\n";
  }
  return page +
         ".fi\n.SH SEE ALSO\n\\fBapsp\\fR(1), and a page for each verb, such as "
         "\\fBapsp\\-solve\\fR(1)\n";
}

std::optional<std::string> completions_of(std::span<const std::string> words) {
  if (words.size() < 2 || words[0] != "completion" || words[1] != "words") return std::nullopt;
  return completions(words.subspan(2));
}

namespace {

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
    context.print(names ? names_that_begin(result_, beginning_) : completion_script(shell_));
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
