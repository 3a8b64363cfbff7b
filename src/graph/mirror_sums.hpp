// Is a matrix its own transpose, told by its lines, in any order and by parts?
//
// For vectors x and y that know nothing of it, xᵀAy = yᵀAx holds of a symmetric matrix A always and
// of another one hardly ever (Freivalds 1977): not more often than 2 times in 2^61, with the values
// as integers and sums modulo 2^61 − 1. So each of several processes sums over lines of its own,
// once and in the order of storage, and nobody looks along the other way of a matrix in a file.
#pragma once

#include <apsp/graph.hpp>

#include <cstdint>

#include "graph/matrix_bands.hpp"

namespace apsp::graph {

/// xᵀAy − yᵀAx over some lines, modulo 2^61 − 1: of the halves of the values, 32 bits each.
struct MirrorSums {
  std::uint64_t low = 0, high = 0;

  void add(const MirrorSums& other);
  /// Of all lines: whether the matrix is symmetric.
  bool symmetric() const { return low == 0 && high == 0; }
};

/// +0 and −0 are one value. Requires: no NaN among the values.
MirrorSums mirror_sums(const WeightMatrix& matrix, Lines lines, int threads);

}  // namespace apsp::graph
