// Graphs as METIS takes them, and calls of METIS (Karypis 1998).
//
// METIS keeps random numbers and signal handlers for the whole process, so one thread at a time may
// call it. Each call sets the seed, so that its result depends on nothing else.
#pragma once

#include <metis.h>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "sparse/order.hpp"

namespace apsp::sparse {

/// Throws `Error` (does_not_fit) for more vertices or arcs than METIS can number.
void require_numbered(const Pattern& pattern);

/// Locks METIS for this thread; not recursive. A child of fork() has a lock of its own.
[[nodiscard]] std::unique_lock<std::mutex> alone_with_metis();

inline constexpr idx_t kSides = 2, kSeparator = 2;

struct MetisGraph {
  MetisGraph() = default;
  /// Throws as `require_numbered`.
  explicit MetisGraph(const Pattern& pattern);

  std::int64_t vertices() const { return std::ssize(offsets) - 1; }

  // All throw `Error`: does_not_fit if METIS runs out of memory; defect. Require an edge.
  /// [n] all vertices, separators last.
  std::vector<idx_t> nested_dissection(idx_t seed);
  /// [n] the side of each vertex, 0 or 1, or `kSeparator`. No edge joins the sides.
  std::vector<idx_t> separator(idx_t seed);
  /// [n] the part of each vertex, so that few edges join parts. Requires: 1 < parts < n.
  std::vector<idx_t> parts(idx_t parts);

  std::vector<idx_t> offsets = {0};  // [n + 1]
  std::vector<idx_t> neighbours;
};

}  // namespace apsp::sparse
