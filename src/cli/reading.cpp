#include "cli/reading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <span>
#include <string_view>
#include <utility>

#include "base/processors.hpp"
#include "cli/closed_graph.hpp"
#include "cli/graph_view.hpp"
#include "cli/leftovers_view.hpp"
#include "store/file_system.hpp"
#include "store/store.hpp"

namespace apsp::cli {
namespace {

void set_direction(ReadOptions& options, bool directed) {
  if (options.directed && *options.directed != directed) {
    throw Error(ErrorKind::usage, "--directed and --undirected exclude each other");
  }
  options.directed = directed;
}

EdgeListColumns columns_value(const std::string& text) {
  const std::vector<double> list = list_value("--columns", text);
  const bool valid = (list.size() == 2 || list.size() == 3) &&
                     std::all_of(list.begin(), list.end(), [](double column) {
                       return column >= 1 && column <= 1e6 && column == std::floor(column);
                     });
  if (!valid) {
    throw Error(ErrorKind::usage,
                "--columns takes FROM,TO or FROM,TO,WEIGHT, counted from 1, not '" + text + "'");
  }
  return {static_cast<int>(list[0]), static_cast<int>(list[1]),
          list.size() == 3 ? static_cast<int>(list[2]) : 0};
}

const Choices<AsRelPolicy>& policy_choices() {
  static const Choices<AsRelPolicy> choices = {
      {"both", AsRelPolicy::both}, {"down", AsRelPolicy::down}, {"up", AsRelPolicy::up}};
  return choices;
}

/// A folder is a result, if anything: it is not read as a graph.
void require_graph(const std::string& path) {
  if (store::posix_file_system().kind(path) != store::FileKind::directory) return;
  if (!path.ends_with(".zarr")) return;
  throw Error(ErrorKind::usage,
              fmt::format("{0} is a result, not a graph: apsp stats, path, distance, verify and "
                          "report read it, and apsp convert {0} GRAPH.gr gives the graph that was "
                          "solved",
                          path));
}

/// A file that is neither called .npy nor begins as one is no result; most likely it is a graph.
void require_result(const std::string& path) {
  constexpr std::string_view kNpy = "\x93NUMPY";
  const store::FileSystem& files = store::posix_file_system();
  if (path.ends_with(".npy") || files.kind(path) != store::FileKind::file) return;
  const auto file = files.open(path);
  std::string begins(kNpy.size(), ' ');
  if (file->size() >= std::ssize(kNpy)) file->read(0, std::as_writable_bytes(std::span(begins)));
  if (begins == kNpy) return;
  throw Error(ErrorKind::usage,
              path +
                  " is no result, which is a .zarr or an .npy. A graph is solved first, and its "
                  "distances are kept: apsp solve " +
                  path + " -o OUT.zarr");
}

/// A .zarr knows its own.
Result with_semiring(const Session& session, Result result, const StoredResult& stored) {
  if (!session.gave("--semiring") || result.semiring() == stored.semiring) return result;
  throw Error(ErrorKind::usage,
              fmt::format("{} was solved with {}, not with {}: leave --semiring out", stored.path,
                          name(result.semiring()), name(stored.semiring)));
}

}  // namespace

void require_no_reading(const ReadOptions& options, const std::string& why) {
  const std::pair<bool, const char*> given[] = {
      {options.format.has_value(), "--format"},    {options.directed == true, "--directed"},
      {options.directed == false, "--undirected"}, {options.columns.has_value(), "--columns"},
      {options.as_rel.has_value(), "--as-rel"},    {!options.coordinates.empty(), "--coordinates"}};
  for (const auto& [is_given, option] : given) {
    if (!is_given) continue;
    throw Error(ErrorKind::usage,
                fmt::format("{} says how a graph is read, and {}: leave it out", option, why));
  }
}

Choices<GraphFormat> format_choices() {
  Choices<GraphFormat> choices;
  for (const GraphFormat format :
       {GraphFormat::matrix_market, GraphFormat::dimacs, GraphFormat::edge_list, GraphFormat::metis,
        GraphFormat::as_rel, GraphFormat::numpy}) {
    choices.emplace_back(name(format), format);
  }
  return choices;
}

Choices<Semiring> semiring_choices() {
  Choices<Semiring> choices;
  for (const Semiring semiring : all_semirings()) choices.emplace_back(name(semiring), semiring);
  return choices;
}

void declare_reading_without_coordinates(Arguments& arguments, ReadOptions& options) {
  arguments.section("Reading the graph");
  choice(arguments, "--format", format_choices(), options.format,
         "its format, where content and suffix mislead");
  arguments.flag(
      "--directed", [&options] { set_direction(options, true); }, "take every edge one way");
  arguments.flag(
      "--undirected", [&options] { set_direction(options, false); }, "take every edge both ways");
  arguments.value(
      "--columns", "FROM,TO[,WEIGHT]",
      [&options](const std::string& text) { options.columns = columns_value(text); },
      "columns of an edge list, counted from 1");
  choice(arguments, "--as-rel", policy_choices(), options.as_rel,
         "CAIDA relations: both ways, provider to customer, or customer to provider");
}

void declare_reading(Arguments& arguments, ReadOptions& options) {
  declare_reading_without_coordinates(arguments, options);
  arguments.text("--coordinates", "FILE", options.coordinates,
                 "longitude and latitude of every vertex (.mtx): weights become metres");
}

void declare_threads(Arguments& arguments, int* threads) {
  base::limit_threads(0);  // what a verb before this one was told
  arguments.section("Machine");
  arguments.value(
      "--threads", "N",
      [threads](const std::string& text) {
        constexpr std::int64_t kMost = 1 << 20;
        const auto most = static_cast<int>(std::min(integer_value("--threads", text, 1), kMost));
        base::limit_threads(most);
        if (threads != nullptr) *threads = most;
      },
      "threads to use; all that this process may use unless given");
}

const Graph& read_for(Session& session, const std::string& path, ReadOptions options) {
  require_graph(path);
  options.control = session.control();
  session.graph = read_graph(path, options);
  return *session.graph;
}

void write_to(Session& session, const Graph& graph, const std::string& path,
              std::optional<GraphFormat> format) {
  if (path == "-" && !format) format = GraphFormat::edge_list;
  clean_beside(session, path);
  Session::let_write([&] { write_graph(graph, path, format, session.control()); });
}

void declare_result(Arguments& arguments, StoredResult& result) {
  arguments.positional("RESULT", result.path, "what apsp solve -o wrote: .zarr, or .npy");
  arguments.section("Options");
  choice(arguments, "--semiring", semiring_choices(), result.semiring,
         "what an .npy was solved with (a .zarr knows): min-plus unless given");
}

Result open_for(Session& session, const StoredResult& stored) {
  require_result(stored.path);
  if (stored.graph.empty()) {
    if (stored.path.ends_with(".npy")) {
      const std::string graph =
          session.verb == "verify" ? "apsp verify " + stored.path + " GRAPH" : "--graph GRAPH";
      throw Error(ErrorKind::usage,
                  fmt::format("{} holds the distances alone: name the graph that was solved ({}), "
                              "or store as .zarr",
                              stored.path, graph));
    }
    require_no_reading(stored.reading, stored.path + " holds its own");
    return with_semiring(session, open_result(stored.path, std::nullopt, stored.semiring), stored);
  }
  require_other_file(stored.path, stored.graph);
  const Graph& graph = read_for(session, stored.graph, stored.reading);
  if (!graph.remarks().empty()) session.note(graph_line(graph, stored.graph, session.err()));
  Result result = open_result(stored.path, graph, stored.semiring);
  if (!store::is_zarr(stored.path)) warn_of_distances(session, result, stored.graph);
  return with_semiring(session, std::move(result), stored);
}

std::string shown_path(const std::string& path) { return path == "-" ? "standard input" : path; }

std::int64_t bytes_on_disk(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code failure;
  if (!fs::is_directory(path, failure)) {
    const auto bytes = fs::file_size(path, failure);
    return failure ? 0 : static_cast<std::int64_t>(bytes);
  }
  std::int64_t bytes = 0;
  for (const auto& entry : fs::recursive_directory_iterator(path, failure)) {
    if (entry.is_regular_file(failure))
      bytes += static_cast<std::int64_t>(entry.file_size(failure));
  }
  return bytes;
}

}  // namespace apsp::cli
