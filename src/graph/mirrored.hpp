// Detection of graphs whose arcs all have a reverse of equal weight. Their matrices are symmetric
// and take half the work to solve (`Graph::symmetric`).
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>
#include <optional>

#include "graph/matrix_scan.hpp"

namespace apsp {

/// An arc u → v, u ≠ v, without a reverse of equal weight, counting parallel arcs; the first by
/// increasing u. Empty if the matrix is symmetric in every semiring. O(n + m), O(n²) for a matrix.
/// `threads`: 0 for all. Requires: `graph` is directed.
std::optional<Edge> find_unmirrored(const Graph& graph, int threads = 0);

}  // namespace apsp

namespace apsp::graph {

/// xᵀAy − yᵀAx over some lines, modulo 2^61 − 1, separately for the 32-bit halves of the values.
///
/// The sum over all lines, with random vectors x and y, is 0 for every symmetric integer matrix A,
/// and for others with probability at most 2 / 2^61 (Freivalds 1977). Each of several processes
/// sums over its own lines in storage order.
struct MirrorSums {
  std::uint64_t low = 0, high = 0;

  void add(const MirrorSums& other);
  /// Whether the matrix is symmetric. Requires: the sums cover all lines.
  bool symmetric() const { return low == 0 && high == 0; }
};

/// +0 and −0 are equal. Requires: no value is NaN.
MirrorSums mirror_sums(const WeightMatrix& matrix, Lines lines, int threads);

}  // namespace apsp::graph
