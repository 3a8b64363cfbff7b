// Graphs as METIS takes them, and what it is asked for (Karypis 1998).
//
// METIS keeps its random numbers and its answer to signals once for each process: one thread at a
// time calls it. Each call begins with a seed, so that its answer depends on nothing else.
#pragma once

#include <metis.h>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "elimination/order.hpp"

namespace apsp::elimination {

/// Throws `Error` (does_not_fit) for more vertices or arcs than METIS can number.
void require_numbered(const Pattern& pattern);

/// Until it is released no other thread of this process calls METIS. A child of fork() has a lock
/// of its own. Not to be taken twice by one thread.
[[nodiscard]] std::unique_lock<std::mutex> alone_with_metis();

/// Sides of a separator, as METIS names them.
inline constexpr idx_t kSides = 2, kSeparator = 2;

struct MetisGraph {
  MetisGraph() = default;
  /// Throws as above.
  explicit MetisGraph(const Pattern& pattern);

  std::int64_t vertices() const { return std::ssize(offsets) - 1; }

  // Each throws `Error`: does_not_fit where METIS has no memory; defect.
  /// [n] all vertices in an order whose separators come last. Requires: an edge.
  std::vector<idx_t> nested_dissection(idx_t seed);
  /// [n] the side of each vertex, 0 or 1, or `kSeparator`, which no edge passes by. Requires: an
  /// edge.
  std::vector<idx_t> separator(idx_t seed);
  /// [n] the part of each vertex, so that few edges lead from part to part. Requires:
  /// 1 < parts < n.
  std::vector<idx_t> parts(idx_t parts);

  std::vector<idx_t> offsets = {0};  // [n + 1]
  std::vector<idx_t> neighbours;
};

}  // namespace apsp::elimination
