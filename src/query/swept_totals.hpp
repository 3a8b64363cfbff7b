// What has been counted of distances that come vertex by vertex: of one thread, or of all.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/aligned_memory.hpp"
#include "query/column_sums.hpp"
#include "query/row_sweep.hpp"
#include "query/swept_row.hpp"

namespace apsp::query {

/// The greatest distance of a vertex, and the smallest vertex at that distance.
struct Farthest {
  double distance = -std::numeric_limits<double>::infinity();
  Vertex vertex = kNoVertex;  // none: no distance yet

  void raise(double other, Vertex at) {
    if (other < distance || (other == distance && at >= vertex)) return;
    distance = other;
    vertex = at;
  }
};

struct SweptTotals {
  /// For n vertices; `cells`: 0 with or-and.
  SweptTotals(std::int64_t n, std::int64_t cells)
      : counts(cells * std::int64_t{sizeof(std::int64_t)}),
        sum(n, n),
        harmonic(n, n),
        reached(static_cast<std::size_t>(n)),
        farthest(static_cast<std::size_t>(n)) {}

  void add(const SweptTotals& other);

  base::AlignedMemory counts;          // [cells] of int64
  ColumnSums sum;                      // [n] of incoming distances
  ColumnSums harmonic;                 // [n] of their reciprocals
  std::vector<std::uint32_t> reached;  // [n]
  std::vector<Farthest> farthest;      // [n]; min-plus only
  Extremes<double> range = {std::numeric_limits<double>::infinity(),
                            -std::numeric_limits<double>::infinity()};
};

}  // namespace apsp::query
