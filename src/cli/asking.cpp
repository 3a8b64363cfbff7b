#include "cli/asking.hpp"

#include <apsp/error.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "api/json.hpp"
#include "cli/graph_view.hpp"
#include "cli/plan_view.hpp"
#include "cli/solve_run.hpp"
#include "planner/memory.hpp"
#include "store/store.hpp"

namespace apsp::cli {

void declare_asked(Arguments& arguments, Asked& asked) {
  arguments.positional("RESULT|GRAPH", asked.stored.path,
                       "what apsp solve -o wrote, a .zarr or with --graph an .npy; or a graph's "
                       "file, which is searched from the vertices that are named");
}

void declare_asking(Arguments& arguments, Asked& asked) {
  arguments.text("--graph", "GRAPH", asked.stored.graph, "the graph that was solved, for an .npy");
  choice(arguments, "--semiring", semiring_choices(), asked.stored.semiring,
         "what better means, for a graph, or what an .npy was solved with (a .zarr knows): "
         "min-plus unless given");
  declare_reading(arguments, asked.stored.reading);
  declare_threads(arguments, &asked.solving.threads);
  declare_place(arguments, asked.solving);
  declare_algorithm(arguments, asked.solving);
}

bool names_result(const Asked& asked) {
  const StoredResult& stored = asked.stored;
  std::error_code failure;
  return !stored.graph.empty() || std::filesystem::is_directory(stored.path, failure) ||
         store::is_zarr(stored.path) ||
         (stored.path.ends_with(".npy") && stored.reading.format != GraphFormat::numpy);
}

Result open_asked(Session& session, const Asked& asked) {
  const SolveOptions& solving = asked.solving;
  if (solving.memory > 0 || solving.device_memory > 0 || solving.device != Device::automatic ||
      solving.algorithm != Algorithm::automatic || solving.value_type) {
    throw Error(ErrorKind::usage,
                asked.stored.path +
                    " is a result, which is solved: --memory, --device, --device-memory, --dtype "
                    "and --algorithm are for a graph");
  }
  return open_for(session, asked.stored);
}

const Graph& read_asked(Session& session, Asked& asked) {
  SolveOptions& solving = asked.solving;
  solving.semiring = asked.stored.semiring;
  solving.statistics = false;
  solving.control = session.control();
  solving.on_plan = [&session, &asked](const PlanReport& plan) {
    asked.plan = plan;
    session.note("plan: " + session.err().spelled(plan.line));
    if (session.verbose) session.note(plan_text(plan, session.err()));
  };
  ReadOptions reading = asked.stored.reading;
  reading.on_header = [known = solving](const GraphHeader& header) mutable {
    known.sources = {0};  // one at least
    planner::require_room(header, known);
  };
  const Graph& graph = read_for(session, asked.stored.path, reading);
  session.note(graph_line(graph, asked.stored.path, session.err()));
  return graph;
}

void add_plan(const Asked& asked, nlohmann::json& object) {
  if (asked.plan) object["plan"] = api::to_json(*asked.plan);
}

}  // namespace apsp::cli
