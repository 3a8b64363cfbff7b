// Verbs about what is near, nearest, access and solve --within; and betweenness: what paths pass
// through.
#include "cli/near_commands.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <apsp/near.hpp>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <tuple>

#include "api/json.hpp"
#include "base/json.hpp"
#include "base/units.hpp"
#include "cli/exit_code.hpp"
#include "cli/graph_options.hpp"
#include "cli/graph_view.hpp"
#include "cli/leftovers.hpp"
#include "cli/memory_use.hpp"
#include "cli/option_values.hpp"
#include "cli/path_output.hpp"
#include "cli/solve_request.hpp"
#include "cli/solve_view.hpp"
#include "cli/table.hpp"
#include "cli/table_output.hpp"
#include "cli/turn_options.hpp"
#include "cli/verb.hpp"
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

void put_pairs(io::ColumnTable& table, const NearOptions& options, const SparseDistances& pairs) {
  table.expect_rows(std::ssize(pairs.targets));
  for_each_source(options, pairs, [&](Vertex source, auto targets, auto distances) {
    const io::ColumnValues values[] = {io::Stepped<Vertex>{&source, 0},
                                       io::Stepped<Vertex>{targets.data()},
                                       io::Stepped<double>{distances.data()}};
    table.put(std::ssize(targets), values);
  });
}

/// A feature for each source and limit. `end`: "from" or "to" the source.
void put_streets(MapFile& map, std::span<const double> limits, const std::string& end,
                 const NearOptions& options, const SparseDistances& pairs) {
  for_each_source(options, pairs, [&](Vertex source, auto targets, auto distances) {
    for (const double limit : limits) {
      std::vector<Vertex> near;
      std::vector<double> apart;
      for (std::size_t i = 0; i < targets.size(); ++i) {
        if (distances[i] > limit) continue;
        near.push_back(targets[i]);
        apart.push_back(distances[i]);
      }
      map.reached(source, limit, near, apart,
                  {{end, map.name(source)}, {"within", limit}, {"vertices", near.size() + 1}});
    }
  });
}

/// Maps what is near the sources, in one direction or both. Returns the pairs, counted together.
SparseDistances map_streets(Context& context, const Graph& graph, std::span<const double> limits,
                            Directions directions, const NearOptions& options,
                            const TableOutput& output, const ReadOptions& reading) {
  const double greatest = *std::ranges::max_element(limits);
  SparseDistances found;
  write_map(context, output, reading, graph, [&](MapFile& map) {
    for (const bool from : {true, false}) {
      if (from ? !directions.from : !directions.to) continue;
      const Graph along = from ? graph : reversed(graph);
      SparseDistances pairs = within(along, greatest, options);
      map.follow(along);
      put_streets(map, limits, from ? "from" : "to", options, pairs);
      const std::size_t earlier = found.targets.size();
      found = std::move(pairs);
      found.targets.resize(found.targets.size() + earlier);
    }
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
               Directions directions, const NearOptions& options, const TableOutput& output,
               const SolveRequest& request) {
  const double limit = *std::ranges::max_element(limits);
  const SparseDistances pairs = output.is_map() ? map_streets(context, graph, limits, directions,
                                                              options, output, request.reading)
                                                : within(graph, limit, options);
  context.note(fmt::format(
      "{} at most {} apart, by {}{}", base::counted(std::ssize(pairs.targets), "pair", "pairs"),
      base::format_value(limit), name(pairs.algorithm), pairs.on_device ? " on a GPU" : ""));
  if (output.path.ends_with(".npz")) {
    write_npz(pairs, output.path, context.control());
    note_written(context, output.path);
  } else if (store::is_zarr(output.path)) {
    clean_beside(context, output.path);
    Context::let_write(
        [&] { write_zarr(pairs, graph, limit, options.sources, output.path, context.control()); });
    note_written(context, output.path);
  } else if (!output.is_map()) {
    write_table(context, output, graph,
                {{"from", io::ColumnKind::vertex}, {"to", io::ColumnKind::vertex}, {"distance"}},
                [&](io::ColumnTable& table) { put_pairs(table, options, pairs); });
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
        verify(pairs, graph, limit, options.sources, {.control = context.control()});
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
               Directions directions, const std::string& positions) {
  for (const double limit : limits) {
    refuse_if(!(limit >= 0), "--within takes distances of at least 0, not {}", limit);
  }
  const TableOutput output{request.solving.storage.output, positions};
  context.refuse_others(
      {"--within", "--direction", "--output", "--positions", "--sources", "--seed", "--verify",
       "--algorithm", "--device", "--threads", "--memory", "--plan", "--format", "--directed",
       "--undirected", "--columns", "--as-rel", "--coordinates", "--lengths"},
      "has no effect on --within, which finds only near pairs: leave it out");
  refuse_if(!output.is_map() && (limits.size() > 1 || directions.to),
            "several limits and --direction are for a map: name an OUT.geojson");
  refuse_if(request.verify && directions.to, "--verify checks pairs from the sources only");
  refuse_if(context.launch != nullptr, "--within is for one process: start apsp without mpirun");
  const std::vector<std::string> inputs = {request.graph, file_of(request.sources)};
  if (!output.path.ends_with(".npz") && !store::is_zarr(output.path)) {
    refuse_if(!output.path.empty() && !output.is_map() && !io::names_column_table(output.path),
              "{} is not a file of sparse distances: name an .npz for SciPy, a .zarr, a .csv, a "
              ".parquet or a .geojson",
              output.path);
    check_table(output, request.reading, inputs);
  } else {
    refuse_if(!output.positions.empty(), "--positions is for a map: name an OUT.geojson");
    require_apart(output.path, inputs);
    require_apart(output.path, std::vector{request.reading.coordinates});
  }
  system::limit_memory(request.solving.machine.memory);
  const Graph& graph = read_for(context, request.graph, request.reading);
  require_no_turns(graph, "--within");
  context.note(graph_line(graph, request.graph, context.err()));
  NearOptions options{.algorithm = request.solving.method.algorithm,
                      .device = request.solving.machine.device,
                      .device_ordinals = request.solving.machine.device_ordinals,
                      .threads = request.solving.machine.threads,
                      .control = context.control()};
  options.sources = chosen_vertices({"--sources", request.sources}, graph, request.seed, &context);
  return write_near(context, graph, limits, directions, options, output, request);
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
    parsed(arguments, "--within", "D", tolerance_value, within_,
           "only places at most D away; default: however far");
    arguments.flag("--from-places", from_places_,
                   "along paths from a place to each vertex, where directions differ; default: "
                   "from each vertex to a place");
    arguments.flag("--verify", verify_,
                   "check the places by their properties, without a search; exit 1 if it fails");
    declare_table(arguments, output_);
    declare_reading(arguments, network_.reading);
    declare_threads(arguments);
    declare_memory(arguments);
  }

  int run(Context& context) override {
    refuse_if(places_.empty(),
              "--to is missing: name the places, or a file of them with --to @FILE");
    check_table(output_, network_.reading, {network_.path, file_of(places_)});
    const Graph& graph = read_network(context, network_);
    std::vector<Vertex> places = chosen_vertices({"--to", places_}, graph, 1, &context, &names_);
    if (!from_places_) places = arrivals(graph, std::move(places));
    const Towards towards = from_places_ ? Towards::vertices : Towards::places;
    const NearestPlaces all = nearest(graph, places, count_, towards, context.control());
    const NearestPlaces found = near_enough(of_vertices(graph, all));
    write(context, graph, places, found);
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
    std::vector<io::TableColumn> columns = {{"vertex", io::ColumnKind::vertex},
                                            {"rank", io::ColumnKind::whole},
                                            {"place", io::ColumnKind::vertex},
                                            {"distance"}};
    if (!names_.empty()) columns.push_back({"name", io::ColumnKind::text});
    const auto produce = [&](const PutRows& put) {
      for (std::size_t i = 0; i < found.places.size(); ++i) {
        if (found.places[i] == NearestPlaces::kNone) continue;
        const auto place = static_cast<std::size_t>(found.places[i]);
        const auto at = std::div(static_cast<std::int64_t>(i), found.count);
        const auto vertex = static_cast<Vertex>(at.quot);
        const std::int64_t rank = at.rem + 1;
        std::vector<io::ColumnValues> values = {
            io::Stepped<Vertex>{&vertex}, io::Stepped<std::int64_t>{&rank},
            io::Stepped<Vertex>{&places[place]}, io::Stepped<double>{&found.distances[i]}};
        if (!names_.empty()) values.push_back(io::Stepped<std::string>{&names_[place]});
        put(1, values);
      }
    };
    write_rows(context, output_, network_.reading, graph, columns, std::ssize(found.places),
               produce);
  }

  NearestPlaces near_enough(NearestPlaces found) const {
    for (std::size_t i = 0; within_ && i < found.places.size(); ++i) {
      if (found.distances[i] > *within_) found.places[i] = NearestPlaces::kNone;
    }
    return found;
  }

  /// Without the answers of turn states.
  NearestPlaces of_vertices(const Graph& graph, const NearestPlaces& all) const {
    const auto states = TurnStates::of(graph);
    if (!states) return all;
    NearestPlaces found{.count = all.count, .places = {}, .distances = {}};
    for (Vertex v = 0; v < states->vertices(); ++v) {
      const auto first = (from_places_ ? states->end(v) : v) * all.count;
      found.places.insert(found.places.end(), all.places.begin() + first,
                          all.places.begin() + first + all.count);
      found.distances.insert(found.distances.end(), all.distances.begin() + first,
                             all.distances.begin() + first + all.count);
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
  std::int64_t count_ = 1;
  std::optional<double> within_;
  bool from_places_ = false, verify_ = false;
};

}  // namespace

VerbEntry nearest_verb() {
  return {"nearest GRAPH --to PLACES",
          "the nearest places of every vertex",
          "Nearest: for every vertex the K nearest of some places, with distances, as a table. "
          "Places at the same distance come in the order of the list.",
          {"apsp nearest roads.gr --to @hospitals.txt -k 3 -o nearest.csv",
           "apsp nearest roads.gr --to 17,2093 --from-places     from the fire stations",
           "apsp nearest roads.zarr --to @schools.txt -o near.geojson --positions at.csv"},
          make_verb<Nearest>};
}

namespace {

/// "exp:600", "linear".
Decay decay_value(const std::string& option, const std::string& text) {
  constexpr std::pair<std::string_view, Decay::Kind> kScaled[] = {
      {"exp:", Decay::Kind::exponential},
      {"gaussian:", Decay::Kind::gaussian},
      {"power:", Decay::Kind::power}};
  if (text == "none") return {};
  if (text == "linear") return {Decay::Kind::linear, 1};
  for (const auto& [word, kind] : kScaled) {
    if (!text.starts_with(word)) continue;
    const double scale = real_value(option, text.substr(word.size()));
    if (scale > 0) return {kind, scale};
  }
  throw usage_error(
      "{}: '{}' is not a decay; choose none, linear, exp:SCALE, gaussian:SCALE or power:EXPONENT, "
      "with numbers above 0",
      option, text);
}

/// With turns, paths to a vertex end at another one, where its quantity is then.
void move_to_ends(const Graph& graph, std::vector<double>& quantities) {
  const auto states = TurnStates::of(graph);
  if (!states) return;
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  for (std::size_t first = 0; first < quantities.size(); first += n) {
    for (Vertex v = 0; v < states->vertices(); ++v) {
      if (states->end(v) != v) std::swap(quantities[first + v], quantities[first + states->end(v)]);
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
    parsed(arguments, "--within", "D1,D2,…", list_value, limits_,
           "the greatest distances: a sum is made for each of them");
    parsed(arguments, "--decay", "none|linear|exp:S|gaussian:S|power:E", decay_value, decay_,
           "how much counts at a distance d: all, 1 - d / D, exp(-d / S), exp(-(d / S)^2 / 2), or "
           "d^-E and all up to the distance 1; default: none");
    choice(arguments, "--direction", direction_choices(), directions_,
           "what can be reached from a vertex, from where it can be reached, or both as columns of "
           "their own; default: from");
    arguments.text("--sources", "LIST|@FILE|random:K", sources_,
                   "only from these vertices; default: all");
    parsed(arguments, "--seed", "N", seed_value, seed_, "for random:K; default: 1");
    declare_table(arguments, output_);
    declare_reading(arguments, network_.reading);
    declare_threads(arguments, &options_.threads);
    declare_memory(arguments);
  }

  int run(Context& context) override {
    refuse_if(weights_.empty(), "--weights is missing: name a table of vertices and quantities");
    refuse_if(limits_.empty(),
              "--within is missing: how far may a path be? For example --within 900");
    check_table(output_, network_.reading, {network_.path, weights_, file_of(sources_)});
    const Graph& graph = read_network(context, network_);
    options_.control = context.control();
    options_.sources = chosen_vertices({"--sources", sources_}, graph, seed_, &context);
    io::VertexQuantities table = read_list(context, [&](const io::ListReading& list) {
      return io::read_quantities(weights_, graph, list);
    });
    std::vector<std::vector<double>> sums;
    const std::vector<Vertex> vertices = options_.sources;
    if (directions_.to) sums.push_back(reaching(graph, table.values));
    options_.sources = vertices;
    move_to_ends(graph, table.values);
    if (directions_.from) {
      sums.insert(sums.begin(), access(graph, table.values, limits_, decay_, options_));
    }
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
  /// Sums of what reaches each vertex: with turns, where paths to it end.
  std::vector<double> reaching(const Graph& graph, const std::vector<double>& quantities) {
    options_.sources = arrivals(graph, std::move(options_.sources));
    return access(reversed(graph), quantities, limits_, decay_, options_);
  }

  /// `sums`: of one direction, or of both.
  void write(Context& context, const Graph& graph, const std::vector<std::string>& titles,
             const std::vector<std::vector<double>>& sums) const {
    std::vector<io::TableColumn> columns = {{"vertex", io::ColumnKind::vertex}};
    const std::size_t width = limits_.size() * titles.size();
    for (std::size_t direction = 0; direction < sums.size(); ++direction) {
      for (const double limit : limits_) {
        for (const std::string& title : titles) {
          columns.push_back(
              {fmt::format("{} within {}{}", title, limit, direction == 0 ? "" : " to")});
        }
      }
    }
    const std::vector<Vertex> sources =
        store::VertexList(options_.sources).of(graph.vertex_count());
    std::vector<io::ColumnValues> values = {io::Stepped<Vertex>{sources.data()}};
    for (std::size_t i = 0; i + 1 < columns.size(); ++i) {
      values.push_back(io::Stepped<double>{sums[i / width].data() + i % width,
                                           static_cast<std::int64_t>(width)});
    }
    write_rows(context, output_, network_.reading, graph, columns, std::ssize(sources),
               [&](const PutRows& put) { put(std::ssize(sources), values); });
  }

  StoredResult network_;
  NearOptions options_;
  TableOutput output_;
  std::string weights_, sources_;
  std::vector<double> limits_;
  Decay decay_;
  Directions directions_;
  std::uint64_t seed_ = 1;
};

}  // namespace

VerbEntry access_verb() {
  return {"access GRAPH --weights FILE --within D",
          "how much can be reached from every vertex",
          "Access: accessibility. For every vertex and every limit D, the sum of a quantity over "
          "all vertices at most D away, such as the jobs within 30 minutes.",
          {"apsp access roads.gr --weights jobs.csv --within 900,1800 -o access.csv",
           "apsp access roads.gr --weights people.csv --within 3600 --decay exp:600",
           "apsp access roads.zarr --weights jobs.csv --within 900 --sources @homes.txt"},
          make_verb<Access>};
}

namespace {

class BetweennessVerb : public Verb {
 public:
  void declare(Arguments& arguments) override {
    declare_network(arguments, network_);
    arguments.flag("--arcs", options_.arcs,
                   "of arcs, or of the edges of an undirected graph, instead of vertices");
    arguments.text("--sources", "LIST|@FILE|random:K", sources_,
                   "only paths from these vertices, as an estimate; default: all");
    parsed(arguments, "--seed", "N", seed_value, seed_, "for random:K; default: 1");
    parsed(arguments, "--within", "D1,D2,…", list_value, within_,
           "only paths of at most these lengths, a column for each, with the number of vertices "
           "within it and closeness");
    arguments.flag("--normalized", normalized_, "as a share of the pairs that could pass through");
    arguments.flag("--endpoints", options_.endpoints, "a path counts for both of its ends too");
    parsed(arguments, "--top", "K", at_least<0>, top_,
           "number of vertices or arcs to list; default: 10");
    declare_table(arguments, output_, "no table, only the list of the greatest");
    choice(arguments, "--algorithm", named_choices(std::span(kAlgorithms)), options_.algorithm,
           "what finds distances; default: auto");
    arguments.value(
        "--device", "auto|cpu|cuda|cuda:N|cuda:N,M|cuda:all",
        [this](const std::string& text) {
          const DeviceValue value = device_value("--device", text);
          options_.device = value.device;
          options_.device_ordinals = value.ordinals;
        },
        "where distances are found and paths are counted; default: auto");
    parsed(arguments, "--memory", "SIZE", byte_value, options_.memory,
           "most memory that the whole process may take, such as 8GiB; default: what is free");
    system::limit_memory(0);
    declare_plan_flag(arguments);
    declare_reading(arguments, network_.reading);
    declare_threads(arguments, &options_.threads);
  }

  int run(Context& context) override {
    refuse_if(options_.arcs && options_.endpoints,
              "--endpoints has no effect on --arcs: an arc has its ends on every path");
    check_table(output_, network_.reading, {network_.path, file_of(sources_)});
    system::limit_memory(options_.memory);
    const Graph& graph = read_network(context, network_);
    require_no_turns(graph, "betweenness");
    options_.control = context.control();
    options_.sources = chosen_vertices({"--sources", sources_}, graph, seed_, &context);
    options_.scale = normalized_ ? PairScale::normalized : PairScale::pairs;
    if (!within_.empty()) return run_near(context, graph);
    const Betweenness found = betweenness(graph, options_);
    context.note(fmt::format("{}, {}", base::counted(found.sources, "source", "sources"),
                             found.plan.empty() ? "trees only" : found.plan));
    const std::vector<double>& values = options_.arcs ? found.of_arcs : found.vertices;
    if (!output_.path.empty()) write(context, graph, found, values);
    show(context, graph, found, top(values, top_));
    return kExitOk;
  }

 private:
  int run_near(Context& context, const Graph& graph) {
    for (const char* const option : {"--algorithm", "--device"}) {
      refuse_if(context.gave(option),
                "{} has no effect on --within, which searches on the CPU: leave it out", option);
    }
    NearCentrality near = near_centrality(graph, within_, options_);
    context.note(base::counted(near.sources, "source", "sources"));
    if (!output_.path.empty()) write_near(context, graph, near);
    // The list is of the last limit.
    Betweenness found{.vertices = {},
                      .arcs = near.arcs,
                      .of_arcs = {},
                      .sources = near.sources,
                      .rows = near.sources,
                      .plan = {}};
    const auto last = [&](const std::vector<double>& of) {
      const auto count = static_cast<std::ptrdiff_t>(of.size() / within_.size());
      return std::vector<double>(of.end() - count, of.end());
    };
    found.vertices = last(near.betweenness);
    found.of_arcs = last(near.of_arcs);
    show(context, graph, found, top(options_.arcs ? found.of_arcs : found.vertices, top_));
    return kExitOk;
  }

  using Columns = std::pair<std::vector<io::TableColumn>, std::vector<io::ColumnValues>>;
  /// Those of arcs, or the vertices.
  Columns columns_of(const Graph& graph, std::span<const Edge> arcs) {
    if (options_.arcs) return arc_columns(arcs);
    vertices_ = store::VertexList().of(graph.vertex_count());
    return {{{"vertex", io::ColumnKind::vertex}}, {io::Stepped<Vertex>{vertices_.data()}}};
  }

  void write_near(Context& context, const Graph& graph, const NearCentrality& near) {
    const std::vector<Vertex> sources =
        store::VertexList(options_.sources).of(graph.vertex_count());
    std::vector<io::TableColumn> columns;
    std::vector<io::ColumnValues> cells;
    std::tie(columns, cells) = columns_of(graph, near.arcs);
    const auto n = static_cast<std::size_t>(graph.vertex_count());
    const auto rows = options_.arcs ? std::ssize(near.arcs) : graph.vertex_count();
    std::vector<std::vector<double>> of_sources;  // NaN for other vertices
    of_sources.reserve(2 * within_.size());
    const auto put = [&](const std::string& title, const double* values) {
      columns.push_back({title});
      cells.push_back(io::Stepped<double>{values});
    };
    for (std::size_t l = 0; l < within_.size(); ++l) {
      const auto at = [&](const std::vector<double>& values) {
        return values.data() + l * values.size() / within_.size();
      };
      put(fmt::format("betweenness within {}", within_[l]),
          at(options_.arcs ? near.of_arcs : near.betweenness));
      if (options_.arcs) continue;
      constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
      std::vector<double> reached(n, kNone), closeness(n, kNone);
      for (std::size_t i = 0; i < sources.size(); ++i) {
        reached[sources[i]] = at(near.reached)[i];
        closeness[sources[i]] = at(near.reached)[i] / at(near.distances)[i];
      }
      of_sources.push_back(std::move(reached));
      put(fmt::format("reached within {}", within_[l]), of_sources.back().data());
      of_sources.push_back(std::move(closeness));
      put(fmt::format("closeness within {}", within_[l]), of_sources.back().data());
    }
    write_rows(context, output_, network_.reading, graph, columns, rows,
               [&](const PutRows& put_rows) { put_rows(rows, cells); });
  }

  void show(Context& context, const Graph& graph, const Betweenness& found,
            const std::vector<Vertex>& best) const {
    Table table({Align::right, Align::left, Align::right});
    table.header({"", options_.arcs ? "arc" : "vertex", "betweenness"});
    nlohmann::json listed = nlohmann::json::array();
    for (std::size_t i = 0; i < best.size(); ++i) {
      const std::size_t at = best[i];
      const double value = options_.arcs ? found.of_arcs[at] : found.vertices[at];
      nlohmann::json one = {{"betweenness", value}};
      std::string shown;
      if (options_.arcs) {
        const Edge& arc = found.arcs[at];
        one["from"] = graph.name(arc.from);
        one["to"] = graph.name(arc.to);
        shown = fmt::format("{} {} {}", shown_name(graph, arc.from),
                            graph.directed() ? context.out().arrow() : context.out().dash(),
                            shown_name(graph, arc.to));
      } else {
        one["vertex"] = graph.name(best[i]);
        shown = shown_name(graph, best[i]);
      }
      listed.push_back(std::move(one));
      table.row({fmt::format("{}", i + 1), shown, base::format_value(value)});
    }
    if (!table.empty())
      context.print(heading(context.out(), "Betweenness") + table.text(context.out()));
    if (!context.json) return;
    context.print_json({{"vertices", graph.vertex_count()},
                        {"sources", found.sources},
                        {"rows", found.rows},
                        {"normalized", normalized_},
                        {options_.arcs ? "top_arcs" : "top_vertices", std::move(listed)},
                        {"output", output_json(output_)}});
  }

  void write(Context& context, const Graph& graph, const Betweenness& found,
             const std::vector<double>& values) {
    std::vector<io::TableColumn> columns;
    std::vector<io::ColumnValues> cells;
    std::tie(columns, cells) = columns_of(graph, found.arcs);
    columns.push_back({"betweenness"});
    cells.push_back(io::Stepped<double>{values.data()});
    write_rows(context, output_, network_.reading, graph, columns, std::ssize(values),
               [&](const PutRows& put) { put(std::ssize(values), cells); });
  }

  StoredResult network_;
  BetweennessOptions options_;
  TableOutput output_;
  std::string sources_;
  std::vector<double> within_;
  std::vector<Vertex> vertices_;  // rows of a table
  std::size_t top_ = 10;
  std::uint64_t seed_ = 1;
  bool normalized_ = false;
};

}  // namespace

VerbEntry betweenness_verb() {
  return {"betweenness GRAPH [-o OUT.csv]",
          "which vertices or arcs shortest paths use",
          "Betweenness: how many shortest paths pass through every vertex or arc. Of several "
          "equally long paths each counts for its share (Brandes 2001).",
          {"apsp betweenness roads.gr -o between.csv                   all pairs, exactly",
           "apsp betweenness roads.gr --arcs --sources random:500      an estimate of edges",
           "apsp betweenness roads.zarr --normalized --top 20          the graph of a result"},
          make_verb<BetweennessVerb>};
}

}  // namespace apsp::cli
