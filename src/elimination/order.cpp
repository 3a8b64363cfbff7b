#include "elimination/order.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <limits>
#include <numeric>
#include <utility>

#include "elimination/metis_graph.hpp"
#include "elimination/minimum_degree.hpp"
#include "elimination/small_degrees.hpp"

namespace apsp::elimination {
namespace {

constexpr std::int64_t kMostVertices = std::numeric_limits<Position>::max();

// What is left between hubs is one dense matrix, if one vertex in so many is left when every degree
// is a half of all.
constexpr double kDense = 0.5;
constexpr std::int64_t kLeastRest = 8;

/// All vertices, separators last, by METIS.
std::vector<Vertex> dissected(const Pattern& pattern) {
  if (pattern.neighbours.empty()) return natural_order(pattern.vertices()).vertex_at;
  MetisGraph graph(pattern);
  std::vector<idx_t> vertex_at(graph.offsets.size()), position_of(graph.offsets.size());
  run_metis("METIS_NodeND", [&] {
    return METIS_NodeND(&graph.vertices, graph.offsets.data(), graph.neighbours.data(), nullptr,
                        graph.options, vertex_at.data(), position_of.data());
  });
  return {vertex_at.begin(), vertex_at.begin() + pattern.vertices()};
}

}  // namespace

Order order_of(std::vector<Vertex> vertex_at) {
  Order order;
  order.position_of.assign(vertex_at.size(), -1);
  Position position = 0;
  for (const Vertex v : vertex_at) {
    if (v >= vertex_at.size() || order.position_of[v] >= 0) {
      throw Error(ErrorKind::defect, fmt::format("the order holds vertex {} twice or wrongly", v));
    }
    order.position_of[v] = position++;
  }
  order.vertex_at = std::move(vertex_at);
  return order;
}

Order natural_order(std::int64_t n) {
  if (n > kMostVertices) {
    throw Error(ErrorKind::does_not_fit,
                fmt::format("an order has at most {} vertices, and there are {}; solve with "
                            "--algorithm johnson",
                            kMostVertices, n));
  }
  std::vector<Vertex> vertex_at(static_cast<std::size_t>(n));
  std::iota(vertex_at.begin(), vertex_at.end(), Vertex{0});
  return order_of(std::move(vertex_at));
}

Order nested_dissection(const Pattern& pattern) {
  require_numbered(pattern);
  if (share_of_hubs(pattern) >= kShareOfHubs) {
    MinimumDegree found = minimum_degree(pattern, kDense);
    if (std::ssize(found.rest) * kLeastRest >= pattern.vertices()) {
      std::vector<Vertex> vertex_at = std::move(found.eliminated);
      vertex_at.insert(vertex_at.end(), found.rest.begin(), found.rest.end());
      return order_of(std::move(vertex_at));
    }
  }
  SmallDegrees small = eliminate_small_degrees(pattern);
  if (std::ssize(small.eliminated) * kFewestEliminated < pattern.vertices()) {
    return order_of(dissected(pattern));
  }
  std::vector<Vertex> vertex_at = std::move(small.eliminated);
  for (const Vertex place : dissected(small.core)) vertex_at.push_back(small.rest[place]);
  return order_of(std::move(vertex_at));
}

}  // namespace apsp::elimination
