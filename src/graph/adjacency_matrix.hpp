// From a graph, or a caller's matrix, to the matrix that Floyd-Warshall starts from.
//
// The values of a graph that is held as a matrix are converted on the way, never stored as anything
// else: a mapped file is read at the memory's rate and its pages are given back behind the reader.
// Lines of a matrix by columns are transposed in tiles that fit the cache.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <apsp/semiring.hpp>
#include <cstdint>
#include <span>

#include "kernels/contract.hpp"

namespace apsp::graph {

/// As `fill_adjacency_matrix`, for arcs that are held by a matrix. O(n²).
void copy_weight_matrix(const WeightMatrix& weights, Semiring semiring, ValueType type,
                        kernels::View matrix, int threads, const Control& control);

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

/// matrix [n, n] ← the best arc of every ordered pair; no path where there is none; the empty path
/// or better on the diagonal. Requires: every weight fits `type` (planner/value_type.hpp).
/// O(n² + m), rows in parallel. Throws `Error` (interrupted).
void fill_adjacency_matrix(const Graph& graph, Semiring semiring, ValueType type,
                           kernels::View matrix, int threads, const Control& control = {});

/// The same of rows [first, first + rows.rows), as `rows` [rows, n].
void fill_adjacency_rows(const Graph& graph, Semiring semiring, ValueType type, std::int64_t first,
                         kernels::View rows, int threads, const Control& control = {});

/// What the values of a caller's matrix allow.
struct MatrixFacts {
  bool negative = false;    ///< some finite value is below 0
  bool positive = false;    ///< some finite value is above 0
  bool integral = true;     ///< every finite value is an integer of magnitude ≤ 2^53
  double largest = 0;       ///< magnitude of a finite value
  double longest_path = 0;  ///< no simple path is longer: Σ over rows of the largest magnitude
};

/// Improves the diagonal to the empty path and looks at every value. Throws `Error` (usage) for a
/// NaN or a value beyond "no path", with its place.
MatrixFacts prepare_matrix(Semiring semiring, ValueType type, kernels::View matrix, int threads);

/// Throws the `Error` (usage) of a bad value at row · n + column.
[[noreturn]] void refuse_value(std::int64_t place, std::int64_t n);

/// The diagonal ← the empty path.
void put_back_diagonal(Semiring semiring, ValueType type, kernels::View matrix);

}  // namespace apsp::graph
