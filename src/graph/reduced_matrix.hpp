// Solving signed real weights by reduced weights (base/double_double.hpp): potentials of a matrix,
// the reduced matrix, and distances from its solution.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <apsp/semiring.hpp>
#include <span>

#include "graph/adjacency_matrix.hpp"
#include "graph/negative_cycle.hpp"
#include "kernels/contract.hpp"

namespace apsp::graph {

struct Reduction {
  std::span<const base::Potential> h;
  double sign = 1;  // −1: longest paths, which are shortest ones of −w
};

struct LargestValues {
  double reduced = 0;
  double distance = 0;  ///< |d|
};

/// Sets matrix [n, n], f32 or f64, to the least reduced weight of every ordered pair: +infinity
/// without an arc, 0 on the diagonal. O(n² + m), rows in parallel. Throws `Error` (interrupted).
void fill_reduced_matrix(const Graph& graph, const Reduction& reduction, ValueType type,
                         kernels::View matrix, int threads, const Control& control);

void reduce_matrix(const Reduction& reduction, ValueType type, kernels::View matrix, int threads,
                   const Control& control);

/// Converts reduced lengths to distances in place, with 0 on the diagonal. Throws `Error`
/// (interrupted).
LargestValues restore_matrix(const Reduction& reduction, ValueType type, kernels::View matrix,
                             int threads, const Control& control);

/// The same as `potentials` (graph/negative_cycle.hpp) with an arc for every value; `sign` −1: of
/// negated values. Requires: min-plus (sign 1) or max-plus (−1) over f32 or f64, prepared
/// (`prepare_matrix`), with these facts. A few passes over the matrix, rows in parallel. Throws
/// `Error` (interrupted).
Potentials matrix_potentials(ValueType type, kernels::ConstView matrix, const MatrixFacts& facts,
                             double sign, int threads, const Control& control);

}  // namespace apsp::graph
