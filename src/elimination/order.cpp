#include "elimination/order.hpp"

#include <fmt/format.h>
#include <metis.h>
#include <apsp/error.hpp>

#include <limits>
#include <numeric>
#include <utility>

#include "base/blocked_signals.hpp"
#include "elimination/small_degrees.hpp"

namespace apsp::elimination {
namespace {

constexpr std::int64_t kMostVertices = std::numeric_limits<Position>::max();
constexpr std::int64_t kMostNeighbours = std::numeric_limits<idx_t>::max();
/// METIS sees all of a graph of which fewer than one in so many vertices have small degrees.
constexpr std::int64_t kFewestEliminated = 8;

[[noreturn]] void refuse(std::int64_t count, const char* what, std::int64_t most) {
  throw Error(ErrorKind::does_not_fit,
              fmt::format("nested dissection numbers at most {} {}, and there are {}; solve with "
                          "--algorithm dijkstra",
                          most, what, count));
}

/// Throws unless METIS did what it was asked for.
void require_ordered(int status) {
  if (status == METIS_OK) return;
  if (status == METIS_ERROR_MEMORY) {
    throw Error(ErrorKind::does_not_fit, "METIS has no memory for nested dissection");
  }
  throw Error(ErrorKind::defect, fmt::format("METIS_NodeND failed with status {}", status));
}

/// All vertices, separators last, by METIS.
std::vector<Vertex> dissected(const Pattern& pattern) {
  if (pattern.neighbours.empty()) return natural_order(pattern.vertices()).vertex_at;
  auto count = static_cast<idx_t>(pattern.vertices());
  std::vector<idx_t> offsets(pattern.offsets.begin(), pattern.offsets.end());
  std::vector<idx_t> neighbours(pattern.neighbours.begin(), pattern.neighbours.end());
  std::vector<idx_t> vertex_at(pattern.offsets.size()), position_of(pattern.offsets.size());
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  {
    // METIS answers SIGTERM itself while it works, with a jump that ends the process if another
    // thread takes the signal. It waits here until METIS is done.
    const base::BlockedSignals blocked;
    require_ordered(METIS_NodeND(&count, offsets.data(), neighbours.data(), nullptr, options,
                                 vertex_at.data(), position_of.data()));
  }
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
  if (n > kMostVertices) refuse(n, "vertices", kMostVertices);
  std::vector<Vertex> vertex_at(static_cast<std::size_t>(n));
  std::iota(vertex_at.begin(), vertex_at.end(), Vertex{0});
  return order_of(std::move(vertex_at));
}

Order nested_dissection(const Pattern& pattern) {
  const std::int64_t n = pattern.vertices();
  if (n > kMostVertices) refuse(n, "vertices", kMostVertices);
  if (std::ssize(pattern.neighbours) > kMostNeighbours) {
    refuse(std::ssize(pattern.neighbours), "neighbours", kMostNeighbours);
  }
  SmallDegrees small = eliminate_small_degrees(pattern);
  if (std::ssize(small.eliminated) * kFewestEliminated < n) return order_of(dissected(pattern));
  std::vector<Vertex> vertex_at = std::move(small.eliminated);
  for (const Vertex place : dissected(small.core)) vertex_at.push_back(small.rest[place]);
  return order_of(std::move(vertex_at));
}

}  // namespace apsp::elimination
