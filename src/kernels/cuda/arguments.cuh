// What a launch tells its kernel, and the sizes of packed operands.
#pragma once

#include <cstdint>

#include "kernels/cuda/configuration.hpp"
#include "kernels/cuda/packed.hpp"
#include "kernels/cuda/shape.cuh"

namespace apsp::kernels::cuda {

inline int steps_of(std::int64_t depth) {
  return static_cast<int>(rounded_up(depth, kDepthStep) / kDepthStep);
}

template <class R>
std::int64_t left_bytes(std::int64_t rows, std::int64_t depth) {
  return packed_words(rows, depth) * static_cast<std::int64_t>(sizeof(typename R::Operand));
}
template <class R>
std::int64_t right_bytes(std::int64_t cols, std::int64_t depth) {
  return packed_words((cols + R::kLanes - 1) / R::kLanes, depth) *
         static_cast<std::int64_t>(sizeof(typename R::Operand));
}

/// What operations with values negated, or not, are told.
template <class R, bool kNegated>
constexpr Negation negation_of() {
  static_assert(R::kNegates || !kNegated);
  return kNegated ? Negation::round() : Negation{};
}

template <class R, class Sh>
ProductArguments arguments_of(const Update& u, const Negation& negation) {
  const Blocks rows = blocks_of(u.c.rows, Sh::kRows, u.skipped_rows);
  const Blocks cols = blocks_of(u.c.cols, Sh::kCols * R::kLanes, u.skipped_cols);
  const auto address = reinterpret_cast<std::uintptr_t>(u.c.data);
  ProductArguments p{};
  p.c = u.c.data;
  p.stride = u.c.stride;
  p.rows = u.c.rows;
  p.cols = u.c.cols;
  p.left = u.left;
  p.right = u.right;
  p.steps = steps_of(u.depth);
  p.sliver_words = std::int64_t{p.steps} * kDepthStep * kSliver;
  p.left_slivers = rounded_up(u.c.rows, kSliver) / kSliver;
  p.right_slivers = rounded_up(u.c.cols, kSliver * R::kLanes) / (kSliver * R::kLanes);
  p.row_blocks = static_cast<int>(rows.count);
  p.col_blocks = static_cast<int>(cols.count);
  p.skipped_row_begin = static_cast<int>(rows.skipped_begin);
  p.skipped_row_count = static_cast<int>(rows.skipped_count);
  p.skipped_col_begin = static_cast<int>(cols.skipped_begin);
  p.skipped_col_count = static_cast<int>(cols.skipped_count);
  p.triangle = u.triangle;
  p.one = 1;
  p.negation = negation;
  constexpr std::int64_t kWide = 16 / static_cast<std::int64_t>(sizeof(typename R::Value));
  p.wide_access = address % 16 == 0 && u.c.stride % kWide == 0;
  return p;
}

}  // namespace apsp::kernels::cuda
