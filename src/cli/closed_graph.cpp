#include "cli/closed_graph.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <filesystem>
#include <vector>

#include "base/control.hpp"

namespace apsp::cli {
namespace {

constexpr std::int64_t kFewest = 3;  // vertices; two that are joined are always such a graph

/// Whether an arc of v is the distance, for each of the other vertices. Distances may be narrower.
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

bool has_only_distances(const Result& result, const Control& control) {
  const Graph& graph = result.graph();
  const std::int64_t n = graph.vertex_count();
  if (n < kFewest || graph.arc_count() - graph.loop_count() < n * (n - 1)) return false;
  if (result.semiring() == Semiring::or_and) return false;  // weights play no part
  for (Vertex v = 0; v < n; ++v) {
    base::check_cancelled(control);
    if (!has_distances_as_arcs(result, v)) return false;
  }
  return true;
}

}  // namespace

void require_other_file(const std::string& result, const std::string& graph) {
  std::error_code failure;
  if (!std::filesystem::equivalent(result, graph, failure)) return;
  throw Error(ErrorKind::usage,
              fmt::format("{} holds the distances, and is not the graph they were found in: name "
                          "the graph that was solved",
                          graph));
}

void warn_of_distances(Session& session, const Result& result, const std::string& graph) {
  if (!has_only_distances(result, session.control())) return;
  session.note(
      fmt::format("warning: {} looks like a matrix of distances: all pairs have an arc, and it is "
                  "the shortest path. Name the graph that was solved if that is another one",
                  graph));
}

}  // namespace apsp::cli
