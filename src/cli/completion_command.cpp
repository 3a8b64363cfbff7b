// apsp completion: a script that completes the words of a command in a shell, and the names that
// such a script asks for.
#include <fmt/format.h>

#include <apsp/solve.hpp>

#include "cli/exit_code.hpp"
#include "cli/verb.hpp"

namespace apsp::cli {
namespace {

/// Nobody chooses from more.
constexpr int kMostNames = 200;

/// The named vertices of a result whose names begin so, a line each, in the order of the graph.
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
