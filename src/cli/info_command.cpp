// apsp info: this machine and this build, or a graph's vital figures.

#include "base/json.hpp"
#include "calibration/machine_report.hpp"
#include "cli/exit_code.hpp"
#include "cli/graph_view.hpp"
#include "cli/machine_view.hpp"
#include "cli/reading.hpp"
#include "cli/verb.hpp"

namespace apsp::cli {
namespace {

class Info : public Verb {
 public:
  void declare(Arguments& arguments) override {
    arguments.positional("GRAPH", path_, "a graph's file; default: this machine and this build",
                         false);
    declare_reading(arguments, reading_);
    declare_threads(arguments);
  }

  int run(Session& session) override {
    if (path_.empty()) {
      require_no_reading(reading_, "no GRAPH is named");
      const nlohmann::json machine = calibration::machine_report();
      session.print(machine_text(machine, session.out()));
      session.print_json({{"machine", machine}});
      return kExitOk;
    }
    const Graph& graph = read_for(session, path_, reading_);
    const nlohmann::json facts = graph_facts(graph, path_);
    session.print(graph_text(graph, facts, session.out()));
    session.print_json({{"graph", facts}});
    return kExitOk;
  }

 private:
  std::string path_;
  ReadOptions reading_;
};

}  // namespace

VerbEntry info_verb() {
  return {"info [GRAPH]",
          "this machine and this build, or a graph's figures",
          "Info: processor, memory, instruction sets and what is built in; or, of a graph, its "
          "size, direction, weights, degrees and components.",
          {"apsp info", "apsp info roads.gr", "apsp info links.csv --columns 2,3,4 --json"},
          make_verb<Info>};
}

}  // namespace apsp::cli
