// Whether all arcs come in pairs, one each way and of equal weight. The matrix of such a graph is
// symmetric and takes half the work to solve (`Graph::symmetric`). A file that lists an undirected
// edge from both its ends has such pairs too.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>
#include <optional>

#include "graph/matrix_scan.hpp"

namespace apsp {

/// An arc u → v, u ≠ v, whose mirror image v → u of the same weight is missing, counting parallel
/// arcs; nothing if the matrix is symmetric in every semiring. O(n + m), of a matrix O(n²), and it
/// ends at the first such arc by rising u. `threads`: 0 for all. Requires: `graph` is directed.
std::optional<Edge> find_unmirrored(const Graph& graph, int threads = 0);

}  // namespace apsp

namespace apsp::graph {

/// xᵀAy − yᵀAx over some lines, modulo 2^61 − 1: of the halves of the values, 32 bits each.
///
/// For random vectors x and y, xᵀAy = yᵀAx holds for every symmetric matrix A, and for another one
/// with a probability of at most 2 in 2^61 (Freivalds 1977), with the values as integers. So each
/// of several processes sums over its own lines, in the order of storage.
struct MirrorSums {
  std::uint64_t low = 0, high = 0;

  void add(const MirrorSums& other);
  /// Of all lines: whether the matrix is symmetric.
  bool symmetric() const { return low == 0 && high == 0; }
};

/// +0 and −0 are one value. Requires: no NaN among the values.
MirrorSums mirror_sums(const WeightMatrix& matrix, Lines lines, int threads);

}  // namespace apsp::graph
