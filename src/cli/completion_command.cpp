// apsp completion: a script that completes the words of a command in a shell.
#include "cli/exit_code.hpp"
#include "cli/verb.hpp"

namespace apsp::cli {
namespace {

class Completion : public Verb {
 public:
  void declare(Arguments& arguments) override {
    arguments.positional("SHELL", shell_, "bash, zsh or fish");
  }

  int run(Session& session) override {
    session.json = false;
    session.print(completion_of_all(shell_));
    return kExitOk;
  }

 private:
  std::string shell_;
};

}  // namespace

VerbEntry completion_verb() {
  return {"completion SHELL",
          "a script that completes commands in a shell",
          "Completion: verbs, options, their values and files, for bash, zsh or fish. An installed "
          "apsp brings these scripts with it.",
          {"source <(apsp completion bash)", "apsp completion zsh > ~/.zfunc/_apsp",
           "apsp completion fish > ~/.config/fish/completions/apsp.fish"},
          make_verb<Completion>};
}

}  // namespace apsp::cli
