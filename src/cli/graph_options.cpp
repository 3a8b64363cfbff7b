#include "cli/graph_options.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <filesystem>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/control.hpp"
#include "cli/graph_view.hpp"
#include "cli/leftovers.hpp"
#include "cli/memory_use.hpp"
#include "cli/turn_options.hpp"
#include "store/file_system.hpp"
#include "store/store.hpp"
#include "system/machine.hpp"
#include "system/memory_limit.hpp"

namespace apsp::cli {
namespace {

/// Whether v has an arc of the distance's length to each other vertex. Distances may be narrower
/// types.
bool has_distances_as_arcs(const Result& result, Vertex v) {
  const std::vector<double> row = result.distances_from(v);
  std::int64_t found = 0;
  std::int64_t last = v;
  result.graph().for_each_arc(v, [&](Vertex to, double weight) {
    if (to == v || to == last || static_cast<float>(weight) != static_cast<float>(row[to])) return;
    ++found;
    last = to;
  });
  return found == result.vertex_count() - 1;
}

/// Whether all pairs have an arc as long as their distance. Returns at once if the graph is not
/// complete.
bool has_only_distances(const Result& result, const Control& control) {
  constexpr std::int64_t kFewest = 3;  // vertices; two adjacent vertices always are such a graph
  const Graph& graph = result.graph();
  const std::int64_t n = graph.vertex_count();
  if (n < kFewest || graph.arc_count() - graph.loop_count() < n * (n - 1)) return false;
  if (result.semiring() == Semiring::or_and) return false;
  for (Vertex v = 0; v < n; ++v) {
    base::check_cancelled(control);
    if (!has_distances_as_arcs(result, v)) return false;
  }
  return true;
}

void require_other_file(const std::string& result, const std::string& graph) {
  std::error_code failure;
  if (!std::filesystem::equivalent(result, graph, failure)) return;
  throw usage_error("{} holds the distances, not the graph: name the graph that was solved", graph);
}

/// A matrix of distances is itself a graph in which every arc is a shortest path: every result
/// would pass all checks, and every path would have one edge.
void warn_of_distances(Context& context, const Result& result, const std::string& graph) {
  if (!has_only_distances(result, context.control())) return;
  context.note(
      fmt::format("warning: {} looks like a matrix of distances: every pair has an arc, and this "
                  "arc is the shortest path. If another graph was solved, name that graph",
                  graph));
}

void require_graph(const std::string& path) {
  if (store::posix_file_system().kind(path) != store::FileKind::directory) return;
  if (!path.ends_with(".zarr")) return;
  throw usage_error(
      "{0} is a result, not a graph: apsp stats, path, distance, verify and report "
      "read it; apsp convert {0} GRAPH.gr gives the graph that was solved",
      path);
}

/// Refuses a file that neither is called .npy nor begins like one; it probably is a graph.
void require_result(const std::string& path) {
  constexpr std::string_view kNpy = "\x93NUMPY";
  const store::FileSystem& files = store::posix_file_system();
  if (path.ends_with(".npy") || files.kind(path) != store::FileKind::file) return;
  const auto file = files.open(path);
  std::string begins(kNpy.size(), ' ');
  if (file->size() >= std::ssize(kNpy)) file->read(0, std::as_writable_bytes(std::span(begins)));
  if (begins == kNpy) return;
  throw usage_error(
      "{} is not a result (.zarr or .npy). Solve the graph first, and keep its distances: apsp "
      "solve {} -o OUT.zarr",
      path, path);
}

Result with_semiring(const Context& context, Result result, const StoredResult& stored) {
  if (!context.gave("--semiring") || result.semiring() == stored.semiring) return result;
  throw usage_error("{} was solved with {}, not with {}: leave --semiring out", stored.path,
                    name(result.semiring()), name(stored.semiring));
}

}  // namespace

Choices<GraphFormat> format_choices() { return named_choices(all_graph_formats()); }

Choices<Semiring> semiring_choices() { return named_choices(all_semirings()); }

void declare_direction(Arguments& arguments, std::optional<bool>& directed,
                       const std::string& about_directed, const std::string& about_undirected) {
  const auto declare = [&](const char* name, bool value, const std::string& about) {
    arguments.flag(
        name,
        [&directed, value] {
          refuse_if(directed && *directed != value,
                    "--directed and --undirected exclude each other");
          directed = value;
        },
        about);
  };
  declare("--directed", true, about_directed);
  declare("--undirected", false, about_undirected);
}

void declare_reading(Arguments& arguments, ReadOptions& options, bool with_coordinates) {
  arguments.section("Reading the graph", "reading");
  choice(arguments, "--format", format_choices(), options.format,
         "its format, if content and suffix mislead");
  declare_direction(arguments, options.directed, "take every edge one way",
                    "take every edge both ways");
  parsed(arguments, "--columns", "FROM,TO[,WEIGHT]", columns_value, options.columns,
         "columns of an edge list, by titles or counted from 1; without WEIGHT weights are 1");
  parsed(arguments, "--oneway", "COLUMN", column_value, options.oneway,
         "column that says which edges have one direction: yes, no, or -1 for reversed");
  parsed(arguments, "--reverse-cost", "COLUMN", column_value, options.reverse_cost,
         "column with the weights of the way back; negative weights: no such way");
  choice(arguments, "--ids",
         Choices<VertexIds>{{"number", VertexIds::number}, {"text", VertexIds::text}}, options.ids,
         "whether 7, 7.0 and 007 in an edge list are one vertex or three");
  choice(arguments, "--separator",
         Choices<Separator>{{"tab", Separator::tab},
                            {"comma", Separator::comma},
                            {"semicolon", Separator::semicolon},
                            {"blank", Separator::blank}},
         options.separator,
         "what separates the fields of an edge list or matrix; default: as its first row shows");
  choice(arguments, "--zero", Choices<bool>{{"edge", true}, {"none", false}}, options.zero_is_edge,
         "what a 0 in a matrix of text means: an edge of length 0, or no edge (default)");
  arguments.text(
      "--encoding", "NAME", options.encoding,
      "encoding of the graph and of lists, as iconv calls it: cp1252, latin1, …; default: UTF-8");
  choice(arguments, "--as-rel",
         Choices<AsRelPolicy>{
             {"both", AsRelPolicy::both}, {"down", AsRelPolicy::down}, {"up", AsRelPolicy::up}},
         options.as_rel,
         "CAIDA relations: both ways, from provider to customer, or from customer to provider");
  arguments.text(
      "--weight", "NAME", options.weight,
      "the column of an edge list, by its title, or the attribute of edges in GraphML, GML and "
      "node-link JSON, that is the weight; none: every weight is 1");
  arguments.text("--lengths", "FORMULA", options.lengths,
                 "weights are strengths w: edges become as long as inverse (1/w), log (-log(w)), "
                 "one-minus (1-w) or a formula such as 'sqrt(2*(1-w))' makes of them");
  arguments.text("--profile", "car|bike|foot|FILE", options.profile,
                 "the traveller for an extract of OpenStreetMap (.pbf): its streets, directions "
                 "and speeds; --weight seconds (default) or metres");
  arguments.flag("--all-streets", options.all_streets,
                 "of an extract: also the streets outside of the largest strong component");
  declare_turns(arguments);
  if (!with_coordinates) return;
  arguments.text("--coordinates", "FILE", options.coordinates,
                 "longitude and latitude of every vertex (.mtx): weights become metres");
}

std::set<std::string> reading_options() {
  ReadOptions options;
  Arguments arguments("", "", {});
  declare_reading(arguments, options);
  std::set<std::string> names;
  for (const Arguments::Option& option : arguments.options()) names.insert(option.long_name());
  return names;
}

void require_no_reading(const Context& context, const std::string& why) {
  std::set<std::string> reading = reading_options();
  reading.erase("--encoding");                                   // of lists too
  if (context.verb == "report") reading.erase("--coordinates");  // of its map
  for (const Arguments::Given& option : context.given) {
    refuse_if(reading.contains(option.front()), "{} says how a graph is read, and {}: leave it out",
              option.front(), why);
  }
}

Column column_value(const std::string& option, const std::string& text) {
  const bool counted = !text.empty() && text.find_first_not_of("0123456789") == text.npos;
  if (!counted) {
    refuse_if(text.empty(), "{} takes the title of a column, or its number, not ''", option);
    return text;
  }
  constexpr std::int64_t kMost = 1'000'000;
  return static_cast<int>(std::min(integer_value(option, text, 0), kMost));
}

EdgeListColumns columns_value(const std::string& option, const std::string& text) {
  std::vector<Column> list;
  for (const std::string& word : words_between_commas(text)) {
    list.push_back(column_value(option, word));
  }
  refuse_if(list.size() < 2 || list.size() > 3 || list[0].none() || list[1].none(),
            "{} takes FROM,TO or FROM,TO,WEIGHT: titles, or numbers counted from 1, not '{}'",
            option, text);
  return {list[0], list[1], list.size() == 3 ? list[2] : Column()};
}

void declare_threads(Arguments& arguments, int* threads) {
  system::limit_threads(0);
  arguments.section("Machine");
  arguments.value(
      "--threads", "N",
      [threads](const std::string& text) {
        constexpr std::int64_t kMost = 8192;
        const auto most = static_cast<int>(std::min(integer_value("--threads", text, 1), kMost));
        system::limit_threads(most);
        if (threads != nullptr) *threads = most;
      },
      "threads for all that the verb does; default: OMP_NUM_THREADS, else all available cores");
}

void declare_run(Arguments& arguments, ReadOptions& reading, int* threads) {
  declare_reading(arguments, reading);
  declare_threads(arguments, threads);
  declare_memory(arguments);
}

const Graph& read_for(Context& context, const std::string& path, ReadOptions options) {
  require_graph(path);
  options.control = context.control();
  options.on_header = [then = options.on_header](const GraphHeader& header) {
    require_reading(header);
    if (then) then(header);
  };
  require_reading_of_list(path, options);
  const std::int64_t kept_before = system::kept_memory();
  context.graph = with_given_turns(context, read_graph(path, options));
  // The plan of a solve includes the reading.
  const bool planned = context.verb == "solve" || context.verb == "closure" ||
                       context.verb == "plan" || context.verb == "info";
  if (!planned || context.gave("--within")) note_reading(*context.graph, kept_before);
  return *context.graph;
}

void write_to(Context& context, const Graph& graph, const std::string& path,
              std::optional<GraphFormat> format) {
  if (path == "-" && !format) format = GraphFormat::edge_list;
  clean_beside(context, path);
  Context::let_write([&] { write_graph(graph, path, format, context.control()); });
}

void declare_result(Arguments& arguments, StoredResult& result) {
  arguments.positional("RESULT", result.path, "a result of apsp solve -o: .zarr or .npy");
  arguments.section("Options");
  choice(arguments, "--semiring", semiring_choices(), result.semiring,
         "semiring of an .npy (a .zarr names its own); default: min-plus");
  declare_metric(arguments, result);
}

void declare_metric(Arguments& arguments, StoredResult& result) {
  arguments.text("--metric", "NAME", result.metric,
                 "take these weights, which apsp update --metric keeps inside a result; default: "
                 "those that were solved");
}

void require_no_metric(const StoredResult& graph) {
  refuse_if(!graph.metric.empty(), "--metric is for a result, and {} is a graph: leave it out",
            graph.path);
}

Result open_for(Context& context, const StoredResult& stored) {
  require_result(stored.path);
  if (!stored.metric.empty()) {
    StoredResult metric = stored;
    metric.path = metric_path(stored.path, std::exchange(metric.metric, ""));
    return open_for(context, metric);
  }
  if (stored.graph.empty()) {
    if (stored.path.ends_with(".npy")) {
      const std::string graph =
          context.verb == "verify" ? "apsp verify " + stored.path + " GRAPH" : "--graph GRAPH";
      throw usage_error(
          "{} holds only distances: name the graph that was "
          "solved ({}), or store the result as .zarr",
          stored.path, graph);
    }
    require_no_reading(context, stored.path + " holds its graph");
    return with_semiring(context, open_result(stored.path, std::nullopt, stored.semiring), stored);
  }
  require_other_file(stored.path, stored.graph);
  const Graph& graph = read_for(context, stored.graph, stored.reading);
  if (!graph.remarks().empty()) context.note(graph_line(graph, stored.graph, context.err()));
  Result result = open_result(stored.path, graph, stored.semiring);
  if (!store::is_zarr(stored.path)) warn_of_distances(context, result, stored.graph);
  return with_semiring(context, std::move(result), stored);
}

void declare_network(Arguments& arguments, StoredResult& network) {
  arguments.positional(
      "GRAPH|RESULT", network.path,
      "a graph's file, - for standard input, or a result of apsp solve -o (.zarr), "
      "which holds its graph");
  arguments.section("Options");
  declare_metric(arguments, network);
}

const Graph& read_network(Context& context, const StoredResult& network) {
  if (is_stored_result(network.path)) return *(context.graph = open_for(context, network).graph());
  require_no_metric(network);
  const Graph& graph = read_for(context, network.path, network.reading);
  context.note(graph_line(graph, network.path, context.err()));
  return graph;
}

std::string shown_path(const std::string& path) { return path == "-" ? "standard input" : path; }

namespace {

/// Total size of the files below a path for which counts(links) holds.
template <class F>
std::int64_t bytes_of_files(const std::string& path, const F& counts) {
  namespace fs = std::filesystem;
  std::error_code failure;
  if (!fs::is_directory(path, failure)) {
    const auto bytes = fs::file_size(path, failure);
    return failure ? 0 : static_cast<std::int64_t>(bytes);
  }
  std::int64_t bytes = 0;
  for (const auto& entry : fs::recursive_directory_iterator(path, failure)) {
    if (!entry.is_regular_file(failure) || !counts(entry.hard_link_count(failure))) continue;
    bytes += static_cast<std::int64_t>(entry.file_size(failure));
  }
  return bytes;
}

}  // namespace

bool is_stored_result(const std::string& path) {
  std::error_code failure;
  return store::is_zarr(path) || std::filesystem::is_directory(path, failure);
}

std::int64_t bytes_on_disk(const std::string& path) {
  return bytes_of_files(path, [](std::uintmax_t) { return true; });
}

std::int64_t bytes_of_its_own(const std::string& path) {
  return bytes_of_files(path, [](std::uintmax_t links) { return links == 1; });
}

}  // namespace apsp::cli
