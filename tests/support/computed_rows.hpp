// All rows of a row source as one matrix, computed by some threads in blocks of any size, against
// the textbook's matrix of doubles.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "flow/row_source.hpp"
#include "semiring/dispatch.hpp"
#include "system/threads.hpp"

namespace apsp {

struct RowCalls {
  int threads = 1;
  std::int64_t block = 0;  ///< sources a call; 0: as many as the source likes
};

/// [n, n] values of all pairs, row-major. T is the C++ type of the source's values. What stands
/// behind each row must survive.
template <class T>
std::vector<T> computed_rows(const flow::RowSource& source, RowCalls calls = {}) {
  constexpr std::int64_t kMargin = 3;
  constexpr T kGuard = T(77);
  const std::int64_t n = source.vertices();
  const std::int64_t block = calls.block > 0 ? calls.block : source.block_rows();
  const std::int64_t stride = n + kMargin;
  std::vector<std::unique_ptr<flow::RowSource::Worker>> workers;
  for (int i = 0; i < calls.threads; ++i) workers.push_back(source.worker());
  std::vector<T> matrix(static_cast<std::size_t>(n * n));
  const auto take_block = [&](std::int64_t item, int member) {
    const std::int64_t first = item * block, count = std::min(block, n - first);
    const std::span<const Vertex> sources =
        source.order().subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
    std::vector<T> rows(static_cast<std::size_t>(count * stride), kGuard);
    workers[static_cast<std::size_t>(member)]->compute(sources, rows.data(), stride);
    for (std::int64_t i = 0; i < count; ++i) {
      const T* const row = rows.data() + i * stride;
      std::copy(row, row + n, matrix.begin() + sources[static_cast<std::size_t>(i)] * n);
      for (std::int64_t j = n; j < stride; ++j) EXPECT_EQ(row[j], kGuard) << "behind a row";
    }
  };
  system::parallel_for((n + block - 1) / block, calls.threads, take_block);
  return matrix;
}

/// The textbook's matrix in values of S: its infinities are "no path" and the empty path.
template <class S>
std::vector<typename S::Value> values_of(const std::vector<double>& textbook) {
  using T = typename S::Value;
  constexpr bool kLess = S::kKind == Semiring::min_plus || S::kKind == Semiring::min_max;
  std::vector<T> values;
  for (const double value : textbook) {
    if (!std::isinf(value)) {
      values.push_back(static_cast<T>(value));
    } else {
      values.push_back((value > 0) == kLess ? S::zero() : S::one());
    }
  }
  return values;
}

}  // namespace apsp
