// Signed real weights are solved on reduced weights (base/double_double.hpp): the potentials of a
// matrix, the reduced matrix, and from its solution back to distances.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <apsp/semiring.hpp>
#include <span>

#include "graph/adjacency_matrix.hpp"
#include "graph/negative_cycle.hpp"
#include "kernels/contract.hpp"

namespace apsp::graph {

/// Potentials as an operation takes them.
struct Reduction {
  std::span<const base::Potential> h;  // [n]
  double sign = 1;                     // −1: longest paths, which are shortest ones of −w
};

/// Over the finite values of a solved matrix.
struct LargestValues {
  double reduced = 0;   ///< d'
  double distance = 0;  ///< |d|
};

/// matrix [n, n] ← the least reduced weight of every ordered pair, as f32 or f64; +infinity where
/// there is no arc; 0 on the diagonal. O(n² + m), rows in parallel. Throws `Error` (interrupted).
void fill_reduced_matrix(const Graph& graph, const Reduction& reduction, ValueType type,
                         kernels::View matrix, int threads, const Control& control);

/// A caller's matrix of weights ← reduced weights, in place. Throws `Error` (interrupted).
void reduce_matrix(const Reduction& reduction, ValueType type, kernels::View matrix, int threads,
                   const Control& control);

/// Reduced lengths → distances, in place; 0 on the diagonal. Throws `Error` (interrupted).
LargestValues restore_matrix(const Reduction& reduction, ValueType type, kernels::View matrix,
                             int threads, const Control& control);

/// As `potentials` of a graph (graph/negative_cycle.hpp) with an arc where the matrix has a value;
/// `sign` −1: of the negated values. Requires: min-plus (sign 1) or max-plus (−1) over f32 or f64,
/// prepared (`prepare_matrix`), with these facts. A few passes over the matrix, rows in parallel.
/// Throws `Error` (interrupted).
Potentials matrix_potentials(ValueType type, kernels::ConstView matrix, const MatrixFacts& facts,
                             double sign, int threads, const Control& control);

}  // namespace apsp::graph
