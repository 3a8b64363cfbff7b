// A weight matrix in the order of its storage, shared by threads.
//
// A band is a few lines (rows; columns of a matrix by columns) that lie one behind the other, about
// 1 MiB. Behind each band the pages of a mapped file are given back, so that a file of any size is
// walked through in a few MiB of memory.
#pragma once

#include <apsp/graph.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/pages.hpp"
#include "base/team.hpp"

namespace apsp::graph {

constexpr std::int64_t kBandBytes = std::int64_t{1} << 20;

/// Lines [begin, end) of a matrix.
struct Lines {
  std::int64_t begin = 0, end = 0;
};

/// work(first line, lines) or work(first line, lines, member) for all of `some`, by `threads`
/// threads. `multiple`: lines of a band are a multiple of it where possible.
template <class F>
void for_each_band(const WeightMatrix& matrix, Lines some, int threads, F&& work,
                   std::int64_t multiple = 1) {
  const std::int64_t line_bytes = matrix.n * size_of(matrix.type);
  const std::int64_t fitting = kBandBytes / std::max<std::int64_t>(1, line_bytes);
  const std::int64_t lines = std::max<std::int64_t>(multiple, fitting / multiple * multiple);
  const std::int64_t bands = (some.end - some.begin + lines - 1) / lines;
  base::share_items(bands, threads, [&](std::int64_t band, int member) {
    const std::int64_t first = some.begin + band * lines, last = std::min(some.end, first + lines);
    if constexpr (std::is_invocable_v<F&, std::int64_t, std::int64_t, int>) {
      work(first, last - first, member);
    } else {
      work(first, last - first);
    }
    if (matrix.mapped) {
      base::release_mapped(matrix.data, first * line_bytes, last * line_bytes);
    }
  });
  if (matrix.mapped) {
    base::release_mapped(matrix.data, some.begin * line_bytes, some.end * line_bytes);
  }
}

/// The same of all lines.
template <class F>
void for_each_band(const WeightMatrix& matrix, int threads, F&& work, std::int64_t multiple = 1) {
  for_each_band(matrix, {0, matrix.n}, threads, std::forward<F>(work), multiple);
}

}  // namespace apsp::graph
