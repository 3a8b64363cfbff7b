// apsp info: facts about this machine and build, or about a graph or stored result.

#include "base/json.hpp"
#include "cli/exit_code.hpp"
#include "cli/graph_options.hpp"
#include "cli/graph_view.hpp"
#include "cli/machine_view.hpp"
#include "cli/result_view.hpp"
#include "cli/verb.hpp"
#include "rates/machine_report.hpp"

namespace apsp::cli {
namespace {

class Info : public Verb {
 public:
  void declare(Arguments& arguments) override {
    arguments.positional("GRAPH|RESULT", path_,
                         "a graph's file or a stored result (.zarr); default: this machine and "
                         "this build",
                         false);
    declare_reading(arguments, reading_);
    declare_threads(arguments);
  }

  int run(Context& context) override {
    if (path_.empty()) {
      require_no_reading(reading_, "no GRAPH is named");
      const nlohmann::json machine = rates::machine_report();
      context.print(machine_text(machine, context.out()));
      context.print_json({{"machine", machine}});
      return kExitOk;
    }
    if (is_stored_result(path_)) {
      require_no_reading(reading_, "a result holds its graph");
      const nlohmann::json facts = result_facts(path_);
      context.print(result_text(facts, context.out()));
      context.print_json({{"result", facts}});
      return kExitOk;
    }
    const Graph& graph = read_for(context, path_, reading_);
    const nlohmann::json facts = graph_facts(graph, path_);
    context.print(graph_text(graph, facts, context.out()));
    context.print_json({{"graph", facts}});
    return kExitOk;
  }

 private:
  std::string path_;
  ReadOptions reading_;
};

}  // namespace

VerbEntry info_verb() {
  return {"info [GRAPH|RESULT]",
          "this machine and this build, or a graph's or result's figures",
          "Info: processor, memory, instruction sets and what is built in; or, of a graph, its "
          "size, direction, weights, degrees and components; or, of a stored result, its "
          "distances, its graph, what is kept with them, its metrics and its size.",
          {"apsp info", "apsp info links.csv --columns 2,3,4 --json", "apsp info roads.zarr"},
          make_verb<Info>};
}

}  // namespace apsp::cli
