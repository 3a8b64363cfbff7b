// Verbs about pairs: distance, its tables, and path.
#include <fmt/format.h>
#include <algorithm>
#include <apsp/io.hpp>
#include <apsp/path_counts.hpp>
#include <apsp/table.hpp>
#include <functional>
#include <optional>
#include <utility>

#include "base/json.hpp"
#include "cli/exit_code.hpp"
#include "cli/graph_view.hpp"
#include "cli/memory_use.hpp"
#include "cli/option_values.hpp"
#include "cli/path_output.hpp"
#include "cli/point_options.hpp"
#include "cli/table_output.hpp"
#include "cli/turn_options.hpp"
#include "cli/verb.hpp"
#include "io/npy.hpp"
#include "io/output_file.hpp"
#include "io/vertex_lists.hpp"
#include "system/machine.hpp"

namespace apsp::cli {
namespace {

/// A table of distances: --sources and --targets.
struct TableRequest {
  std::string sources, targets;
  std::string second;
  std::vector<std::string> second_columns{};  // FROM, TO, then one or more WEIGHTs
  std::string positions;
  PointOptions snapping;
  Unit unit;
  TableOptions::Layout layout = TableOptions::Layout::automatic;
  std::uint64_t seed = 1;

  bool asked() const { return !sources.empty() || !targets.empty(); }
};

Choices<TableOptions::Layout> layout_choices() {
  return {{"auto", TableOptions::Layout::automatic},
          {"long", TableOptions::Layout::tall},
          {"wide", TableOptions::Layout::wide}};
}

/// Reads the graphs of all second weights, and gives them titles.
void read_second(const TableRequest& request, const Graph& graph, ReadOptions reading,
                 const Control& control, TableOptions& options) {
  if (request.second.empty()) return;
  reading.coordinates.clear();
  reading.lengths.clear();
  reading.keep_order = true;
  if (!reading.directed) reading.directed = graph.directed();
  reading.control = control;
  const std::vector<std::string>& columns = request.second_columns;
  for (std::size_t k = 2; k < std::max<std::size_t>(columns.size(), 3); ++k) {
    if (!columns.empty()) {
      reading.weight.clear();
      reading.columns = columns_value("--second-columns",
                                      fmt::format("{},{},{}", columns[0], columns[1], columns[k]));
    }
    options.second.push_back(read_graph(request.second, reading));
    if (columns.size() > 3) options.second_titles.push_back("second " + columns[k]);
  }
}

nlohmann::json table_answer(const TableRequest& request, const Asked& asked, const Graph& graph,
                            const TableOptions& options, Semiring semiring, ValueType type,
                            const std::string& output) {
  const auto count = [&](const std::vector<Vertex>& list,
                         const std::optional<PlacedPoints>& points) {
    if (points) return std::ssize(points->places);
    return list.empty() ? graph.vertex_count() : std::ssize(list);
  };
  nlohmann::json object = {{"file", asked.stored.path},
                           {"semiring", name(semiring)},
                           {"value_type", name(type)},
                           {"sources", count(options.sources, options.source_points)},
                           {"targets", count(options.targets, options.target_points)},
                           {"output", output}};
  if (!request.second.empty()) object["second"] = request.second;
  add_plan(asked, object);
  return object;
}

/// "u,v,length,climb".
std::vector<std::string> second_columns_value(const std::string& text) {
  std::vector<std::string> columns = words_between_commas(text);
  if (columns.size() <= 3) columns_value("--second-columns", text);  // reports errors
  for (std::size_t k = 2; k < columns.size(); ++k) {
    columns_value("--second-columns", fmt::format("{},{},{}", columns[0], columns[1], columns[k]));
  }
  return columns;
}

void declare_table_request(Arguments& arguments, TableRequest& request) {
  arguments.section("Table");
  declare_vertices(arguments, request.sources, request.targets);
  choice(arguments, "--layout", layout_choices(), request.layout,
         "long: a row a pair (the default of .csv and .parquet); wide: a row a source and a column "
         "a target (always of .npy)");
  arguments.text("--second", "FILE", request.second,
                 "other weights of the same vertices and arcs, such as lengths for times: the "
                 "table also has the length of each shortest path by these. Parallel arcs must "
                 "come in the same order in both files");
  arguments.value(
      "--second-columns", "FROM,TO,WEIGHT,…",
      [&request](const std::string& text) { request.second_columns = second_columns_value(text); },
      "columns of --second by number or title; each WEIGHT is summed; default: as of the graph");
  parsed(arguments, "--seed", "N", seed_value, request.seed, "for random:K; default: 1");
}

/// Throws `Error` (usage) for options that exclude each other. `output`: the file; empty: standard
/// output.
void check_table_request(const Context& context, const TableRequest& request, const Asked& asked,
                         const std::string& output) {
  if (!request.asked()) {
    for (const char* const option : {"--layout", "--second", "--second-columns", "--seed"}) {
      refuse_if(context.gave(option),
                "{} is for a table: name its rows and columns with --sources and --targets",
                option);
    }
    return;
  }
  refuse_if(!request.second_columns.empty() && request.second.empty(),
            "--second-columns is for the file of --second");
  refuse_if(context.json && output.empty(), "--json prints no table: name a file for it with -o");
  require_apart(output, std::vector{request.second, file_of(request.sources),
                                    file_of(request.targets), asked.stored.path, asked.stored.graph,
                                    asked.stored.reading.coordinates, request.positions});
}

const std::string& positions_of(const TableRequest& request, const Asked& asked) {
  return request.positions.empty() ? asked.stored.reading.coordinates : request.positions;
}

int run_table(Context& context, const TableRequest& request, Asked& asked,
              const std::string& output) {
  const std::string path = output.empty() ? "-" : output;
  const Control control = context.control();
  const auto options_for = [&](const Graph& graph) {
    TableOptions options;
    PointReader reader(context, graph, request.snapping, positions_of(request, asked));
    const auto choose = [&](const char* option, const std::string& list,
                            std::vector<Vertex>& vertices, std::optional<PlacedPoints>& points) {
      points = reader.points(file_of(list));
      if (!points) vertices = chosen_vertices({option, list}, graph, request.seed, &context);
    };
    choose("--sources", request.sources, options.sources, options.source_points);
    choose("--targets", request.targets, options.targets, options.target_points);
    reader.require_used();
    options.layout = request.layout;
    options.unit = request.unit.text;
    read_second(request, graph, asked.stored.reading, control, options);
    return options;
  };
  const auto tell = [&](const Graph& graph, const TableOptions& options, Semiring semiring,
                        ValueType type) {
    if (!output.empty()) note_written(context, output);
    if (context.json) {
      context.print_json(table_answer(request, asked, graph, options, semiring, type, output));
    }
    return kExitOk;
  };
  asked.stored.reading.keep_order = !request.second.empty();
  if (names_result(asked)) {
    const PairsOptions asking{.threads = asked.solving.machine.threads, .control = control};
    const Result result = open_asked(context, asked);
    const TableOptions options = options_for(result.graph());
    Context::let_write([&] { apsp::write_table(result, path, options, asking); });
    return tell(result.graph(), options, result.semiring(), result.value_type());
  }
  const Graph& graph = read_asked(context, asked);
  const TableOptions options = options_for(graph);
  Context::let_write([&] { apsp::write_table(graph, path, options, asked.solving); });
  return tell(graph, options, asked.solving.question.semiring,
              asked.plan ? asked.plan->value_type : ValueType::f64);
}

/// Writes the distances of pairs of points. `distances` answers pairs of vertices.
int run_point_pairs(
    Context& context, const TableOutput& output, const Asked& asked, const Graph& graph,
    const PlacedPairs& pairs, const Unit& unit,
    const std::function<std::vector<double>(std::span<const VertexPair>)>& distances) {
  const std::vector<double> found =
      place_distances(graph, pairs.from.places, pairs.to.places, distances);
  io::Columns columns;
  columns.add("from", pairs.from.points.names.data());
  columns.add("to", pairs.to.points.names.data());
  columns.add(with_unit("distance", unit), found.data());
  add_walks("from_walk", pairs.from, columns);
  add_walks("to_walk", pairs.to, columns);
  add_point_columns(pairs.from.points, columns);
  write_table(context, output, graph, columns.titles,
              [&](io::ColumnTable& table) { table.put(std::ssize(found), columns.cells); });
  if (context.json) {
    nlohmann::json object = {
        {"file", asked.stored.path}, {"pairs", found.size()}, {"output", output_json(output)}};
    add_plan(asked, object);
    context.print_json(object);
  }
  return kExitOk;
}

struct FoundPairs {
  std::function<const Graph&()> graph;  // reads a result's graph on the first call
  std::function<std::string(Vertex)> name_of;
  Semiring semiring;
  ValueType type;
  const std::vector<VertexPair>& pairs;
  std::vector<double> distances;

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
    arguments.rare();
    arguments.text("--positions", "FILE", table_.positions,
                   "where vertices are, for points in lists; default: the file of --coordinates");
    declare_points(arguments, table_.snapping);
    declare_unit(arguments, table_.unit);
  }

  int run(Context& context) override {
    set_positions(table_.positions, asked_.stored.reading, asked_.stored.path);
    check(context);
    if (table_.asked()) return run_table(context, table_, asked_, output_.path);
    if (names_result(asked_)) {
      const Result result = open_asked(context, asked_);
      const PairsOptions asking{.memory = memory_of_labels(),
                                .threads = asked_.solving.machine.threads,
                                .control = context.control()};
      if (const auto points =
              wanted_points(context, [&]() -> const Graph& { return result.graph(); })) {
        return run_point_pairs(context, output_, asked_, result.graph(), *points, table_.unit,
                               [&](std::span<const VertexPair> pairs) {
                                 plan_pairs(result, pairs);
                                 return result.distances(pairs, asking);
                               });
      }
      const std::vector<VertexPair> pairs = wanted(context, result);
      plan_pairs(result, pairs);
      return tell(context, {[&result]() -> const Graph& { return result.graph(); },
                            [&result](Vertex v) { return result.name(v); }, result.semiring(),
                            result.value_type(), pairs,
                            result.distances(arrivals_of(result, pairs), asking)});
    }
    const Graph& graph = read_asked(context, asked_);
    if (const auto points = wanted_points(context, [&]() -> const Graph& { return graph; })) {
      return run_point_pairs(context, output_, asked_, graph, *points, table_.unit,
                             [&](std::span<const VertexPair> pairs) {
                               asked_.bytes_of_pairs = kPair * std::ssize(pairs);
                               return apsp::distances(graph, pairs, asked_.solving);
                             });
    }
    const std::vector<VertexPair> pairs = wanted(context, graph);
    asked_.bytes_of_pairs = pairs_.empty() ? 0 : kPair * std::ssize(pairs);
    std::vector<double> distances = apsp::distances(graph, arrivals(graph, pairs), asked_.solving);
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
  void plan_pairs(const Result& result, std::span<const VertexPair> pairs) const {
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
    require_apart(output_.path,
                  std::vector{pairs_, asked_.stored.path, asked_.stored.graph, table_.positions});
  }

  /// Points in --pairs, if its table is one of points.
  std::optional<PlacedPairs> wanted_points(Context& context,
                                           const std::function<const Graph&()>& graph) const {
    const std::string& positions = positions_of(table_, asked_);
    if (pairs_.empty() || (positions.empty() && !table_.snapping.snap)) return std::nullopt;
    PointReader reader(context, graph(), table_.snapping, positions);
    auto found = reader.pairs(pairs_);
    reader.require_used();
    return found;
  }

  /// Does not read the graph of a result whose vertices have no names, which has no turns.
  static std::vector<VertexPair> arrivals_of(const Result& result,
                                             const std::vector<VertexPair>& pairs) {
    return result.first_id() ? pairs : arrivals(result.graph(), pairs);
  }

  std::vector<VertexPair> wanted(Context& context, const Graph& graph) const {
    if (!pairs_.empty()) {
      require_reading_of_pairs(pairs_, kPair);
      return read_list(context, io::read_pairs, pairs_, graph);
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
      return write_table(context, output_, found.graph(),
                         {{"from", io::ColumnKind::vertex},
                          {"to", io::ColumnKind::vertex},
                          {with_unit("distance", table_.unit), kind}},
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
            distances_json(found.name_of, found.semiring, found.pairs, found.distances);
      } else {
        answer["pairs"] = found.pairs.size();
        answer["output"] = output_.path;
      }
      add_plan(asked_, answer);
      context.print_json(answer);
    }
    if (!pairs_.empty()) return kExitOk;
    const VertexPair& only = found.pairs.front();
    context.print(distance_text(found.type, found.distances.front()) + "\n");
    if (is_reachable(found.semiring, only, found.distances.front())) return kExitOk;
    return no_path_found(context, found.graph(), only.from, only.to);
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
      {"apsp distance roads.csv Aachen Dortmund      no result needed, one search",
       "apsp distance roads.zarr --pairs trips.csv -o distances.csv     or .npy",
       "apsp distance roads.csv --sources Aachen,Bonn --targets @hospitals.txt"},
      make_verb<Distance>};
}

namespace {

class Path : public Verb {
 public:
  void declare(Arguments& arguments) override {
    declare_asked(arguments, asked_);
    arguments.positional("FROM", from_, "where the path begins: the name of a vertex");
    arguments.positional("TO", to_, "where the path ends: the name of a vertex");
    arguments.section("Options");
    arguments.flag("--via", via_,
                   "build the path from the intermediate vertices that solve --via stored, not "
                   "from the distances");
    arguments.flag("--names", names_, "print only the names of the vertices, one on each line");
    arguments.flag("--count", count_, "print only the number of shortest paths");
    arguments.text("-o,--output", "OUT.geojson", map_.path,
                   "the path as a line on a map, .geojson or .geo.parquet, instead of the table");
    declare_positions(arguments, map_, "a map");
    declare_asking(arguments, asked_);
  }

  int run(Context& context) override {
    refuse_if(!map_.path.empty() && !map_.is_map(),
              "{} is not a map: name an OUT.geojson or OUT.geo.parquet, or redirect the output "
              "for a table",
              map_.path);
    check_table(map_, asked_.stored.reading, {asked_.stored.path, asked_.stored.graph});
    const Result result = names_result(asked_) ? open_asked(context, asked_) : search(context);
    if (names_result(asked_)) plan_question(result, {.what = "the path", .rows = 2, .trees = 1});
    const Graph& graph = result.graph();
    const Vertex s = find_vertex(graph, from_);
    const Vertex named = find_vertex(graph, to_), t = arrivals(graph, std::vector{named}).front();
    if (via_ && !result.has_via()) refuse_via();
    const std::vector<Vertex> path = via_ ? result.path_by_via(s, t) : result.path(s, t);
    refuse_if(count_ && result.semiring() != Semiring::min_plus,
              "--count is for shortest paths: leave it out with {}", name(result.semiring()));
    std::optional<std::uint64_t> count;
    if (count_)
      count = path_counts(graph, {.sources = {s}, .targets = {t}, .control = context.control()})[0];
    if (context.json) context.print_json(answer(result, s, t, path, count));
    if (path.empty()) return no_path_found(context, graph, s, named);
    if (map_.is_map()) return write_map_of(context, result, path);
    if (count) {
      context.print(fmt::format("{}\n", *count));
    } else if (names_) {
      for (const Vertex v : places_of(graph, path)) context.print(graph.name(v) + "\n");
    } else {
      context.print(path_text(result, path, context.out()));
    }
    return kExitOk;
  }

 private:
  int write_map_of(Context& context, const Result& result, const std::vector<Vertex>& path) const {
    const Graph& graph = result.graph();
    const double distance = result.distance(path.front(), path.back());
    const std::int64_t edges = std::ssize(places_of(graph, path)) - 1;
    io::Columns row;
    row.add("from", &path.front());
    row.add("to", &path.back());
    row.add("distance", &distance);
    row.add("edges", &edges);
    write_map(context, map_, asked_.stored.reading, graph, row.titles,
              [&](MapFile& map) { map.line(path, row.cells); });
    return kExitOk;
  }
  Result search(Context& context) {
    if (via_) refuse_via();
    const Graph& graph = read_asked(context, asked_);
    asked_.solving.question.sources = {find_vertex(graph, from_)};
    find_vertex(graph, to_);  // reports unknown names before the search
    return solve(graph, asked_.solving);
  }
  [[noreturn]] void refuse_via() const {
    throw usage_error(
        "{} holds no intermediate vertices: solve with --via and -o OUT.zarr to keep them; without "
        "--via, path needs none",
        asked_.stored.path);
  }
  nlohmann::json answer(const Result& result, Vertex s, Vertex t, const std::vector<Vertex>& path,
                        const std::optional<std::uint64_t>& count) const {
    nlohmann::json object = path_json(result, path);
    if (count) object["count"] = *count;
    object["from"] = result.graph().name(s);
    object["to"] = to_;
    object["semiring"] = name(result.semiring());
    object["reachable"] = !path.empty();
    const bool valued = !path.empty() && result.semiring() != Semiring::or_and;
    object["distance"] = valued ? nlohmann::json(result.distance(s, t)) : nlohmann::json();
    add_plan(asked_, object);
    return object;
  }

  Asked asked_;
  std::string from_;
  std::string to_;
  TableOutput map_;
  bool names_ = false;
  bool via_ = false;
  bool count_ = false;
};

}  // namespace

VerbEntry path_verb() {
  return {"path RESULT|GRAPH FROM TO",
          "one shortest path, hop by hop, with its length",
          "Path: one best path between two vertices of a solved graph, or of a graph that is then "
          "searched. Among several best paths it is the one with fewest edges, the same on every "
          "machine. With --via it is the path that the solve found, from its intermediate vertices "
          "(Katz and Kider 2008). Exit 1 if no path leads from FROM to TO.",
          {"apsp path roads.zarr Aachen Dortmund",
           "apsp path roads.csv Aachen Dortmund              no result needed, one search",
           "apsp path roads.zarr Bonn Essen --names | sort   only names"},
          make_verb<Path>};
}

}  // namespace apsp::cli
