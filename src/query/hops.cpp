#include "query/hops.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <optional>

namespace apsp::query {
namespace {

/// A path's value from the value before its last edge; of or-and no number that anyone reads.
double extended(Semiring semiring, double so_far, double edge) {
  if (semiring == Semiring::max_min) return std::min(so_far, edge);
  if (semiring == Semiring::min_max) return std::max(so_far, edge);
  return so_far + edge;
}

/// Whether `a` is the better of two parallel edges.
bool better(Semiring semiring, double a, double b) {
  const bool larger = semiring == Semiring::max_min || semiring == Semiring::max_plus;
  return larger ? a > b : a < b;
}

double best_weight(const Graph& graph, Semiring semiring, Vertex from, Vertex to) {
  std::optional<double> best;
  graph.for_each_arc_between(from, to, [&](double weight) {
    if (!best || better(semiring, weight, *best)) best = weight;
  });
  if (!best) {
    throw Error(ErrorKind::input, fmt::format("the graph has no edge {} to {}: it is not the graph "
                                              "that was solved",
                                              graph.name(from), graph.name(to)));
  }
  return *best;
}

}  // namespace

std::vector<Hop> hops(const Graph& graph, Semiring semiring, ValueType type,
                      std::span<const Vertex> path) {
  double so_far = empty_path(semiring, type);
  std::vector<Hop> list;
  for (std::size_t i = 1; i < path.size(); ++i) {
    const double weight = best_weight(graph, semiring, path[i - 1], path[i]);
    so_far = extended(semiring, so_far, weight);
    list.push_back({path[i - 1], path[i], weight, so_far});
  }
  return list;
}

}  // namespace apsp::query
