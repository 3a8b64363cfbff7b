// One pass over a weight matrix: all that a graph states of its arcs, without listing them.
//
// The pass runs at the memory's rate, on all threads: 16 M values take some milliseconds. Processes
// that share a file look at some lines each, and what they found is joined.
//
// Threads share the matrix by bands. A band is a few lines (rows; columns of a matrix by columns)
// that lie one behind the other, about 1 MiB. Behind each band the pages of a mapped file are given
// back, so that a file of any size is walked through in a few MiB of memory.
#pragma once

#include <algorithm>
#include <apsp/graph.hpp>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "base/aligned_memory.hpp"
#include "base/team.hpp"

namespace apsp::graph {

constexpr std::int64_t kBandBytes = std::int64_t{1} << 20;

/// Lines [begin, end) of a matrix.
struct Lines {
  std::int64_t begin = 0, end = 0;
};

/// work(first line, lines, member) for all of `some`, by `threads` threads. `multiple`: lines of a
/// band are a multiple of it where possible.
template <class F>
void for_each_band(const WeightMatrix& matrix, Lines some, int threads, F&& work,
                   std::int64_t multiple = 1) {
  const std::int64_t line_bytes = matrix.n * size_of(matrix.type);
  const std::int64_t fitting = kBandBytes / std::max<std::int64_t>(1, line_bytes);
  const std::int64_t lines = std::max<std::int64_t>(multiple, fitting / multiple * multiple);
  const std::int64_t bands = (some.end - some.begin + lines - 1) / lines;
  base::share_items(bands, threads, [&](std::int64_t band, int member) {
    const std::int64_t first = some.begin + band * lines, last = std::min(some.end, first + lines);
    work(first, last - first, member);
    if (matrix.mapped) {
      base::release_mapped(matrix.data, first * line_bytes, last * line_bytes);
    }
  });
  if (matrix.mapped) {
    base::release_mapped(matrix.data, some.begin * line_bytes, some.end * line_bytes);
  }
}

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
  /// line · n + place of the first NaN or −infinity.
  std::optional<std::int64_t> strange{};
  // Of the rows from the first one on that the lines have values of.
  std::int64_t first_row = 0;
  std::vector<std::int64_t> arcs;
  std::vector<double> largest;  // |w|
};

/// Throws `Error` (usage) for NaN and −infinity, with row and column of the
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
