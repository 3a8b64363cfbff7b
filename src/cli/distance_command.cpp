// apsp distance: one distance or many, from a stored result, or from a graph by what these take.
#include <fmt/format.h>
#include <apsp/error.hpp>

#include <nlohmann/json.hpp>

#include "cli/asking.hpp"
#include "cli/distance_view.hpp"
#include "cli/exit_code.hpp"
#include "cli/graph_view.hpp"
#include "cli/verb.hpp"
#include "io/pair_list.hpp"

namespace apsp::cli {
namespace {

/// Distances and what they are of.
struct Found {
  const Graph& graph;
  Semiring semiring;
  ValueType type;
  std::vector<PairDistance> pairs;
};

std::vector<PairDistance> with_distances(const std::vector<VertexPair>& pairs,
                                         const std::vector<double>& distances) {
  std::vector<PairDistance> found;
  found.reserve(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) found.push_back({pairs[i], distances[i]});
  return found;
}

class Distance : public Verb {
 public:
  void declare(Arguments& arguments) override {
    declare_asked(arguments, asked_);
    arguments.positional("FROM", from_, "the vertex where it begins, by its name", false);
    arguments.positional("TO", to_, "the vertex where it ends", false);
    arguments.section("Options");
    arguments.text("--pairs", "FILE", pairs_,
                   "many pairs, a row each: CSV or columns between blanks, the first two name "
                   "vertices; - is standard input. The answer is CSV: from,to,distance");
    declare_asking(arguments, asked_);
  }

  int run(Session& session) override {
    check();
    if (names_result(asked_)) {
      const Result result = open_asked(session, asked_);
      const std::vector<VertexPair> pairs = wanted(session, result.graph());
      return tell(session, {result.graph(), result.semiring(), result.value_type(),
                            with_distances(pairs, result.distances(pairs, session.control()))});
    }
    const Graph& graph = read_asked(session, asked_);
    const std::vector<VertexPair> pairs = wanted(session, graph);
    const std::vector<double> distances = apsp::distances(graph, pairs, asked_.solving);
    return tell(session, {graph, asked_.solving.semiring,
                          asked_.plan ? asked_.plan->value_type : ValueType::f64,
                          with_distances(pairs, distances)});
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
    if (pairs_ == "-" && (asked_.stored.path == "-" || asked_.stored.graph == "-")) {
      throw Error(ErrorKind::usage,
                  "standard input holds the graph or the pairs, not both: name a file for one");
    }
  }

  std::vector<VertexPair> wanted(Session& session, const Graph& graph) const {
    if (!pairs_.empty()) return io::read_pairs(pairs_, graph, session.control());
    return {{find_vertex(graph, from_), find_vertex(graph, to_)}};
  }

  int tell(Session& session, const Found& found) const {
    if (session.json) {
      nlohmann::json answer = {
          {"file", asked_.stored.path},
          {"semiring", name(found.semiring)},
          {"value_type", name(found.type)},
          {"distances", distances_json(found.graph, found.semiring, found.pairs)}};
      add_plan(asked_, answer);
      session.print_json(answer);
    }
    if (!pairs_.empty()) {
      session.print("from,to,distance\n");
      session.print(distance_lines(found.graph, found.type, found.pairs));
      return kExitOk;
    }
    session.print(distance_text(found.type, found.pairs.front().distance) + "\n");
    if (is_reachable(found.semiring, found.pairs.front())) return kExitOk;
    const auto [from, to] = found.pairs.front().pair;
    session.note(fmt::format("apsp: there is no path from {} to {}", shown_name(found.graph, from),
                             shown_name(found.graph, to)));
    return kExitNegativeAnswer;
  }

  Asked asked_;
  std::string from_, to_, pairs_;
};

}  // namespace

VerbEntry distance_verb() {
  return {"distance",
          "distance RESULT|GRAPH FROM TO",
          "one distance, or those of a list of pairs",
          "Distance: how far it is from one vertex to another, or for every pair of a list. From "
          "a\nstored result, or from a graph: a search from each vertex FROM, or whatever else the "
          "plan\nfinds sooner for these pairs. Exit 1 if there is no path between FROM and TO.",
          {"apsp distance flights.zarr Anchorage Boston",
           "apsp distance roads.gr 17 2093                  no result needed, one search",
           "apsp distance roads.gr --pairs trips.csv > distances.csv"},
          [] { return std::unique_ptr<Verb>(std::make_unique<Distance>()); }};
}

}  // namespace apsp::cli
