#include "round_trip.hpp"

#include <unistd.h>
#include <apsp/error.hpp>

#include <filesystem>
#include <iterator>
#include <numeric>
#include <string>

#include "report.hpp"

namespace apsp::fuzz {
namespace {

constexpr std::int64_t kMostVertices = 5000;       // of graphs that are written as text
constexpr std::int64_t kMostMatrixVertices = 200;  // of graphs that are written as matrices

/// A scratch file; TMPDIR says where.
const std::string& scratch() {
  static const std::string path =
      (std::filesystem::temp_directory_path() / ("apsp-fuzz-" + std::to_string(::getpid())))
          .string();
  static const struct Cleaner {
    ~Cleaner() {
      for (const char* const suffix : {"", ".csv"}) std::filesystem::remove(scratch() + suffix);
    }
  } cleaner;
  return path;
}

/// Half of all inputs, or more, are read as they are, others with an option of their format.
ReadOptions read_options(std::optional<GraphFormat> format, std::size_t choice) {
  ReadOptions options{.format = format};
  if (choice < 2) options.directed = choice == 0;
  if (format == GraphFormat::as_rel) {
    if (choice == 2) options.as_rel = AsRelPolicy::down;
    if (choice == 3) options.as_rel = AsRelPolicy::up;
  } else if (!format || format == GraphFormat::edge_list) {
    if (choice == 2) options.columns = EdgeListColumns{2, 1, 0};
    if (choice == 3) options.columns = EdgeListColumns{1, 3, 2};
  }
  return options;
}

std::optional<Graph> read(const std::uint8_t* data, std::size_t size, const ReadOptions& options) {
  try {
    return parse_graph({reinterpret_cast<const char*>(data), size}, "input", options);
  } catch (const Error& error) {
    const std::string message = error.what();
    const bool optional = options.directed || options.columns || options.as_rel;
    if (optional && error.kind() == ErrorKind::usage) return std::nullopt;  // not of this file
    if (error.kind() != ErrorKind::input && error.kind() != ErrorKind::does_not_fit) {
      report("an error of the wrong kind: " + message);
    }
    if (message.find("input") != 0) report("an error without the file's name: " + message);
    return std::nullopt;
  }
}

/// False if the format cannot hold the graph.
bool write(const Graph& graph, const std::string& path, GraphFormat format) {
  try {
    write_graph(graph, path, format);
    return true;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::usage) report(error.what());
    return false;
  }
}

/// `suffix`: of the file, which says what separates the fields of an edge list.
void check_round_trip(const Graph& graph, GraphFormat format, const char* suffix) {
  const std::string path = scratch() + suffix;
  if (!write(graph, path, format)) return;
  ReadOptions options{.format = format};
  const bool matrix = format == GraphFormat::numpy;
  if (matrix) options.directed = graph.directed();
  const Graph again = read_graph(path, options);
  // A matrix counts from 0 and drops loops that are harmless.
  const bool lossy = matrix && (graph.first_id() != 0 || graph.loop_count() > 0);
  if (!lossy && again.digest() != graph.digest()) {
    report("read back differently from " + std::string(name(format)));
  }
}

}  // namespace

void check_reader(const std::uint8_t* data, std::size_t size, std::optional<GraphFormat> format) {
  std::size_t choice = std::accumulate(data, data + size, size);
  const auto choose = [&](std::size_t bound) {
    const std::size_t chosen = choice % bound;
    choice /= bound;
    return chosen;
  };
  // Files take more time than all else: each input is written in one way, which its bytes choose.
  struct Way {
    GraphFormat format;
    const char* suffix;
  };
  static constexpr Way kWays[] = {{GraphFormat::matrix_market, ""}, {GraphFormat::dimacs, ""},
                                  {GraphFormat::edge_list, ""},     {GraphFormat::metis, ""},
                                  {GraphFormat::edge_list, ".csv"}, {GraphFormat::numpy, ""}};
  const Way& way = kWays[choose(std::size(kWays))];
  const std::optional<Graph> graph = read(data, size, read_options(format, choose(8)));
  if (!graph || graph->vertex_count() > kMostVertices) return;
  if (way.format == GraphFormat::numpy && graph->vertex_count() > kMostMatrixVertices) return;
  check_round_trip(*graph, way.format, way.suffix);
}

}  // namespace apsp::fuzz
