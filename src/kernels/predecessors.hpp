// Predecessors on a device, from rows of distances.
//
// An arc (u, v) of weight w is tight in a row if d(u) ⊗ w = d(v). Breadth-first searches over tight
// arcs give each vertex the path of the fewest arcs. Like those of the host (paths/path_trees.hpp),
// they enter no cycle, whatever its weight.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/contract.hpp"
#include "kernels/searches.hpp"

namespace apsp::kernels {

/// Bytes of a predecessor: 2 if 16 bits hold all vertices, else 4. All bits are set for none.
constexpr int predecessor_size(std::int64_t vertices) {
  constexpr std::int64_t kNone = 0xFFFF;
  return vertices <= kNone ? 2 : 4;
}

/// Row i ← the vertex before each vertex on a best path from sources[i] with the fewest arcs, then
/// the smallest such vertex; none for the source and without a path. Requires: sums are exact.
struct SearchedPredecessors {
  View predecessors;                       ///< [sources, vertices] of `predecessor_size`
  ConstView distances;                     ///< the same shape; values of the device
  const std::uint32_t* sources = nullptr;  ///< [predecessors.rows]
  const std::uint32_t* first = nullptr;    ///< [vertices + 1] arcs of all earlier vertices
  const std::byte* arcs = nullptr;         ///< [arc_count] `SearchArc` of the value type
  std::int64_t arc_count = 0;
  std::int64_t searches = 0;  ///< concurrent, at most
  /// Counts rows with distances that no path of tight arcs has; they do not belong to the graph.
  std::uint32_t* torn = nullptr;
  std::byte* scratch = nullptr;  ///< [predecessor_bytes(vertices, searches)]
};

/// Bytes of counters, then for each search: vertices, bits, and a row of 32 bits if needed.
constexpr std::int64_t predecessor_bytes(std::int64_t vertices, std::int64_t searches) {
  constexpr std::int64_t kShared = 256, kNumber = sizeof(std::uint32_t);
  const std::int64_t rows = predecessor_size(vertices) < kNumber ? 2 : 1;
  return kShared + searches * (rows * vertices + (vertices + 31) / 32) * kNumber;
}

}  // namespace apsp::kernels
