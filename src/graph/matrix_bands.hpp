// A weight matrix in the order of its storage, shared by threads.
//
// A band is a few lines (rows; columns of a matrix by columns) that lie one behind the other, about
// 1 MiB. Behind each band the pages of a mapped file are given back, so that a file of any size is
// walked through in a few MiB of memory.
#pragma once

#include <apsp/graph.hpp>

#include <algorithm>
#include <cstddef>

#include "base/pages.hpp"

namespace apsp::graph {

constexpr std::int64_t kBandBytes = std::int64_t{1} << 20;

/// work(first line, lines) for all of them, by `threads` threads: each takes neighbouring bands.
/// `multiple`: lines of a band are a multiple of it where possible.
template <class F>
void for_each_band(const WeightMatrix& matrix, int threads, F&& work, std::int64_t multiple = 1) {
  const std::int64_t n = matrix.n;
  const std::int64_t line_bytes = n * size_of(matrix.type);
  const std::int64_t fitting = kBandBytes / std::max<std::int64_t>(1, line_bytes);
  const std::int64_t lines = std::max<std::int64_t>(multiple, fitting / multiple * multiple);
  const std::int64_t bands = (n + lines - 1) / lines;
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::int64_t band = 0; band < bands; ++band) {
    const std::int64_t first = band * lines, last = std::min(n, first + lines);
    work(first, last - first);
    if (matrix.mapped) {
      base::release_mapped(matrix.data, first * line_bytes, last * line_bytes);
    }
  }
  if (matrix.mapped) base::release_mapped(matrix.data, 0, n * line_bytes);
}

}  // namespace apsp::graph
