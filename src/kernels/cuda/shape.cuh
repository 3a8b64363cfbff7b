#pragma once

#include <cstdint>

#include "kernels/cuda/configuration.hpp"
#include "kernels/cuda/negation.cuh"
#include "kernels/cuda/packed.hpp"

namespace apsp::kernels::cuda {

/// The arguments of a product; sizes of C in values, blocks in units of the shape.
struct ProductArguments {
  void* c;
  std::int64_t stride, rows, cols;
  const void* left;
  const void* right;
  std::int64_t sliver_words;
  std::int64_t left_slivers, right_slivers;
  int steps;
  int row_blocks, col_blocks;
  int skipped_row_begin, skipped_row_count;  // blocks left out
  int skipped_col_begin, skipped_col_count;
  std::int64_t triangle;
  int one;  // 1, unknown to the compiler, which would otherwise drop a multiplication by it
  bool wide_access;  // rows of C are aligned to 16 bytes
  Negation negation;
};

template <Configuration kConfiguration>
struct BlockShape {
  static constexpr int kRows = kConfiguration.rows, kCols = kConfiguration.cols;
  static constexpr int kThreadRows = kConfiguration.thread_rows;
  static constexpr int kThreadCols = kConfiguration.thread_cols;
  static constexpr int kStages = kConfiguration.stages;
  static constexpr int kBlocks = kConfiguration.blocks;
  static constexpr int kThreadsDown = kRows / kThreadRows, kThreadsAcross = kCols / kThreadCols;
  static constexpr int kThreads = kThreadsDown * kThreadsAcross;
  static constexpr int kWarpDown = 4, kWarpAcross = 8;
  static constexpr int kStageWords = kDepthStep * (kRows + kCols);
  static_assert(kRows % kSliver == 0 && kCols % kSliver == 0);
  static_assert(kThreadsDown % kWarpDown == 0 && kThreadsAcross % kWarpAcross == 0);
};

/// The block of C of a block of threads; concurrent blocks share panels in the cache.
struct BlockOfC {
  std::int64_t row, col;
};
template <class Sh>
__device__ BlockOfC block_of(const ProductArguments& p) {
  constexpr int kTall = 16;
  const int id = static_cast<int>(blockIdx.x);
  const int band = id / (kTall * p.col_blocks);
  const int within = id % (kTall * p.col_blocks);
  const int height = min(kTall, p.row_blocks - band * kTall);
  int row = band * kTall + within % height;
  int col = within / height;
  if (row >= p.skipped_row_begin) row += p.skipped_row_count;
  if (col >= p.skipped_col_begin) col += p.skipped_col_count;
  return {row, col};
}

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
