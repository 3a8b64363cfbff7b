// Verbs about what is near, nearest, access and solve --within; and betweenness: what paths pass
// through.
#include "cli/near_commands.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <apsp/near.hpp>
#include <cmath>
#include <span>

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

void put_streets(MapFile& map, double limit, const NearOptions& options,
                 const SparseDistances& pairs) {
  for_each_source(options, pairs, [&](Vertex source, auto targets, auto distances) {
    map.reached(source, limit, targets, distances,
                {{"from", map.name(source)}, {"within", limit}, {"vertices", targets.size() + 1}});
  });
}

int tell_verified(Context& context, const VerifyReport& report, nlohmann::json& object) {
  context.print(verify_text(report, context.out()));
  object["verification"] = api::to_json(report);
  return report.passed ? kExitOk : kExitNegativeAnswer;
}

/// Finds and writes all pairs at most `limit` apart. Returns the exit code.
int write_near(Context& context, const Graph& graph, double limit, const NearOptions& options,
               const TableOutput& output, const SolveRequest& request) {
  const SparseDistances pairs = within(graph, limit, options);
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
  } else if (output.is_map()) {
    write_map(context, output, request.reading, graph,
              [&](MapFile& map) { put_streets(map, limit, options, pairs); });
  } else {
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

int run_within(Context& context, const SolveRequest& request, double limit,
               const std::string& positions) {
  const TableOutput output{request.solving.storage.output, positions};
  context.refuse_others(
      {"--within", "--output", "--positions", "--sources", "--seed", "--verify", "--algorithm",
       "--device", "--threads", "--memory", "--plan", "--format", "--directed", "--undirected",
       "--columns", "--as-rel", "--coordinates", "--lengths"},
      "has no effect on --within, which finds only near pairs: leave it out");
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
  context.note(graph_line(graph, request.graph, context.err()));
  NearOptions options{.algorithm = request.solving.method.algorithm,
                      .device = request.solving.machine.device,
                      .device_ordinals = request.solving.machine.device_ordinals,
                      .threads = request.solving.machine.threads,
                      .control = context.control()};
  options.sources = chosen_vertices({"--sources", request.sources}, graph, request.seed, &context);
  return write_near(context, graph, limit, options, output, request);
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
    const std::vector<Vertex> places =
        chosen_vertices({"--to", places_}, graph, 1, &context, &names_);
    const Towards towards = from_places_ ? Towards::vertices : Towards::places;
    const NearestPlaces found = nearest(graph, places, count_, towards, context.control());
    write(context, graph, places, found);
    nlohmann::json object = {{"vertices", graph.vertex_count()},
                             {"places", places.size()},
                             {"count", count_},
                             {"without_place", without_place(found)},
                             {"output", output_json(output_)}};
    int code = kExitOk;
    if (verify_) {
      const VerifyReport report =
          verify(found, graph, places, towards, {.control = context.control()});
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
  constexpr std::string_view kExponential = "exp:";
  if (text == "none") return {};
  if (text == "linear") return {Decay::Kind::linear, 1};
  if (text.starts_with(kExponential)) {
    const double scale = real_value(option, text.substr(kExponential.size()));
    if (scale > 0) return {Decay::Kind::exponential, scale};
  }
  throw usage_error(
      "{}: '{}' is not a decay; choose none, linear or exp:SCALE with a SCALE above 0", option,
      text);
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
    parsed(arguments, "--decay", "none|linear|exp:SCALE", decay_value, decay_,
           "how much counts at a distance d: all, 1 - d / D, or exp(-d / SCALE); default: none");
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
    const io::VertexQuantities table = read_list(context, [&](const io::ListReading& list) {
      return io::read_quantities(weights_, graph, list);
    });
    const std::vector<double> sums = access(graph, table.values, limits_, decay_, options_);
    write(context, graph, table.titles, sums);
    if (context.json) {
      context.print_json({{"sources", sums.size() / (limits_.size() * table.titles.size())},
                          {"limits", limits_},
                          {"columns", table.titles},
                          {"output", output_json(output_)}});
    }
    return kExitOk;
  }

 private:
  void write(Context& context, const Graph& graph, const std::vector<std::string>& titles,
             const std::vector<double>& sums) const {
    std::vector<io::TableColumn> columns = {{"vertex", io::ColumnKind::vertex}};
    for (const double limit : limits_) {
      for (const std::string& title : titles) {
        columns.push_back({fmt::format("{} within {}", title, limit)});
      }
    }
    const std::size_t width = columns.size() - 1;
    const std::vector<Vertex> sources =
        store::VertexList(options_.sources).of(graph.vertex_count());
    std::vector<io::ColumnValues> values = {io::Stepped<Vertex>{sources.data()}};
    for (std::size_t i = 0; i < width; ++i) {
      values.push_back(io::Stepped<double>{sums.data() + i, static_cast<std::int64_t>(width)});
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
    options_.control = context.control();
    options_.sources = chosen_vertices({"--sources", sources_}, graph, seed_, &context);
    options_.scale = normalized_ ? PairScale::normalized : PairScale::pairs;
    const Betweenness found = betweenness(graph, options_);
    context.note(fmt::format("{}, {}", base::counted(found.sources, "source", "sources"),
                             found.plan.empty() ? "trees only" : found.plan));
    const std::vector<double>& values = options_.arcs ? found.of_arcs : found.vertices;
    if (!output_.path.empty()) write(context, graph, found, values);
    show(context, graph, found, top(values, top_));
    return kExitOk;
  }

 private:
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
             const std::vector<double>& values) const {
    const std::size_t rows = values.size();
    std::vector<Vertex> from(rows), to(options_.arcs ? rows : 0);
    std::vector<double> weights(to.size());
    for (std::size_t i = 0; i < rows; ++i) {
      from[i] = options_.arcs ? found.arcs[i].from : static_cast<Vertex>(i);
      if (!options_.arcs) continue;
      to[i] = found.arcs[i].to;
      weights[i] = found.arcs[i].weight;
    }
    std::vector<io::TableColumn> columns = {{"vertex", io::ColumnKind::vertex}, {"betweenness"}};
    std::vector<io::ColumnValues> cells = {io::Stepped<Vertex>{from.data()},
                                           io::Stepped<double>{values.data()}};
    if (options_.arcs) {
      columns = {{"from", io::ColumnKind::vertex},
                 {"to", io::ColumnKind::vertex},
                 {"weight"},
                 {"betweenness"}};
      cells = {io::Stepped<Vertex>{from.data()}, io::Stepped<Vertex>{to.data()},
               io::Stepped<double>{weights.data()}, io::Stepped<double>{values.data()}};
    }
    write_rows(context, output_, network_.reading, graph, columns, std::ssize(values),
               [&](const PutRows& put) { put(std::ssize(values), cells); });
  }

  StoredResult network_;
  BetweennessOptions options_;
  TableOutput output_;
  std::string sources_;
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
