// apsp distance: one distance or many, from a stored result, or from a graph by what these take.

#include <fmt/format.h>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "cli/answer.hpp"
#include "cli/exit_code.hpp"
#include "cli/graph_view.hpp"
#include "cli/near_view.hpp"
#include "cli/verb.hpp"
#include "io/npy_header.hpp"
#include "io/output_file.hpp"
#include "io/vertex_lists.hpp"

namespace apsp::cli {
namespace {

/// Distances and what they are of.
struct FoundPairs {
  const Graph& graph;
  Semiring semiring;
  ValueType type;
  const std::vector<VertexPair>& pairs;
  std::vector<double> distances;

  PairDistance at(std::size_t i) const { return {pairs[i], distances[i]}; }
  std::vector<PairDistance> block(std::size_t first, std::size_t count) const {
    std::vector<PairDistance> some;
    for (std::size_t i = first; i < std::min(first + count, pairs.size()); ++i) {
      some.push_back(at(i));
    }
    return some;
  }
  /// put(text) of the table, some rows at a time: all of many pairs would take gigabytes.
  template <class F>
  void put_table(const F& put) const {
    constexpr std::size_t kRows = std::size_t{1} << 14;
    put("from,to,distance\n");
    for (std::size_t first = 0; first < pairs.size(); first += kRows) {
      put(distance_lines(graph, type, block(first, kRows)));
    }
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
        "columns name vertices; or an .npy [pairs, 2] of integers; - is standard input. The answer "
        "is CSV: from,to,distance");
    arguments.text(
        "-o,--output", "OUT", output_,
        "where the distances of --pairs go: .csv (.csv.gz, .csv.zst), or .npy [pairs] of "
        "f8, in their order; default: standard output");
    declare_asking(arguments, asked_);
  }

  int run(Session& session) override {
    check();
    if (names_result(asked_)) {
      // For labels of pairs.
      const std::int64_t memory = pairs_.empty() ? 0 : std::exchange(asked_.solving.memory, 0);
      const Result result = open_asked(session, asked_);
      refuse_if(memory > 0 && result.kept() != Keep::factor,
                "{} holds a matrix, whose pairs are read without memory of their own: leave out "
                "--memory",
                asked_.stored.path);
      const std::vector<VertexPair> pairs = wanted(session, result.graph());
      return tell(session, {result.graph(), result.semiring(), result.value_type(), pairs,
                            result.distances(pairs, {.memory = memory,
                                                     .threads = asked_.solving.threads,
                                                     .control = session.control()})});
    }
    const Graph& graph = read_asked(session, asked_);
    const std::vector<VertexPair> pairs = wanted(session, graph);
    std::vector<double> distances = apsp::distances(graph, pairs, asked_.solving);
    return tell(session, {graph, asked_.solving.semiring,
                          asked_.plan ? asked_.plan->value_type : ValueType::f64, pairs,
                          std::move(distances)});
  }

 private:
  void check() const {
    refuse_if(pairs_.empty() && (from_.empty() || to_.empty()),
              "FROM or TO is missing: name both vertices, or a list of pairs with --pairs FILE");
    refuse_if(!pairs_.empty() && !from_.empty(), "FROM TO and --pairs exclude each other");
    refuse_if(
        pairs_ == "-" && (asked_.stored.path == "-" || asked_.stored.graph == "-"),
        "standard input can hold the graph or the pairs, not both: name a file for one of them");
    if (output_.empty()) return;
    refuse_if(pairs_.empty(), "-o is for the distances of --pairs FILE");
    refuse_if(!is_array() && !names_table(output_),
              "{} is neither an array nor a table: name an .npy, .csv, .csv.gz or .csv.zst",
              output_);
    require_apart(output_, std::vector{pairs_, asked_.stored.path, asked_.stored.graph});
  }

  std::vector<VertexPair> wanted(Session& session, const Graph& graph) const {
    if (!pairs_.empty()) return io::read_pairs(pairs_, graph, session.control());
    return {{find_vertex(graph, from_), find_vertex(graph, to_)}};
  }

  bool is_array() const { return output_.ends_with(".npy"); }

  void write(Session& session, const FoundPairs& found) const {
    write_table(session, output_, [&](io::OutputFile& file) {
      if (!is_array()) return found.put_table([&](std::string_view text) { file.put(text); });
      const auto count = found.distances.size();
      file.put(io::format_npy_header("<f8", fmt::format("({},)", count)),
               std::string_view(reinterpret_cast<const char*>(found.distances.data()),
                                count * sizeof(double)));
    });
  }

  int tell(Session& session, const FoundPairs& found) const {
    if (!output_.empty()) write(session, found);
    if (session.json) {
      nlohmann::json answer = {{"file", asked_.stored.path},
                               {"semiring", name(found.semiring)},
                               {"value_type", name(found.type)}};
      if (output_.empty()) {
        answer["distances"] =
            distances_json(found.graph, found.semiring, found.block(0, found.pairs.size()));
      } else {
        answer["pairs"] = found.pairs.size();
        answer["output"] = output_;
      }
      add_plan(asked_, answer);
      session.print_json(answer);
    }
    if (!output_.empty()) return kExitOk;
    if (!pairs_.empty()) {
      found.put_table([&](std::string_view text) { session.print(text); });
      return kExitOk;
    }
    const PairDistance only = found.at(0);
    session.print(distance_text(found.type, only.distance) + "\n");
    if (is_reachable(found.semiring, only)) return kExitOk;
    return no_path_found(session, found.graph, only.pair.from, only.pair.to);
  }

  Asked asked_;
  std::string from_, to_, pairs_, output_;
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
       "apsp distance roads.zarr --pairs trips.npy -o distances.npy     or .csv, or a graph"},
      make_verb<Distance>};
}

}  // namespace apsp::cli
