// One pass over a weight matrix that gathers the facts of its arcs without listing them.
//
// The pass runs at memory speed on all threads. Threads take blocks of consecutive lines (rows, or
// columns of a column-major matrix) of about 1 MiB, and release the pages of a mapped file after
// each. Processes that share a file scan different lines and join the results.
#pragma once

#include <algorithm>
#include <apsp/graph.hpp>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "system/aligned_memory.hpp"
#include "system/threads.hpp"

namespace apsp::graph {

constexpr std::int64_t kBandBytes = std::int64_t{1} << 20;

struct Lines {
  std::int64_t begin = 0, end = 0;
};

/// Calls work(first line, lines, member) for all lines of `some` on `threads` threads. The lines
/// per call are a multiple of `multiple` where possible.
template <class F>
void for_each_band(const WeightMatrix& matrix, Lines some, int threads, F&& work,
                   std::int64_t multiple = 1) {
  const std::int64_t line_bytes = matrix.n * size_of(matrix.type);
  const std::int64_t fitting = kBandBytes / std::max<std::int64_t>(1, line_bytes);
  const std::int64_t lines = std::max<std::int64_t>(multiple, fitting / multiple * multiple);
  const std::int64_t bands = (some.end - some.begin + lines - 1) / lines;
  system::parallel_for(bands, threads, [&](std::int64_t band, int member) {
    const std::int64_t first = some.begin + band * lines, last = std::min(some.end, first + lines);
    work(first, last - first, member);
    if (matrix.mapped) {
      system::release_mapped(matrix.data, first * line_bytes, last * line_bytes);
    }
  });
  if (matrix.mapped) {
    system::release_mapped(matrix.data, some.begin * line_bytes, some.end * line_bytes);
  }
}

struct MatrixScan {
  WeightFacts facts;
  std::int64_t loops = 0;
  std::vector<std::int64_t> offsets;  // [n + 1] arcs before each vertex
  std::optional<bool> symmetric{};    // empty: unknown
};

struct LinesScan {
  double least = std::numeric_limits<double>::infinity();
  double greatest = -std::numeric_limits<double>::infinity();
  double below_f32 = std::numeric_limits<double>::infinity();  // the least `magnitude_below_f32`
  bool integral = true, unit = true;
  std::int64_t loops = 0;
  /// line · n + position of the first NaN or −infinity.
  std::optional<std::int64_t> strange{};
  // The rows from `first_row` on that have values in these lines.
  std::int64_t first_row = 0;
  std::vector<std::int64_t> arcs;
  std::vector<double> largest;
};

/// Throws `Error` (usage) with row and column of the first NaN or −infinity in storage order.
MatrixScan scan_matrix(const WeightMatrix& matrix, int threads);

LinesScan scan_lines(const WeightMatrix& matrix, Lines lines, int threads);
/// Joins scans that together cover all lines of a matrix of n vertices and found no bad value.
MatrixScan join_scans(std::int64_t n, std::span<const LinesScan> parts);
/// Throws `Error` (usage) for the bad value at `place`.
[[noreturn]] void refuse_strange(const WeightMatrix& matrix, std::int64_t place);

/// Σ over vertices of the largest |w| of their arcs, less the smallest of these: `WeightFacts`.
double longest_path(std::span<const double> largest);

}  // namespace apsp::graph
