#include "sparse/order.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <apsp/error.hpp>
#include <functional>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/control.hpp"
#include "graph/arc_walk.hpp"
#include "sparse/dissection.hpp"
#include "sparse/metis_graph.hpp"
#include "sparse/minimum_degree.hpp"
#include "sparse/small_degrees.hpp"

namespace apsp::sparse {
namespace {

void tidy_rows(Pattern& pattern) {
  std::int64_t kept = 0;
  for (std::size_t v = 0; v + 1 < pattern.offsets.size(); ++v) {
    base::poll(v);
    const auto begin = pattern.neighbours.begin() + (v == 0 ? 0 : pattern.offsets[v]);
    const auto end = pattern.neighbours.begin() + pattern.offsets[v + 1];
    std::sort(begin, end);
    const auto last = std::unique(begin, end);
    const auto to = pattern.neighbours.begin() + kept;
    if (to != begin) std::copy(begin, last, to);
    pattern.offsets[v] = kept;
    kept += last - begin;
  }
  pattern.offsets.back() = kept;
  pattern.neighbours.resize(static_cast<std::size_t>(kept));
}

std::int64_t pattern_bytes(std::int64_t vertices, std::int64_t neighbours) {
  return (vertices + 1) * std::int64_t{sizeof(std::int64_t)} +
         neighbours * std::int64_t{sizeof(Vertex)};
}

/// Bytes of a vertex: the order and then its elimination tree; while small degrees are eliminated.
constexpr std::int64_t kVertex = 40, kTakenAway = 24;

bool few_are_small(const SmallDegrees& small, const Pattern& pattern) {
  return std::ssize(small.eliminated) * kFewestEliminated < pattern.vertices();
}

constexpr std::int64_t kMostVertices = std::numeric_limits<Position>::max();

// Share of the remaining vertices that every degree reaches when minimum degree stops.
constexpr double kDense = 0.5;
constexpr std::int64_t kLeastRest = 8;

using PartNumber = std::int64_t;

std::vector<PartNumber> parts_of(const Pattern& pattern, PartNumber parts) {
  const std::int64_t n = pattern.vertices();
  std::vector<PartNumber> part_of(static_cast<std::size_t>(n));
  if (parts == 1) return part_of;
  if (parts >= n) {
    std::iota(part_of.begin(), part_of.end(), PartNumber{0});
    return part_of;
  }
  const auto alone = alone_with_metis();
  const std::vector<idx_t> found = MetisGraph(pattern).parts(static_cast<idx_t>(parts));
  std::copy(found.begin(), found.end(), part_of.begin());
  return part_of;
}

}  // namespace

Pattern pattern_of(const Graph& graph) {
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  Pattern pattern;
  pattern.offsets.assign(n + 1, 0);
  if (graph.symmetric()) {  // rows are sorted and hold both ends
    pattern.neighbours.reserve(static_cast<std::size_t>(graph.arc_count()));
    graph.visit_all([&](Vertex from, Vertex to, double) {
      std::int64_t& degree = pattern.offsets[from + std::size_t{1}];
      if (from == to || (degree > 0 && pattern.neighbours.back() == to)) return;
      ++degree;
      pattern.neighbours.push_back(to);
    });
    std::partial_sum(pattern.offsets.begin(), pattern.offsets.end(), pattern.offsets.begin());
    return pattern;
  }
  graph.visit_all([&](Vertex from, Vertex to, double) {
    if (from == to) return;
    ++pattern.offsets[from + std::size_t{1}];
    ++pattern.offsets[to + std::size_t{1}];
  });
  std::partial_sum(pattern.offsets.begin(), pattern.offsets.end(), pattern.offsets.begin());
  pattern.neighbours.resize(static_cast<std::size_t>(pattern.offsets.back()));
  std::vector<std::int64_t> next(pattern.offsets.begin(), pattern.offsets.end() - 1);
  graph.visit_all([&](Vertex from, Vertex to, double) {
    if (from == to) return;
    at(pattern.neighbours, next[from]++) = to;
    at(pattern.neighbours, next[to]++) = from;
  });
  tidy_rows(pattern);
  return pattern;
}

Pattern contracted(const Pattern& pattern, std::int64_t groups,
                   const std::function<Vertex(Vertex)>& group_of) {
  Pattern found;
  found.offsets.assign(static_cast<std::size_t>(groups) + 1, 0);
  const auto visit = [&](const auto& take) {
    for (Vertex v = 0; v < pattern.vertices(); ++v) {
      const Vertex from = group_of(v);
      for (const Vertex to : pattern.of(v)) {
        if (const Vertex other = group_of(to); other != from) take(from, other);
      }
    }
  };
  visit([&](Vertex from, Vertex) { ++found.offsets[from + std::size_t{1}]; });
  std::partial_sum(found.offsets.begin(), found.offsets.end(), found.offsets.begin());
  found.neighbours.resize(static_cast<std::size_t>(found.offsets.back()));
  std::vector<std::int64_t> next(found.offsets.begin(), found.offsets.end() - 1);
  visit([&](Vertex from, Vertex to) { at(found.neighbours, next[from]++) = to; });
  tidy_rows(found);
  return found;
}

Order order_of(std::vector<Vertex> vertex_at, std::size_t vertices) {
  Order order;
  order.position_of.assign(std::max(vertex_at.size(), vertices), -1);
  Position position = 0;
  for (const Vertex v : vertex_at) {
    if (v >= order.position_of.size() || order.position_of[v] >= 0) {
      throw Error(ErrorKind::defect, fmt::format("the order holds vertex {} twice or wrongly", v));
    }
    order.position_of[v] = position++;
  }
  order.vertex_at = std::move(vertex_at);
  return order;
}

Order natural_order(std::int64_t n) {
  if (n > kMostVertices) {
    throw Error(ErrorKind::does_not_fit, fmt::format("an order has at most {} vertices, and the "
                                                     "graph has {}; solve with `algorithm=johnson`",
                                                     kMostVertices, n));
  }
  return order_of(graph::all_vertices(n));
}

std::int64_t ordering_bytes(const OrderSizes& sizes, int workers) {
  const std::int64_t n = sizes.vertices, of_pattern = pattern_bytes(n, sizes.neighbours);
  std::int64_t beside = dissection_bytes(sizes.core_vertices, sizes.core_neighbours, workers);
  if (sizes.core_vertices < n) {
    beside += n * std::int64_t{sizeof(Vertex)} +
              pattern_bytes(sizes.core_vertices, sizes.core_neighbours);
    beside = std::max(beside, 2 * of_pattern + n * kTakenAway);
  }
  return of_pattern + std::max(n * kVertex, beside);
}

OrderSizes order_sizes(const Pattern& pattern) {
  const std::int64_t n = pattern.vertices(), neighbours = std::ssize(pattern.neighbours);
  const SmallDegrees small = eliminate_small_degrees(pattern);
  if (few_are_small(small, pattern)) return {n, neighbours, n, neighbours};
  return {n, neighbours, small.core.vertices(), std::ssize(small.core.neighbours)};
}

Order nested_dissection(const Pattern& pattern, const OrderOptions& options) {
  require_numbered(pattern);
  const std::int64_t n = pattern.vertices(), neighbours = std::ssize(pattern.neighbours);
  const auto with_bytes = [&](std::vector<Vertex> vertex_at, std::int64_t bytes) {
    Order order = order_of(std::move(vertex_at));
    order.peak_bytes = bytes;
    return order;
  };
  if (share_of_hubs(pattern) >= kShareOfHubs) {
    MinimumDegree found = minimum_degree(pattern, kDense);
    if (std::ssize(found.rest) * kLeastRest >= pattern.vertices()) {
      std::vector<Vertex> vertex_at = std::move(found.eliminated);
      vertex_at.insert(vertex_at.end(), found.rest.begin(), found.rest.end());
      const std::int64_t of_pattern = pattern_bytes(n, neighbours);
      return with_bytes(std::move(vertex_at),
                        of_pattern + std::max(n * kVertex, 2 * of_pattern + n * kTakenAway));
    }
  }
  SmallDegrees small = eliminate_small_degrees(pattern);
  if (few_are_small(small, pattern)) {
    small = {};
    return with_bytes(dissected(pattern, options),
                      ordering_bytes({n, neighbours, n, neighbours}, options.workers));
  }
  const OrderSizes sizes{n, neighbours, small.core.vertices(), std::ssize(small.core.neighbours)};
  std::vector<Vertex> vertex_at = std::move(small.eliminated);
  for (const Vertex place : dissected(small.core, options)) vertex_at.push_back(small.rest[place]);
  return with_bytes(std::move(vertex_at), ordering_bytes(sizes, options.workers));
}

BoundaryOrder boundary_order(const Pattern& pattern, std::int64_t parts) {
  if (parts < 1) throw Error(ErrorKind::defect, "the boundary algorithm needs a part or more");
  const std::vector<PartNumber> part_of = parts_of(pattern, parts);
  std::vector<Vertex> vertices = natural_order(pattern.vertices()).vertex_at;
  std::vector<bool> on_boundary(vertices.size());
  for (const Vertex v : vertices) {
    const auto of_v = pattern.of(v);
    on_boundary[v] =
        std::any_of(of_v.begin(), of_v.end(), [&](Vertex to) { return part_of[v] != part_of[to]; });
  }
  // If a part is not connected, no other vertex of the part may reach some of its boundary.
  std::vector<bool> hangs(vertices.size() + 1);  // by part
  for (const Vertex v : vertices) {
    if (on_boundary[v]) continue;
    for (const Vertex to : pattern.of(v)) {
      if (on_boundary[to]) at(hangs, part_of[v]) = true;
    }
  }
  const auto place = [&](Vertex v) {
    const bool below = at(hangs, part_of[v]);
    return std::tuple(bool{on_boundary[v]}, below, part_of[v]);
  };
  std::stable_sort(vertices.begin(), vertices.end(),
                   [&](Vertex a, Vertex b) { return place(a) < place(b); });
  BoundaryOrder found;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const Vertex v = vertices[i];
    const bool begins = i == 0 || on_boundary[v] != on_boundary[vertices[i - 1]] ||
                        (!on_boundary[v] && part_of[v] != part_of[vertices[i - 1]]);
    if (begins) found.first.push_back(static_cast<Position>(i));
  }
  found.order = order_of(std::move(vertices));
  return found;
}

}  // namespace apsp::sparse
