// Fills the matrix from which Floyd-Warshall starts, from a graph or a caller's matrix.
//
// The values of a graph that is stored as a matrix are converted directly. A mapped file is read at
// memory speed, and its pages are released after they are read. A column-major matrix is transposed
// in tiles that fit the cache.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <apsp/semiring.hpp>
#include <cstdint>
#include <span>

#include "kernels/contract.hpp"

namespace apsp::graph {

/// The same as `fill_adjacency_matrix`, for arcs stored as a matrix. O(n²).
void copy_weight_matrix(const WeightMatrix& weights, Semiring semiring, ValueType type,
                        kernels::View matrix, int threads, const Control& control);

/// A run of consecutive vertices whose rows or columns belong to a part of a matrix.
struct Stretch {
  std::int64_t here = 0;
  std::int64_t there = 0;
  std::int64_t count = 0;
};

/// The same for a part: rows × columns, run by run. Reads only the part's rows of a row-major
/// matrix, or its columns of a column-major one.
void copy_weight_part(const WeightMatrix& weights, Semiring semiring, ValueType type,
                      std::span<const Stretch> rows, std::span<const Stretch> columns,
                      kernels::View part, int threads, const Control& control);

/// Sets matrix [n, n] to the best arc of every ordered pair, or "no path"; diagonal entries are the
/// empty path or better. Requires: every weight fits `type` (planner/value_type.hpp). O(n² + m),
/// rows in parallel. Throws `Error` (interrupted).
void fill_adjacency_matrix(const Graph& graph, Semiring semiring, ValueType type,
                           kernels::View matrix, int threads, const Control& control = {});

/// The same for rows [first, first + rows.rows), as `rows` [rows, n].
void fill_adjacency_rows(const Graph& graph, Semiring semiring, ValueType type, std::int64_t first,
                         kernels::View rows, int threads, const Control& control = {});

struct MatrixFacts {
  bool negative = false;
  bool positive = false;
  bool integral = true;  ///< every finite value is an integer of magnitude ≤ 2^53
  double largest = 0;
  double longest_path = 0;  ///< no simple path is longer: Σ over rows of the largest magnitude
};

/// Improves the diagonal to the empty path and examines every value. Throws `Error` (usage) with
/// the place of a NaN or a value beyond "no path".
MatrixFacts prepare_matrix(Semiring semiring, ValueType type, kernels::View matrix, int threads);

/// Throws `Error` (usage) for the bad value at row · n + column.
[[noreturn]] void refuse_value(std::int64_t place, std::int64_t n);

void put_back_diagonal(Semiring semiring, ValueType type, kernels::View matrix);

}  // namespace apsp::graph
