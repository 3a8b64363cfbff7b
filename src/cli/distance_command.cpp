// apsp distance: one distance or many, from a stored result, or from a graph by what these take.

#include <nlohmann/json.hpp>

#include "cli/answer.hpp"
#include "cli/exit_code.hpp"
#include "cli/graph_view.hpp"
#include "cli/verb.hpp"
#include "io/vertex_lists.hpp"

namespace apsp::cli {
namespace {

/// Distances and what they are of.
struct Found {
  const Graph& graph;
  Semiring semiring;
  ValueType type;
  std::vector<PairDistance> pairs{};

  void add(const std::vector<VertexPair>& of, const std::vector<double>& distances) {
    for (std::size_t i = 0; i < of.size(); ++i) pairs.push_back({of[i], distances[i]});
  }
};

class Distance : public Verb {
 public:
  void declare(Arguments& arguments) override {
    declare_asked(arguments, asked_);
    arguments.positional("FROM", from_, "where the path begins: the name of a vertex", false);
    arguments.positional("TO", to_, "where the path ends: the name of a vertex", false);
    arguments.section("Options");
    arguments.text(
        "--pairs", "FILE", pairs_,
        "a list of pairs, one on each row: CSV, or columns separated by blanks; the first two "
        "columns name vertices; - is standard input. The answer is CSV: from,to,distance");
    declare_asking(arguments, asked_);
  }

  int run(Session& session) override {
    check();
    if (names_result(asked_)) {
      const Result result = open_asked(session, asked_);
      const std::vector<VertexPair> pairs = wanted(session, result.graph());
      Found found{result.graph(), result.semiring(), result.value_type()};
      found.add(pairs, result.distances(pairs, session.control()));
      return tell(session, found);
    }
    const Graph& graph = read_asked(session, asked_);
    const std::vector<VertexPair> pairs = wanted(session, graph);
    const std::vector<double> distances = apsp::distances(graph, pairs, asked_.solving);
    Found found{graph, asked_.solving.semiring,
                asked_.plan ? asked_.plan->value_type : ValueType::f64};
    found.add(pairs, distances);
    return tell(session, found);
  }

 private:
  void check() const {
    refuse_if(pairs_.empty() && (from_.empty() || to_.empty()),
              "FROM or TO is missing: name both vertices, or a list of pairs with --pairs FILE");
    refuse_if(!pairs_.empty() && !from_.empty(), "FROM TO and --pairs exclude each other");
    refuse_if(
        pairs_ == "-" && (asked_.stored.path == "-" || asked_.stored.graph == "-"),
        "standard input can hold the graph or the pairs, not both: name a file for one of them");
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
    return no_path_found(session, found.graph, from, to);
  }

  Asked asked_;
  std::string from_, to_, pairs_;
};

}  // namespace

VerbEntry distance_verb() {
  return {
      "distance RESULT|GRAPH FROM TO",
      "one distance, or those of a list of pairs",
      "Distance: the distance from one vertex to another, or of every pair of a list. It comes "
      "from a stored result, or from a graph: by a search from each vertex FROM, or by another way "
      "that the plan finds faster for these pairs. Exit 1 if no path leads from FROM to TO.",
      {"apsp distance flights.zarr Anchorage Boston",
       "apsp distance roads.gr 17 2093                  no result needed, one search",
       "apsp distance roads.gr --pairs trips.csv > distances.csv"},
      make_verb<Distance>};
}

}  // namespace apsp::cli
