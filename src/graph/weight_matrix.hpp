// From a matrix of weights, as a file holds it, to the matrix that Floyd-Warshall starts from.
//
// Values are converted on the way from one to the other, never stored as anything else: a mapped
// file is read at the memory's rate and its pages are given back behind the reader. Lines of a
// matrix by columns are transposed in tiles that fit the cache.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <cstdint>
#include <span>

#include "kernels/contract.hpp"

namespace apsp::graph {

/// As `fill_adjacency_matrix`, for arcs that are held by a matrix. O(n²).
void copy_weight_matrix(const WeightMatrix& weights, Semiring semiring, ValueType type,
                        kernels::View matrix, int threads, const Control& control);

/// The same of rows [first, first + rows.rows) alone.
void copy_weight_rows(const WeightMatrix& weights, Semiring semiring, ValueType type,
                      std::int64_t first, kernels::View rows, int threads, const Control& control);

/// Neighbouring vertices whose rows, or columns, a part of a matrix holds.
struct Stretch {
  std::int64_t here = 0;   ///< where the first of them is in the part
  std::int64_t there = 0;  ///< the first of them
  std::int64_t count = 0;
};

/// The same of a part: rows × columns, stretch by stretch. Of a matrix by rows reads what the part
/// holds of its rows, of one by columns of its columns, and nothing else.
void copy_weight_part(const WeightMatrix& weights, Semiring semiring, ValueType type,
                      std::span<const Stretch> rows, std::span<const Stretch> columns,
                      kernels::View part, int threads, const Control& control);

}  // namespace apsp::graph
