// apsp distance: one distance or many, from a stored result, or from a graph without a matrix.
#include <fmt/format.h>
#include <apsp/error.hpp>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/distance_view.hpp"
#include "cli/exit_code.hpp"
#include "cli/graph_view.hpp"
#include "cli/reading.hpp"
#include "cli/verb.hpp"
#include "io/pair_list.hpp"
#include "planner/rows_plan.hpp"
#include "store/store.hpp"

namespace apsp::cli {
namespace {

/// A factor where the graph is sparse enough for a small one: no row is computed unasked then.
Keep best_kept(const Graph& graph, const SolveOptions& options) {
  const bool sparse = planner::looks_sparse(graph.vertex_count(), graph.arc_count());
  return sparse && planner::takes_factor(graph, options) ? Keep::factor : Keep::automatic;
}

class Distance : public Verb {
 public:
  void declare(Arguments& arguments) override {
    arguments.positional("RESULT|GRAPH", stored_.path,
                         "what apsp solve -o wrote (.zarr, or .npy with --graph), or a graph's "
                         "file, which is solved first, without a matrix where it is sparse");
    arguments.positional("FROM", from_, "the vertex where it begins, by its name", false);
    arguments.positional("TO", to_, "the vertex where it ends", false);
    arguments.section("Options");
    arguments.text("--pairs", "FILE", pairs_,
                   "many pairs, a row each: CSV or columns between blanks, the first two name "
                   "vertices; - is standard input. The answer is CSV: from,to,distance");
    arguments.text("--graph", "GRAPH", stored_.graph, "the graph that was solved, for an .npy");
    choice(arguments, "--semiring", semiring_choices(), stored_.semiring,
           "what better means, for a graph, or what an .npy was solved with (a .zarr knows): "
           "min-plus unless given");
    declare_reading(arguments, stored_.reading);
    declare_threads(arguments);
  }

  int run(Session& session) override {
    check();
    const Result result = names_result() ? open_for(session, stored_) : solve_here(session);
    const std::vector<PairDistance> found = distances(session, result);
    if (session.json) {
      session.print_json({{"file", stored_.path},
                          {"semiring", name(result.semiring())},
                          {"value_type", name(result.value_type())},
                          {"distances", distances_json(result, found)}});
    }
    if (!pairs_.empty()) {
      session.print("from,to,distance\n");
      session.print(distance_lines(result, found));
      return kExitOk;
    }
    session.print(distance_text(result, found.front().distance) + "\n");
    if (is_reachable(result, found.front())) return kExitOk;
    const auto [from, to] = found.front().pair;
    session.note(fmt::format("apsp: there is no path from {} to {}",
                             shown_name(result.graph(), from), shown_name(result.graph(), to)));
    return kExitNegativeAnswer;
  }

 private:
  void check() const {
    if (pairs_.empty() && (from_.empty() || to_.empty())) {
      throw Error(ErrorKind::usage,
                  "between which vertices? Name both, FROM and TO, or a list of pairs with --pairs "
                  "FILE");
    }
    if (!pairs_.empty() && !from_.empty()) {
      throw Error(ErrorKind::usage, "FROM TO and --pairs exclude each other");
    }
    if (pairs_ == "-" && (stored_.path == "-" || stored_.graph == "-")) {
      throw Error(ErrorKind::usage,
                  "standard input holds the graph or the pairs, not both: name a file for one");
    }
  }

  /// A folder is a .zarr; an .npy is a result unless it is called a graph.
  bool names_result() const {
    std::error_code failure;
    return !stored_.graph.empty() || std::filesystem::is_directory(stored_.path, failure) ||
           store::is_zarr(stored_.path) ||
           (stored_.path.ends_with(".npy") && stored_.reading.format != GraphFormat::numpy);
  }

  Result solve_here(Session& session) const {
    const Graph& graph = read_for(session, stored_.path, stored_.reading);
    session.note(graph_line(graph, stored_.path, session.err()));
    SolveOptions options;
    options.semiring = stored_.semiring;
    options.statistics = false;
    options.keep = best_kept(graph, options);
    options.control = session.control();
    options.on_plan = [&](const PlanReport& plan) {
      session.note("plan: " + session.err().spelled(plan.line));
    };
    return solve(graph, options);
  }

  std::vector<PairDistance> distances(Session& session, const Result& result) const {
    if (pairs_.empty()) {
      const Vertex s = find_vertex(result.graph(), from_), t = find_vertex(result.graph(), to_);
      return {{{s, t}, result.distance(s, t)}};
    }
    const std::vector<VertexPair> pairs = io::read_pairs(pairs_, result.graph(), session.control());
    const std::vector<double> values = result.distances(pairs, session.control());
    std::vector<PairDistance> found;
    found.reserve(pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) found.push_back({pairs[i], values[i]});
    return found;
  }

  StoredResult stored_;
  std::string from_, to_, pairs_;
};

}  // namespace

VerbEntry distance_verb() {
  return {"distance",
          "distance RESULT|GRAPH FROM TO",
          "one distance, or those of a list of pairs",
          "Distance: how far it is from one vertex to another, or for every pair of a list. From "
          "a\nstored result, or from a graph: a sparse one is solved without its matrix (nested\n"
          "dissection), which takes about a second for a country's roads, and then microseconds a\n"
          "pair. Exit 1 if there is no path between FROM and TO.",
          {"apsp distance flights.zarr Anchorage Boston",
           "apsp distance roads.gr 17 2093                  no result needed, no matrix made",
           "apsp distance roads.gr --pairs trips.csv > distances.csv"},
          [] { return std::unique_ptr<Verb>(std::make_unique<Distance>()); }};
}

}  // namespace apsp::cli
