// The potentials of a matrix of real weights, found before it is overwritten.
#pragma once

#include <apsp/progress.hpp>
#include <apsp/semiring.hpp>

#include "graph/adjacency_matrix.hpp"
#include "graph/negative_cycle.hpp"
#include "kernels/contract.hpp"

namespace apsp::graph {

/// As `potentials` of a graph (graph/negative_cycle.hpp) with an arc where the matrix has a value;
/// `sign` −1: of the negated values. Requires: min-plus (sign 1) or max-plus (−1) over f32 or f64,
/// prepared (`prepare_matrix`), with these facts. A few passes over the matrix, rows in parallel.
/// Throws `Error` (interrupted).
Potentials matrix_potentials(ValueType type, kernels::ConstView matrix, const MatrixFacts& facts,
                             double sign, int threads, const Control& control);

}  // namespace apsp::graph
