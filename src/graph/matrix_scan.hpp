// One pass over a weight matrix: all that a graph states of its arcs, without listing them.
//
// The pass runs at the memory's rate, on all threads: 16 M values take some milliseconds.
#pragma once

#include <apsp/graph.hpp>

#include <vector>

namespace apsp::graph {

struct MatrixScan {
  WeightFacts facts;
  std::int64_t loops = 0;             // negative entries of the diagonal
  std::vector<std::int64_t> offsets;  // [n + 1] arcs before each vertex
};

/// Throws `Error` (usage) for NaN and −infinity, which are no weights, with row and column of the
/// first one in storage.
MatrixScan scan_matrix(const WeightMatrix& matrix, int threads);

/// Σ over vertices of the largest |w| that leaves each, less the smallest: `WeightFacts`.
double longest_path(std::span<const double> largest);

}  // namespace apsp::graph
