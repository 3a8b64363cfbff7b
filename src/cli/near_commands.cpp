// Verbs about what is near: nearest, access and solve --within.
#include "cli/near_commands.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <apsp/near.hpp>
#include <numeric>
#include <optional>
#include <set>
#include <span>

#include "api/json.hpp"
#include "base/json.hpp"
#include "base/units.hpp"
#include "cli/exit_code.hpp"
#include "cli/graph_options.hpp"
#include "cli/graph_view.hpp"
#include "cli/leftovers.hpp"
#include "cli/option_values.hpp"
#include "cli/path_output.hpp"
#include "cli/point_options.hpp"
#include "cli/solve_request.hpp"
#include "cli/solve_view.hpp"
#include "cli/table_output.hpp"
#include "cli/turn_options.hpp"
#include "cli/verb.hpp"
#include "graph/vertex_states.hpp"
#include "io/vertex_lists.hpp"
#include "store/selection.hpp"
#include "store/store.hpp"
#include "system/memory_limit.hpp"

namespace apsp::cli {
namespace {

template <class F>
void for_each_source(const NearOptions& options, const SparseDistances& pairs, const F& row) {
  for (std::size_t i = 0; i + 1 < pairs.row_begin.size(); ++i) {
    const Vertex source = options.sources.empty() ? static_cast<Vertex>(i) : options.sources[i];
    const auto begin = static_cast<std::size_t>(pairs.row_begin[i]);
    const auto count = static_cast<std::size_t>(pairs.row_begin[i + 1]) - begin;
    row(source, std::span(pairs.targets).subspan(begin, count),
        std::span(pairs.distances).subspan(begin, count));
  }
}

/// Sources on streets, which are vertices beyond those of the graph.
using OnStreets = std::optional<PlacedPoints>;

/// The graph of the paths from the sources, or to them.
Graph graph_along(const Graph& graph, const OnStreets& points, bool from) {
  if (!points) return from ? graph : reversed(graph);
  return from ? with_places(graph, points->places, {})
              : reversed(with_places(graph, {}, points->places));
}

void put_pairs(io::ColumnTable& table, const NearOptions& options, const SparseDistances& pairs) {
  table.expect_rows(std::ssize(pairs.targets));
  for_each_source(options, pairs, [&](Vertex source, auto targets, auto distances) {
    const io::ColumnValues values[] = {io::Stepped<Vertex>{&source, 0},
                                       io::Stepped<Vertex>{targets.data()},
                                       io::Stepped<double>{distances.data()}};
    table.put(std::ssize(targets), values);
  });
}

/// Maps what is near the sources, in one direction or both: a row for each source and limit.
/// Returns the pairs, counted together.
SparseDistances map_streets(Context& context, const Graph& graph, std::span<const double> limits,
                            Directions directions, const OnStreets& points,
                            const NearOptions& options, const TableOutput& output,
                            const ReadOptions& reading) {
  SparseDistances found;
  Vertex place = 0;
  std::string direction;
  double within_limit = 0;
  std::int64_t vertices = 0;
  io::Columns row;
  row.add("source", &place);
  row.add("direction", &direction);
  row.add("within", &within_limit);
  row.add("vertices", &vertices);
  const auto put = [&](MapFile& map, Vertex source, auto targets, auto distances) {
    place = source;
    for (const double limit : limits) {
      std::vector<Vertex> near;
      std::vector<double> apart;
      for (std::size_t i = 0; i < targets.size(); ++i) {
        if (distances[i] > limit) continue;
        near.push_back(targets[i]);
        apart.push_back(distances[i]);
      }
      within_limit = limit;
      vertices = std::ssize(near) + 1;
      map.reached(source, limit, near, apart, row.cells);
    }
  };
  const auto draw = [&](MapFile& map) {
    if (points) map.add(*points);
    for (const bool from : {true, false}) {
      if (from ? !directions.from : !directions.to) continue;
      direction = from ? "from" : "to";
      const Graph along = graph_along(graph, points, from);
      SparseDistances pairs = within(along, *std::ranges::max_element(limits), options);
      map.follow(along);
      for_each_source(options, pairs, [&](Vertex source, auto targets, auto distances) {
        put(map, source, targets, distances);
      });
      const std::size_t earlier = found.targets.size();
      found = std::move(pairs);
      found.targets.resize(found.targets.size() + earlier);
    }
  };
  write_map(
      context, output, reading, graph, row.titles, draw,
      points ? std::span<const std::string>(points->points.names) : std::span<const std::string>());
  return found;
}

/// Pairs of vertices of a graph with turns from those of its states: paths end at ends.
SparseDistances pairs_of_vertices(const graph::VertexStates& states, const NearOptions& options,
                                  const SparseDistances& pairs) {
  SparseDistances found = {.vertices = states.vertices(),
                           .row_begin = {0},
                           .targets = {},
                           .distances = {},
                           .algorithm = pairs.algorithm,
                           .on_device = pairs.on_device};
  for_each_source(options, pairs, [&](Vertex source, auto targets, auto distances) {
    std::vector<std::pair<Vertex, double>> row;
    for (std::size_t i = 0; i < targets.size(); ++i) {
      const Vertex v = states.vertex_of(targets[i]);
      if (v != source && states.end(v) == targets[i]) row.emplace_back(v, distances[i]);
    }
    std::ranges::sort(row);
    for (const auto& [v, distance] : row) {
      found.targets.push_back(v);
      found.distances.push_back(distance);
    }
    found.row_begin.push_back(std::ssize(found.targets));
  });
  return found;
}

int tell_verified(Context& context, const VerifyReport& report, nlohmann::json& object) {
  context.print(verify_text(report, context.out()));
  object["verification"] = api::to_json(report);
  return report.passed ? kExitOk : kExitNegativeAnswer;
}

/// Finds and writes all pairs at most the greatest limit apart. Returns the exit code.
int write_near(Context& context, const Graph& graph, std::span<const double> limits,
               Directions directions, const OnStreets& points, const NearOptions& options,
               const TableOutput& output, const SolveRequest& request) {
  const double limit = *std::ranges::max_element(limits);
  const Graph along = graph_along(graph, points, true);
  SparseDistances pairs = output.is_map() ? map_streets(context, graph, limits, directions, points,
                                                        options, output, request.reading)
                                          : within(along, limit, options);
  const graph::VertexStates states(graph);
  if (states.has_turns()) pairs = pairs_of_vertices(states, options, pairs);
  context.note(fmt::format(
      "{} at most {} apart, by {}{}", base::counted(std::ssize(pairs.targets), "pair", "pairs"),
      base::format_value(limit), name(pairs.algorithm), pairs.on_device ? " on a GPU" : ""));
  if (output.path.ends_with(".npz")) {
    pairs.vertices = graph.vertex_count();
    write_npz(pairs, output.path, context.control());
    pairs.vertices = along.vertex_count();
    note_written(context, output.path);
  } else if (store::is_zarr(output.path)) {
    clean_beside(context, output.path);
    Context::let_write(
        [&] { write_zarr(pairs, graph, limit, options.sources, output.path, context.control()); });
    note_written(context, output.path);
  } else if (!output.is_map()) {
    write_table(
        context, output, graph,
        {{"from", io::ColumnKind::vertex}, {"to", io::ColumnKind::vertex}, {"distance"}},
        [&](io::ColumnTable& table) { put_pairs(table, options, pairs); },
        points ? std::span<const std::string>(points->points.names)
               : std::span<const std::string>());
  }
  nlohmann::json object = {{"limit", limit},
                           {"pairs", pairs.targets.size()},
                           {"sources", pairs.row_begin.size() - 1},
                           {"algorithm", name(pairs.algorithm)},
                           {"on_device", pairs.on_device},
                           {"output", output_json(output)}};
  int code = kExitOk;
  if (request.verify) {
    const VerifyReport report =
        verify(pairs, along, limit, options.sources, {.control = context.control()});
    code = tell_verified(context, report, object);
  }
  if (context.json) context.print_json(object);
  return code;
}

}  // namespace

Choices<Directions> direction_choices() {
  return {{"from", {true, false}}, {"to", {false, true}}, {"both", {true, true}}};
}

int run_within(Context& context, const SolveRequest& request, std::vector<double> limits,
               Directions directions, const TableOutput& map, const PointOptions& snapping) {
  for (const double limit : limits) {
    refuse_if(!(limit >= 0), "--within takes distances of at least 0, not {}", limit);
  }
  TableOutput output{request.solving.storage.output, map.positions, map.geometry};
  std::set<std::string> used = {"--within",   "--direction", "--output",  "--positions",
                                "--geometry", "--unit",      "--sources", "--seed",
                                "--verify",   "--algorithm", "--device",  "--threads",
                                "--memory",   "--plan",      "--snap",    "--snap-limit"};
  used.merge(reading_options());
  context.refuse_others(used,
                        "has no effect on --within, which finds only near pairs: leave it out");
  refuse_if(!output.is_map() && (limits.size() > 1 || directions.to),
            "several limits and --direction are for a map: name an OUT.geojson or OUT.geo.parquet");
  refuse_if(request.verify && directions.to, "--verify checks pairs from the sources only");
  refuse_if(context.launch != nullptr, "--within is for one process: start apsp without mpirun");
  const std::vector<std::string> inputs = {request.graph, file_of(request.sources)};
  if (!output.path.ends_with(".npz") && !store::is_zarr(output.path)) {
    refuse_if(!output.path.empty() && !output.is_map() && !io::names_column_table(output.path),
              "{} is not a file of sparse distances: name an .npz for SciPy, a .zarr, a .csv, a "
              ".parquet, a .geojson or a .geo.parquet",
              output.path);
    check_table(output, request.reading, inputs, !file_of(request.sources).empty());
  } else {
    refuse_if(
        (!output.positions.empty() && file_of(request.sources).empty()) || !output.geometry.empty(),
        "--positions and --geometry are for a map: name an OUT.geojson or OUT.geo.parquet");
    require_apart(output.path, inputs);
    require_apart(output.path, std::vector{request.reading.coordinates});
  }
  system::limit_memory(request.solving.machine.memory);
  const Graph& graph = read_for(context, request.graph, request.reading);
  if (output.is_map() || request.verify ||
      !(output.path.empty() || io::names_column_table(output.path)))
    require_no_turns(graph, "--within to another output than a table, or with --verify,");
  context.note(graph_line(graph, request.graph, context.err()));
  NearOptions options{.algorithm = request.solving.method.algorithm,
                      .device = request.solving.machine.device,
                      .device_ordinals = request.solving.machine.device_ordinals,
                      .threads = request.solving.machine.threads,
                      .control = context.control()};
  PointReader reader(context, graph, snapping, positions_of(output, request.reading));
  OnStreets points = reader.points(file_of(request.sources));
  reader.require_used();
  if (points && snapping.snap == Snap::arc) {
    refuse_if(store::is_zarr(output.path),
              "{} keeps the graph and sources that are its vertices, not places on arcs: name an "
              ".npz, or take --snap vertex",
              output.path);
    options.sources.resize(points->places.size());
    std::iota(options.sources.begin(), options.sources.end(),
              static_cast<Vertex>(graph.vertex_count()));
    return write_near(context, graph, limits, directions, points, options, output, request);
  }
  if (points) {
    for (const Place& place : points->places) options.sources.push_back(place.from);
    std::ranges::sort(options.sources);
    options.sources.erase(std::unique(options.sources.begin(), options.sources.end()),
                          options.sources.end());
  } else {
    options.sources =
        chosen_vertices({"--sources", request.sources}, graph, request.seed, &context);
  }
  return write_near(context, graph, limits, directions, {}, options, output, request);
}

namespace {

class Nearest : public Verb {
 public:
  void declare(Arguments& arguments) override {
    declare_network(arguments, network_);
    arguments.text("--to", "LIST|@FILE", places_,
                   "the places: names of vertices separated by commas, or a file with one on each "
                   "line; with the titles `vertex,name` the names go into the table");
    parsed(arguments, "-k,--count", "K", at_least<1>, count_,
           "how many places of each vertex; default: 1");
    arguments.text("--within", "D", within_, "only places at most D away; default: however far");
    arguments.flag("--from-places", from_places_,
                   "along paths from a place to each vertex, where directions differ; default: "
                   "from each vertex to a place");
    arguments.flag("--verify", verify_,
                   "check the places by their properties, without a search; exit 1 if it fails");
    declare_table(arguments, output_);
    declare_points(arguments, snapping_);
    declare_unit(arguments, unit_);
    declare_run(arguments, network_.reading);
  }

  int run(Context& context) override {
    refuse_if(places_.empty(),
              "--to is missing: name the places, or a file of them with --to @FILE");
    if (context.gave("--within")) limit_ = quantity("--within", within_, unit_);
    refuse_if(limit_ && !(*limit_ >= 0), "--within takes a distance of at least 0, not {}",
              within_);
    check_table(output_, network_.reading, {network_.path, file_of(places_)},
                !file_of(places_).empty());
    const Graph& whole = read_network(context, network_);
    PointReader reader(context, whole, snapping_, positions_of(output_, network_.reading));
    points_ = reader.points(file_of(places_));
    reader.require_used();
    std::vector<Vertex> places;
    std::optional<Graph> with_points;  // if places are on streets
    if (!points_) {
      places = chosen_vertices({"--to", places_}, whole, 1, &context, &names_);
    } else if (are_vertices(points_->places)) {
      for (const Place& place : points_->places) places.push_back(place.from);
    } else {
      using Places = std::span<const Place>;
      with_points = with_places(whole, from_places_ ? Places(points_->places) : Places(),
                                from_places_ ? Places() : Places(points_->places));
      places.resize(points_->places.size());
      std::iota(places.begin(), places.end(), static_cast<Vertex>(whole.vertex_count()));
    }
    if (!from_places_) places = arrivals(whole, std::move(places));
    const Graph& graph = with_points ? *with_points : whole;
    const Towards towards = from_places_ ? Towards::vertices : Towards::places;
    const NearestPlaces all = nearest(graph, places, count_, towards, context.control());
    const NearestPlaces found = near_enough(of_vertices(whole, all));
    write(context, whole, places, found);
    nlohmann::json object = {{"vertices", found.places.size() / static_cast<std::size_t>(count_)},
                             {"places", places.size()},
                             {"count", count_},
                             {"without_place", without_place(found)},
                             {"output", output_json(output_)}};
    int code = kExitOk;
    if (verify_) {
      const VerifyReport report =
          verify(all, graph, places, towards, {.control = context.control()});
      code = tell_verified(context, report, object);
    }
    if (context.json) context.print_json(object);
    return code;
  }

 private:
  void write(Context& context, const Graph& graph, const std::vector<Vertex>& places,
             const NearestPlaces& found) const {
    io::Columns columns;
    columns.titles = {{"vertex", io::ColumnKind::vertex},
                      {"rank", io::ColumnKind::whole},
                      {"place", points_ ? io::ColumnKind::text : io::ColumnKind::vertex},
                      {with_unit("distance", unit_)}};
    if (!names_.empty()) columns.titles.push_back({"name", io::ColumnKind::text});
    if (points_) {  // cells are those of all points; a row has those of its place
      add_walks("walk", *points_, columns);
      add_point_columns(points_->points, columns);
    }
    const std::size_t answers = found.places.size();
    const auto produce = [&](const PutRows& put) {
      for (std::size_t i = 0; i < answers; ++i) {
        if (found.places[i] == NearestPlaces::kNone) continue;
        const auto place = static_cast<std::size_t>(found.places[i]);
        const auto at = std::div(static_cast<std::int64_t>(i), found.count);
        const auto vertex = static_cast<Vertex>(at.quot);
        const std::int64_t rank = at.rem + 1;
        std::vector<io::ColumnValues> values = {
            io::Stepped<Vertex>{&vertex}, io::Stepped<std::int64_t>{&rank},
            io::Stepped<Vertex>{&places[place]}, io::Stepped<double>{&found.distances[i]}};
        if (points_) values[2] = io::Stepped<std::string>{&points_->points.names[place]};
        if (!names_.empty()) values.push_back(io::Stepped<std::string>{&names_[place]});
        for (const io::ColumnValues& of : columns.cells) {
          std::visit(
              [&](auto all) {
                all.first += all.step * static_cast<std::int64_t>(place);
                values.emplace_back(all);
              },
              of);
        }
        put(1, values);
      }
    };
    write_rows(context, output_, network_.reading, graph, columns.titles,
               static_cast<std::int64_t>(answers), produce);
  }

  NearestPlaces near_enough(NearestPlaces found) const {
    for (std::size_t i = 0; limit_ && i < found.places.size(); ++i) {
      if (found.distances[i] > *limit_) found.places[i] = NearestPlaces::kNone;
    }
    return found;
  }

  /// It leaves out the answers of turn states and places.
  NearestPlaces of_vertices(const Graph& graph, const NearestPlaces& all) const {
    const graph::VertexStates states(graph);
    const std::int64_t k = all.count;
    NearestPlaces found{.count = k, .places = {}, .distances = {}};
    found.places.resize(static_cast<std::size_t>(states.vertices() * k));
    found.distances.resize(found.places.size());
    for (Vertex v = 0; v < states.vertices(); ++v) {
      const std::int64_t first = (from_places_ ? states.end(v) : v) * k;
      std::copy_n(all.places.begin() + first, k, found.places.begin() + v * k);
      std::copy_n(all.distances.begin() + first, k, found.distances.begin() + v * k);
    }
    return found;
  }

  static std::int64_t without_place(const NearestPlaces& found) {
    std::int64_t vertices = 0;
    for (std::size_t i = 0; i < found.places.size(); i += static_cast<std::size_t>(found.count)) {
      vertices += found.places[i] == NearestPlaces::kNone;
    }
    return vertices;
  }

  StoredResult network_;
  TableOutput output_;
  std::string places_;
  std::vector<std::string> names_;  ///< [places] if the list has names, else empty
  PointOptions snapping_;
  std::optional<PlacedPoints> points_;
  Unit unit_;
  std::int64_t count_ = 1;
  std::string within_;
  std::optional<double> limit_;
  bool from_places_ = false, verify_ = false;
};

}  // namespace

VerbEntry nearest_verb() {
  return {"nearest GRAPH --to PLACES",
          "the nearest places of every vertex",
          "Nearest: for every vertex the K nearest of some places, with distances, as a table. "
          "Places at the same distance come in the order of the list.",
          {"apsp nearest roads.csv --to @hospitals.txt -k 2 -o nearest.csv",
           "apsp nearest roads.csv --to Cologne,Essen --from-places     from fire stations",
           "apsp nearest roads.zarr --to @hospitals.txt -o a.geojson --positions towns.csv"},
          make_verb<Nearest>};
}

namespace {

/// "exp:600", "exp:10min", "linear".
Decay decay_value(const std::string& option, const std::string& text, const Unit& unit) {
  constexpr std::pair<std::string_view, Decay::Kind> kScaled[] = {
      {"exp:", Decay::Kind::exponential},
      {"gaussian:", Decay::Kind::gaussian},
      {"power:", Decay::Kind::power}};
  if (text == "none") return {};
  if (text == "linear") return {Decay::Kind::linear, 1};
  for (const auto& [word, kind] : kScaled) {
    if (!text.starts_with(word)) continue;
    const std::string number = text.substr(word.size());
    const double scale =
        kind == Decay::Kind::power ? real_value(option, number) : quantity(option, number, unit);
    if (scale > 0) return {kind, scale};
  }
  throw usage_error(
      "{}: '{}' is not a decay; choose none, linear, exp:SCALE, gaussian:SCALE or power:EXPONENT, "
      "with numbers above 0",
      option, text);
}

/// Moves quantities to where paths end, which is another vertex in a graph of turn states.
void move_to_ends(const Graph& graph, std::vector<double>& quantities) {
  const graph::VertexStates states(graph);
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  for (std::size_t first = 0; first < quantities.size(); first += n) {
    for (Vertex v = 0; v < states.vertices(); ++v) {
      std::swap(quantities[first + v], quantities[first + states.end(v)]);
    }
  }
}

class Access : public Verb {
 public:
  void declare(Arguments& arguments) override {
    declare_network(arguments, network_);
    arguments.text("--weights", "FILE", weights_,
                   "what can be reached: a table of vertices and quantities, such as jobs; the "
                   "column titled vertex, node, id or name, else the first one, names vertices; "
                   "rows of one vertex are added up");
    arguments.text("--within", "D1,D2,…", within_,
                   "the greatest distances: a sum is made for each of them");
    arguments.text(
        "--decay", "none|linear|exp:S|gaussian:S|power:E", decay_text_,
        "how much counts at a distance d: all, 1 - d / D, exp(-d / S), exp(-(d / S)^2 / 2), or "
        "d^-E and all up to the distance 1; default: none");
    choice(arguments, "--direction", direction_choices(), directions_,
           "what can be reached from a vertex, from where it can be reached, or both as columns of "
           "their own; default: from");
    arguments.text("--sources", "LIST|@FILE|random:K", sources_,
                   "only from these vertices; default: all");
    parsed(arguments, "--seed", "N", seed_value, seed_, "for random:K; default: 1");
    declare_table(arguments, output_);
    declare_points(arguments, snapping_);
    declare_unit(arguments, unit_);
    declare_run(arguments, network_.reading, &options_.threads);
  }

  int run(Context& context) override {
    refuse_if(weights_.empty(), "--weights is missing: name a table of vertices and quantities");
    refuse_if(within_.empty(),
              "--within is missing: how far may a path be? For example --within 900");
    auto [limits, words] = limits_value("--within", within_, unit_);
    limits_ = std::move(limits);
    words_ = std::move(words);
    decay_ = decay_value("--decay", decay_text_, unit_);
    check_table(output_, network_.reading, {network_.path, weights_, file_of(sources_)}, true);
    const Graph& graph = read_network(context, network_);
    options_.control = context.control();
    PointReader reader(context, graph, snapping_, positions_of(output_, network_.reading));
    from_ = reader.points(file_of(sources_));
    const std::optional<PlacedPoints> weighted = reader.points(weights_);
    reader.require_used();
    refuse_if(from_ && output_.is_map(),
              "a map has sums of vertices, and the sources are points: name a .csv or a .parquet");
    if (!from_) options_.sources = chosen_vertices({"--sources", sources_}, graph, seed_, &context);
    io::VertexQuantities table = weighted
                                     ? quantities_of(context, *weighted)
                                     : read_list(context, io::read_quantities, weights_, graph);
    std::vector<std::vector<double>> sums;
    if (directions_.to) sums.push_back(sums_of(graph, table, weighted, false));
    if (!weighted) move_to_ends(graph, table.values);
    if (directions_.from) sums.insert(sums.begin(), sums_of(graph, table, weighted, true));
    write(context, graph, table.titles, sums);
    if (context.json) {
      context.print_json({{"sources", sums.front().size() / (limits_.size() * table.titles.size())},
                          {"limits", limits_},
                          {"columns", table.titles},
                          {"output", output_json(output_)}});
    }
    return kExitOk;
  }

 private:
  /// The columns of numbers, [columns, points].
  io::VertexQuantities quantities_of(Context& context, const PlacedPoints& weighted) const {
    io::VertexQuantities table;
    for (const PointColumn& column : weighted.points.columns) {
      std::string unused = column.title.empty() ? "a column without a title is not used"
                                                : io::remark_if_unused(column.title, 1);
      if (!column.texts.empty()) {
        unused = fmt::format("the column '{}' has texts and is not added up", column.title);
      }
      if (!unused.empty()) {
        context.note(weights_ + ": " + unused);
        continue;
      }
      table.titles.push_back(column.title);
      table.values.insert(table.values.end(), column.numbers.begin(), column.numbers.end());
    }
    refuse_if(table.titles.empty(), "{} has no column of quantities next to the points", weights_);
    return table;
  }

  /// Sums over the vertices and points within each limit, by paths from the sources or to them.
  /// `table`: of vertices, or of the points.
  std::vector<double> sums_of(const Graph& graph, const io::VertexQuantities& table,
                              const std::optional<PlacedPoints>& weighted,
                              bool from_sources) const {
    NearOptions options = options_;
    if (!from_ && !weighted) {
      if (from_sources) return access(graph, table.values, limits_, decay_, options);
      options.sources = arrivals(graph, std::move(options.sources));  // where paths to them end
      return access(reversed(graph), table.values, limits_, decay_, options);
    }
    std::vector<Place> from, to;
    if (from_) from = from_->places;
    if (weighted) to = weighted->places;
    const Graph whole =
        from_sources ? with_places(graph, from, to) : reversed(with_places(graph, to, from));
    const auto n = static_cast<std::size_t>(graph.vertex_count());
    const auto all = static_cast<std::size_t>(whole.vertex_count());
    const std::size_t given = weighted ? to.size() : n;
    const std::size_t first = n + (from_sources ? 0 : to.size());  // of the sources
    const std::size_t first_given = weighted ? n + (from_sources ? from.size() : 0) : 0;
    std::vector<double> quantities(table.titles.size() * all);
    for (std::size_t c = 0; c < table.titles.size(); ++c) {
      std::copy_n(table.values.begin() + static_cast<std::ptrdiff_t>(c * given), given,
                  quantities.begin() + static_cast<std::ptrdiff_t>(c * all + first_given));
    }
    if (from_) {
      options.sources.resize(from.size());
      std::iota(options.sources.begin(), options.sources.end(), static_cast<Vertex>(first));
    } else {
      options.sources = store::VertexList(options_.sources).of(graph.vertex_count());
      if (!from_sources) options.sources = arrivals(graph, std::move(options.sources));
    }
    return access(whole, quantities, limits_, decay_, options);
  }

  /// `sums`: of one direction, or of both.
  void write(Context& context, const Graph& graph, const std::vector<std::string>& titles,
             const std::vector<std::vector<double>>& sums) const {
    const std::size_t width = limits_.size() * titles.size();
    std::vector<Vertex> sources;
    io::Columns columns;
    if (from_) {
      columns.add("from", from_->points.names.data());
    } else {
      sources = store::VertexList(options_.sources).of(graph.vertex_count());
      columns.add("vertex", sources.data());
    }
    for (std::size_t direction = 0; direction < sums.size(); ++direction) {
      const double* next = sums[direction].data();
      for (const std::string& limit : words_) {
        for (const std::string& title : titles) {
          columns.add(fmt::format("{} within {}{}", title, limit, direction == 0 ? "" : " to"),
                      next++, static_cast<std::int64_t>(width));
        }
      }
    }
    if (from_) {
      add_walks("walk", *from_, columns);
      add_point_columns(from_->points, columns);
    }
    write_rows(context, output_, network_.reading, graph, columns,
               static_cast<std::int64_t>(sums.front().size() / width));
  }

  StoredResult network_;
  NearOptions options_;
  TableOutput output_;
  PointOptions snapping_;
  std::optional<PlacedPoints> from_;
  std::string weights_, sources_;
  std::string within_, decay_text_ = "none";
  std::vector<std::string> words_;  // of `limits_` in titles
  std::vector<double> limits_;
  Decay decay_;
  Directions directions_;
  Unit unit_;
  std::uint64_t seed_ = 1;
};

}  // namespace

VerbEntry access_verb() {
  return {"access GRAPH --weights FILE --within D",
          "how much can be reached from every vertex",
          "Access: accessibility. For every vertex and every limit D, the sum of a quantity over "
          "all vertices at most D away, such as the jobs within 30 minutes.",
          {"apsp access roads.csv --weights jobs.csv --within 30,60 -o access.csv",
           "apsp access roads.csv --weights jobs.csv --within 90 --decay exp:30",
           "apsp access roads.zarr --weights jobs.csv --within 60 --sources Aachen,Siegen"},
          make_verb<Access>};
}

}  // namespace apsp::cli
