// Signed real weights are solved on reduced weights (kernels/potential.hpp): from them, and back.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <apsp/semiring.hpp>
#include <span>

#include "kernels/contract.hpp"
#include "kernels/potential.hpp"

namespace apsp::graph {

/// Potentials as an operation takes them.
struct Reduction {
  std::span<const kernels::Potential> h;  // [n]
  double sign = 1;                        // −1: longest paths, which are shortest ones of −w
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

}  // namespace apsp::graph
