// From a matrix of weights, as a file holds it, to the matrix that Floyd-Warshall starts from.
//
// Values are converted on the way from one to the other, never stored as anything else: a mapped
// file is read at the memory's rate and its pages are given back behind the reader. Lines of a
// matrix by columns are turned in tiles that fit the cache.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <cstdint>

#include "kernels/contract.hpp"

namespace apsp::algorithms {

/// As `fill_adjacency_matrix`, for arcs that are held by a matrix. O(n²).
void copy_weight_matrix(const WeightMatrix& weights, Semiring semiring, ValueType type,
                        kernels::View matrix, int threads, const Control& control);

/// The same of rows [first, first + rows.rows) alone.
void copy_weight_rows(const WeightMatrix& weights, Semiring semiring, ValueType type,
                      std::int64_t first, kernels::View rows, int threads, const Control& control);

}  // namespace apsp::algorithms
