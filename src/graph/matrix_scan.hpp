// One pass over a weight matrix: all that a graph states of its arcs, without listing them.
//
// The pass runs at the memory's rate, on all threads: 16 M values take some milliseconds. Processes
// that share a file look at some lines each, and what they found is joined.
#pragma once

#include <apsp/graph.hpp>

#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "graph/matrix_bands.hpp"

namespace apsp::graph {

struct MatrixScan {
  WeightFacts facts;
  std::int64_t loops = 0;             // negative entries of the diagonal
  std::vector<std::int64_t> offsets;  // [n + 1] arcs before each vertex
  std::optional<bool> symmetric{};    // empty: nobody has looked
};

/// What some lines (rows; columns of a matrix by columns) tell of it.
struct LinesScan {
  double least = std::numeric_limits<double>::infinity();  // weight
  double greatest = -std::numeric_limits<double>::infinity();
  double below_f32 = std::numeric_limits<double>::infinity();  // `magnitude_below_f32`, the least
  bool integral = true, unit = true;
  std::int64_t loops = 0;
  /// line · n + place of the first entry that is no weight: NaN, −infinity.
  std::optional<std::int64_t> strange{};
  // Of the rows from the first one on that the lines have values of.
  std::int64_t first_row = 0;
  std::vector<std::int64_t> arcs;
  std::vector<double> largest;  // |w|
};

/// Throws `Error` (usage) for NaN and −infinity, which are no weights, with row and column of the
/// first one in storage.
MatrixScan scan_matrix(const WeightMatrix& matrix, int threads);

LinesScan scan_lines(const WeightMatrix& matrix, Lines lines, int threads);
/// Of parts that are all lines of a matrix of n vertices together, without anything strange.
MatrixScan join_scans(std::int64_t n, std::span<const LinesScan> parts);
/// Throws the `Error` (usage) of such an entry.
[[noreturn]] void refuse_strange(const WeightMatrix& matrix, std::int64_t place);

/// Σ over vertices of the largest |w| that leaves each, less the smallest: `WeightFacts`.
double longest_path(std::span<const double> largest);

}  // namespace apsp::graph
