// From a graph, or a caller's matrix, to the matrix that Floyd-Warshall starts from.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <apsp/semiring.hpp>

#include "kernels/contract.hpp"

namespace apsp::graph {

/// matrix [n, n] ← the best arc of every ordered pair; no path where there is none; the empty path
/// or better on the diagonal. Requires: every weight fits `type` (planner/value_type.hpp).
/// O(n² + m), rows in parallel. Throws `Error` (interrupted).
void fill_adjacency_matrix(const Graph& graph, Semiring semiring, ValueType type,
                           kernels::View matrix, int threads, const Control& control = {});

/// The same of rows [first, first + rows.rows) alone, as `rows` [rows, n].
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
