// apsp distance: one distance, many or a table, from a stored result or from a graph.

#include <fmt/format.h>
#include <algorithm>
#include <functional>
#include <utility>

#include "base/json.hpp"
#include "cli/distance_table.hpp"
#include "cli/exit_code.hpp"
#include "cli/graph_view.hpp"
#include "cli/memory_use.hpp"
#include "cli/path_output.hpp"
#include "cli/table_output.hpp"
#include "cli/verb.hpp"
#include "io/npy.hpp"
#include "io/output_file.hpp"
#include "io/vertex_lists.hpp"
#include "system/machine.hpp"

namespace apsp::cli {
namespace {

struct FoundPairs {
  std::function<const Graph&()> graph;  // reads a result's graph on the first call
  std::function<std::string(Vertex)> name_of;
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
  void put_table(io::ColumnTable& table) const {
    static_assert(sizeof(VertexPair) == 2 * sizeof(Vertex));
    table.expect_rows(std::ssize(pairs));
    if (pairs.empty()) return;
    const io::ColumnValues values[] = {io::Stepped<Vertex>{&pairs.front().from, 2},
                                       io::Stepped<Vertex>{&pairs.front().to, 2},
                                       io::Stepped<double>{distances.data()}};
    table.put(std::ssize(pairs), values);
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
        "-o,--output", "OUT", output_.path,
        "where the distances of --pairs or of a table go: .csv (.csv.gz, .csv.zst), .parquet, or "
        ".npy; default: standard output, as CSV");
    declare_table_request(arguments, table_);
    declare_asking(arguments, asked_);
  }

  int run(Context& context) override {
    check(context);
    if (table_.asked()) return run_table(context, table_, asked_, output_.path);
    if (names_result(asked_)) {
      const Result result = open_asked(context, asked_);
      const std::vector<VertexPair> pairs = wanted(context, result);
      plan_pairs(result, pairs);
      return tell(context, {[&result]() -> const Graph& { return result.graph(); },
                            [&result](Vertex v) { return result.name(v); }, result.semiring(),
                            result.value_type(), pairs,
                            result.distances(pairs, {.memory = memory_of_labels(),
                                                     .threads = asked_.solving.machine.threads,
                                                     .control = context.control()})});
    }
    const Graph& graph = read_asked(context, asked_);
    const std::vector<VertexPair> pairs = wanted(context, graph);
    asked_.bytes_of_pairs = pairs_.empty() ? 0 : kPair * std::ssize(pairs);
    std::vector<double> distances = apsp::distances(graph, pairs, asked_.solving);
    return tell(
        context,
        {[&graph]() -> const Graph& { return graph; }, [&graph](Vertex v) { return graph.name(v); },
         asked_.solving.question.semiring, asked_.plan ? asked_.plan->value_type : ValueType::f64,
         pairs, std::move(distances)});
  }

 private:
  static constexpr std::int64_t kPair =
      56;  // bytes: the ends while they are read; place, ends, distance

  /// Depends only on --memory, so that the same pairs always give the same bits.
  std::int64_t memory_of_labels() const { return asked_.solving.machine.memory / 4; }

  /// Reads few pairs from parts of a factor; others need rows, or labels in half of the free
  /// memory.
  void plan_pairs(const Result& result, const std::vector<VertexPair>& pairs) const {
    constexpr std::int64_t kAnswer = 24;  // bytes in addition to the ends: place and distance
    constexpr std::size_t kFew = 16;
    const bool few = pairs.size() <= kFew;
    const std::int64_t most = memory_of_labels();
    const std::int64_t labels = few || result.kept() != Keep::factor ? 0
                                : most > 0                           ? most
                                           : system::available_memory() / 2;
    const std::int64_t threads = system::thread_count(asked_.solving.machine.threads);
    plan_question(result, {.what = "the distances",
                           .rows = few ? 1 : threads,
                           .bytes = kAnswer * std::ssize(pairs) + labels});
  }

  void check(const Context& context) const {
    check_table_request(context, table_, asked_, output_.path);
    if (table_.asked()) {
      refuse_if(!pairs_.empty() || !from_.empty(),
                "FROM TO, --pairs, and --sources with --targets exclude each other");
      return;
    }
    refuse_if(
        pairs_.empty() && (from_.empty() || to_.empty()),
        "FROM or TO is missing: name both vertices, a list of pairs with --pairs FILE, or the "
        "rows and columns of a table with --sources and --targets");
    refuse_if(!pairs_.empty() && !from_.empty(), "FROM TO and --pairs exclude each other");
    refuse_if(
        pairs_ == "-" && (asked_.stored.path == "-" || asked_.stored.graph == "-"),
        "standard input can hold the graph or the pairs, not both: name a file for one of them");
    if (output_.path.empty()) return;
    refuse_if(pairs_.empty(), "-o is for the distances of --pairs FILE, or of a table");
    refuse_if(
        !is_array() && !io::names_column_table(output_.path),
        "{} is neither an array nor a table: name an .npy, .csv, .csv.gz, .csv.zst or .parquet",
        output_.path);
    require_apart(output_.path, std::vector{pairs_, asked_.stored.path, asked_.stored.graph});
  }

  std::vector<VertexPair> wanted(Context& context, const Graph& graph) const {
    if (!pairs_.empty()) {
      require_reading_of_pairs(pairs_, kPair);
      return read_list(context, [&](const io::ListReading& reading) {
        return io::read_pairs(pairs_, graph, reading);
      });
    }
    return {{find_vertex(graph, from_), find_vertex(graph, to_)}};
  }

  std::vector<VertexPair> wanted(Context& context, const Result& result) const {
    if (!pairs_.empty()) return wanted(context, result.graph());
    const auto from = result.find(from_), to = result.find(to_);
    if (!from || !to) return wanted(context, result.graph());
    return {{*from, *to}};
  }

  bool is_array() const { return output_.path.ends_with(".npy"); }

  void write(Context& context, const FoundPairs& found) const {
    if (!is_array()) {
      const io::ColumnKind kind =
          found.type == ValueType::f32 ? io::ColumnKind::real32 : io::ColumnKind::real;
      return write_table(
          context, output_, found.graph(),
          {{"from", io::ColumnKind::vertex}, {"to", io::ColumnKind::vertex}, {"distance", kind}},
          [&](io::ColumnTable& table) { found.put_table(table); });
    }
    io::OutputFile file(output_.path, io::Compression::none, context.control());
    const auto count = found.distances.size();
    file.put(io::format_npy_header("<f8", fmt::format("({},)", count)),
             std::string_view(reinterpret_cast<const char*>(found.distances.data()),
                              count * sizeof(double)));
    file.commit();
    note_written(context, output_.path);
  }

  int tell(Context& context, const FoundPairs& found) const {
    if (!pairs_.empty()) write(context, found);
    if (context.json) {
      nlohmann::json answer = {{"file", asked_.stored.path},
                               {"semiring", name(found.semiring)},
                               {"value_type", name(found.type)}};
      if (output_.path.empty()) {
        answer["distances"] =
            distances_json(found.name_of, found.semiring, found.block(0, found.pairs.size()));
      } else {
        answer["pairs"] = found.pairs.size();
        answer["output"] = output_.path;
      }
      add_plan(asked_, answer);
      context.print_json(answer);
    }
    if (!pairs_.empty()) return kExitOk;
    const PairDistance only = found.at(0);
    context.print(distance_text(found.type, only.distance) + "\n");
    if (is_reachable(found.semiring, only)) return kExitOk;
    return no_path_found(context, found.graph(), only.pair.from, only.pair.to);
  }

  Asked asked_;
  TableRequest table_;
  TableOutput output_;
  std::string from_, to_, pairs_;
};

}  // namespace

VerbEntry distance_verb() {
  return {
      "distance RESULT|GRAPH FROM TO",
      "one distance, those of a list of pairs, or a table",
      "Distance: the distance from one vertex to another, of every pair of a list, or from each of "
      "some vertices to each of others, as a table. It comes from a stored result, or from a "
      "graph: by a search from each vertex FROM, or by another way that the plan finds faster for "
      "these pairs. Exit 1 if no path leads from FROM to TO.",
      {"apsp distance roads.gr 17 2093                  no result needed, one search",
       "apsp distance roads.zarr --pairs trips.npy -o distances.npy     or .csv",
       "apsp distance roads.gr --sources @homes.txt --targets @shops.txt -o od.parquet"},
      make_verb<Distance>};
}

}  // namespace apsp::cli
