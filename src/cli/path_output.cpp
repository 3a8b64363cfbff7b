#include "cli/path_output.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <filesystem>

#include "api/json.hpp"
#include "base/json.hpp"
#include "base/units.hpp"
#include "cli/exit_code.hpp"
#include "cli/graph_view.hpp"
#include "cli/memory_use.hpp"
#include "cli/solve_request.hpp"
#include "cli/solve_view.hpp"
#include "cli/table.hpp"
#include "cli/turn_options.hpp"
#include "graph/vertex_states.hpp"
#include "paths/paths.hpp"
#include "planner/memory.hpp"
#include "semiring/semiring_words.hpp"
#include "store/store.hpp"
#include "system/machine.hpp"
#include "system/memory_limit.hpp"

namespace apsp::cli {

void declare_asked(Arguments& arguments, Asked& asked) {
  arguments.positional("RESULT|GRAPH", asked.stored.path,
                       "a result of apsp solve -o (.zarr, or .npy with --graph), or a graph's "
                       "file, which is then searched from the vertices FROM");
}

void declare_asking(Arguments& arguments, Asked& asked) {
  arguments.text("--graph", "GRAPH", asked.stored.graph,
                 "the graph that was solved; an .npy needs it");
  declare_metric(arguments, asked.stored);
  choice(arguments, "--semiring", semiring_choices(), asked.stored.semiring,
         "which path is best, for a graph or an .npy (a .zarr names its own); default: min-plus");
  declare_reading(arguments, asked.stored.reading);
  declare_threads(arguments, &asked.solving.machine.threads);
  system::limit_memory(0);
  declare_place(arguments, asked.solving);
  declare_plan_flag(arguments);
  declare_algorithm(arguments, asked.solving);
}

bool names_result(const Asked& asked) {
  const StoredResult& stored = asked.stored;
  std::error_code failure;
  return !stored.graph.empty() || std::filesystem::is_directory(stored.path, failure) ||
         store::is_zarr(stored.path) ||
         (stored.path.ends_with(".npy") && stored.reading.format != GraphFormat::numpy);
}

Result open_asked(Context& context, const Asked& asked) {
  const SolveOptions& solving = asked.solving;
  system::limit_memory(solving.machine.memory);
  refuse_if(solving.machine.device_memory > 0 || solving.machine.device != Device::automatic ||
                solving.method.algorithm != Algorithm::automatic || solving.method.value_type,
            "{} is a result, so nothing is solved: leave out --device, --device-memory, "
            "--dtype and --algorithm, which are for a graph",
            asked.stored.path);
  return open_for(context, asked.stored);
}

const Graph& read_asked(Context& context, Asked& asked) {
  require_no_metric(asked.stored);
  SolveOptions& solving = asked.solving;
  system::limit_memory(solving.machine.memory);
  solving.question.semiring = asked.stored.semiring;
  solving.question.statistics = false;
  solving.control = context.control();
  solving.on_plan = [&context, &asked](const PlanReport& plan) {
    asked.plan = plan;
    asked.plan->bytes += asked.bytes_of_pairs;
    constexpr std::int64_t kText = std::int64_t{4}
                                   << 20;  // bytes of pairs that are read, and of their rows
    const std::int64_t planned = asked.plan->bytes + kText;
    // Many pairs of a factor use labels, as many as fit (api/result.cpp).
    const bool labels = asked.bytes_of_pairs > 0 && plan.keep == Keep::factor;
    const std::int64_t allowed = asked.solving.machine.memory;
    const std::int64_t of_labels = !labels       ? 0
                                   : allowed > 0 ? std::max<std::int64_t>(0, allowed - planned)
                                                 : system::available_memory() / 2;
    system::plan_memory_in_all(planned + of_labels, "the answer", "give it more with --memory");
    note_plan(context, *asked.plan);
  };
  ReadOptions reading = asked.stored.reading;
  reading.on_header = [known = solving](const GraphHeader& header) mutable {
    known.question.sources = {0};
    planner::require_room(header, known);
  };
  const Graph& graph = read_for(context, asked.stored.path, reading);
  context.note(graph_line(graph, asked.stored.path, context.err()));
  return graph;
}

int no_path_found(const Context& context, const Graph& graph, Vertex s, Vertex t) {
  context.note(
      fmt::format("apsp: no path leads from {} to {}", shown_name(graph, s), shown_name(graph, t)));
  return kExitNegativeAnswer;
}

void add_plan(const Asked& asked, nlohmann::json& object) {
  if (asked.plan) object["plan"] = api::to_json(*asked.plan);
}

namespace {

/// Hops between vertices; those of a graph with turns lead through states.
std::vector<paths::Hop> hops_of(const Result& result, const std::vector<Vertex>& path) {
  std::vector<paths::Hop> hops =
      paths::hops(result.graph(), result.semiring(), result.value_type(), path);
  const graph::VertexStates states(result.graph());
  if (!hops.empty() && states.is_end(path.back())) hops.pop_back();
  for (paths::Hop& hop : hops) {
    hop.from = states.vertex_of(hop.from);
    hop.to = states.vertex_of(hop.to);
  }
  return hops;
}

}  // namespace

bool is_reachable(Semiring semiring, const VertexPair& pair, double distance) {
  if (semiring == Semiring::or_and) return distance != 0;
  return pair.from == pair.to || distance != no_path(semiring, ValueType::f64);
}

std::string distance_text(ValueType type, double distance) {
  if (type == ValueType::f32) return fmt::format("{}", static_cast<float>(distance));
  return fmt::format("{}", distance);
}

nlohmann::json distances_json(const std::function<std::string(Vertex)>& name_of, Semiring semiring,
                              std::span<const VertexPair> pairs,
                              std::span<const double> distances) {
  nlohmann::json list = nlohmann::json::array();
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const bool reachable = is_reachable(semiring, pairs[i], distances[i]);
    const bool valued = reachable && semiring != Semiring::or_and;
    list.push_back({{"from", name_of(pairs[i].from)},
                    {"to", name_of(pairs[i].to)},
                    {"reachable", reachable},
                    {"distance", valued ? nlohmann::json(distances[i]) : nlohmann::json()}});
  }
  return list;
}

std::string path_text(const Result& result, const std::vector<Vertex>& path,
                      const TerminalStyle& look) {
  const Graph& graph = result.graph();
  const semiring::SemiringWords words = semiring::words_of(result.semiring());
  const std::vector<paths::Hop> list = hops_of(result, path);
  const bool valued = !words.edge.empty();
  Table table({Align::right, Align::left, Align::right, Align::right});
  table.header({"hop", "vertex", std::string(words.edge), std::string(words.so_far)});
  table.row({"0", shown_name(graph, path.front())});
  for (std::size_t i = 0; i < list.size(); ++i) {
    table.row({base::format_count(static_cast<std::int64_t>(i) + 1), shown_name(graph, list[i].to),
               valued ? base::format_value(list[i].weight) : "",
               valued ? base::format_value(list[i].so_far) : ""});
  }
  const std::string title = fmt::format("{} {} {}", shown_name(graph, path.front()), look.arrow(),
                                        shown_name(graph, places_of(graph, path).back()));
  std::string remark;
  if (valued) {
    remark = fmt::format("{} {}, ", words.measure,
                         base::format_value(result.distance(path.front(), path.back())));
  }
  remark += base::counted(static_cast<std::int64_t>(list.size()), "edge", "edges");
  return heading(look, title, remark) + table.text(look);
}

nlohmann::json path_json(const Result& result, const std::vector<Vertex>& path) {
  const Graph& graph = result.graph();
  nlohmann::json names = nlohmann::json::array();
  for (const Vertex v : places_of(graph, path)) names.push_back(graph.name(v));
  nlohmann::json steps = nlohmann::json::array();
  for (const paths::Hop& hop : hops_of(result, path)) {
    nlohmann::json step = {{"from", graph.name(hop.from)}, {"to", graph.name(hop.to)}};
    if (result.semiring() != Semiring::or_and) {
      step["weight"] = hop.weight;
      step["so_far"] = hop.so_far;
    }
    steps.push_back(step);
  }
  return {{"path", names}, {"hops", steps}};
}

}  // namespace apsp::cli
