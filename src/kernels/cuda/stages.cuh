// Shared memory for a product's operands: a ring of stages of 16 pivots, filled ahead.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/cuda/async_copy.cuh"
#include "kernels/cuda/configuration.hpp"
#include "kernels/cuda/packed.hpp"
#include "kernels/cuda/relaxation.cuh"

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

template <class Operand, class Sh>
struct Stages {
  static constexpr int kSliverStep = kDepthStep * kSliver;
  static constexpr int kLeftSlivers = Sh::kRows / kSliver;
  static constexpr int kRightSlivers = Sh::kCols / kSliver;

  const Operand* left;
  const Operand* right;
  std::int64_t sliver_words;
  int last_left, last_right;  // slivers of this block that exist
  int steps;
  Operand* stages;

  __device__ Stages(const ProductArguments& p, BlockOfC block, Operand* shared)
      : left(static_cast<const Operand*>(p.left) + block.row * kLeftSlivers * p.sliver_words),
        right(static_cast<const Operand*>(p.right) + block.col * kRightSlivers * p.sliver_words),
        sliver_words(p.sliver_words),
        last_left(last<kLeftSlivers>(p.left_slivers, block.row)),
        last_right(last<kRightSlivers>(p.right_slivers, block.col)),
        steps(p.steps),
        stages(shared) {}

  /// A block at the edge may be wider than its panel; the last sliver is then repeated.
  template <int kSlivers>
  static __device__ int last(std::int64_t all, std::int64_t block) {
    return static_cast<int>(min(all - block * kSlivers, std::int64_t{kSlivers})) - 1;
  }
  __device__ const Operand* left_sliver(int s) const {
    return left + min(s, last_left) * sliver_words;
  }
  __device__ const Operand* right_sliver(int s) const {
    return right + min(s, last_right) * sliver_words;
  }

  __device__ Operand* stage(int step) const {
    return stages + step % Sh::kStages * Sh::kStageWords;
  }

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  // One thread starts the copy; a barrier in shared memory counts the bytes.
  static __device__ std::uint64_t* filled(int step) {
    __shared__ std::uint64_t barriers[Sh::kStages];
    return &barriers[step % Sh::kStages];
  }

  __device__ void begin() const {
    if (threadIdx.x == 0) {
      for (int s = 0; s < Sh::kStages; ++s) init_barrier(filled(s));
      order_before_copies();
    }
    __syncthreads();
    for (int s = 0; s < Sh::kStages - 1; ++s) fill(s);
  }

  __device__ void fill(int step) const {
    if (threadIdx.x != 0 || step >= steps) return;
    constexpr std::uint32_t kBytes = kSliverStep * sizeof(Operand);
    Operand* const to = stage(step);
    expect_bytes(filled(step), Sh::kStageWords * sizeof(Operand));
#pragma unroll
    for (int s = 0; s < kLeftSlivers; ++s) {
      copy_bytes(to + s * kSliverStep, left_sliver(s) + step * kSliverStep, kBytes, filled(step));
    }
#pragma unroll
    for (int s = 0; s < kRightSlivers; ++s) {
      copy_bytes(to + (kLeftSlivers + s) * kSliverStep, right_sliver(s) + step * kSliverStep,
                 kBytes, filled(step));
    }
  }

  /// Returns the stage's operands when they have arrived. Fills the stage that was released last.
  __device__ const Operand* next(int step) const {
    fill(step + Sh::kStages - 1);
    await_barrier(filled(step), step / Sh::kStages % 2);
    return stage(step);
  }

  /// All threads have finished the stage. Loads may still be in flight at the barrier, and the copy
  /// engine would not wait for them without the fence.
  __device__ void release() const {
    order_before_copies();
    __syncthreads();
  }
#else
  __device__ void begin() const {
    for (int s = 0; s < Sh::kStages - 1; ++s) fill(s);
  }

  __device__ void fill(int step) const {
    if (step < steps) {
      constexpr int kWide = 16 / sizeof(Operand);
      for (int w = static_cast<int>(threadIdx.x) * kWide; w < Sh::kStageWords;
           w += Sh::kThreads * kWide) {
        const int s = w / kSliverStep;
        const Operand* const from =
            s < kLeftSlivers ? left_sliver(s) : right_sliver(s - kLeftSlivers);
        copy_16_bytes(stage(step) + w, from + step * kSliverStep + w % kSliverStep);
      }
    }
    commit_copies();
  }

  __device__ const Operand* next(int step) const {
    await_copies<Sh::kStages - 2>();
    __syncthreads();
    fill(step + Sh::kStages - 1);
    return stage(step);
  }

  __device__ void release() const {}
#endif
};

/// The operands of one block of C for a step of 64 pivots: four stages that are requested at once
/// and used as they arrive. A persistent kernel keeps them for many blocks.
template <class Operand, class Sh, class Threads>
struct StepOperands {
  static constexpr int kSteps = Sh::kStages;
  static constexpr int kSliverStep = kDepthStep * kSliver;
  static constexpr int kRightSlivers = Sh::kCols / kSliver;
  static constexpr int kStageBytes = kSteps * Sh::kStageWords * int{sizeof(Operand)};
  static constexpr int kBytes = kStageBytes + kSteps * int{sizeof(std::uint64_t)};
  static_assert(Sh::kRows == kSliver);

  Operand* stages;
  unsigned parity = 0;

  __device__ explicit StepOperands(Operand* shared) : stages(shared) {}

  static __device__ const Operand* left(const ProductArguments& p, BlockOfC block) {
    return static_cast<const Operand*>(p.left) + block.row * p.sliver_words;
  }
  static __device__ const Operand* right(const ProductArguments& p, BlockOfC block, int s) {
    const std::int64_t sliver = min(block.col * kRightSlivers + s, p.right_slivers - 1);
    return static_cast<const Operand*>(p.right) + sliver * p.sliver_words;
  }

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  __device__ std::uint64_t* filled(int step) const {
    return reinterpret_cast<std::uint64_t*>(reinterpret_cast<std::byte*>(stages) + kStageBytes) +
           step;
  }

  __device__ void prepare() const {
    if (Threads::thread() == 0) {
      for (int s = 0; s < kSteps; ++s) init_barrier(filled(s));
      order_before_copies();
    }
    Threads::sync();
  }

  __device__ void begin(const ProductArguments& p, BlockOfC block) const {
    order_before_copies();
    Threads::sync();
    if (Threads::thread() != 0) return;
    constexpr std::uint32_t kSliverBytes = kSliverStep * sizeof(Operand);
    for (int step = 0; step < kSteps; ++step) {
      Operand* to = stages + step * Sh::kStageWords;
      expect_bytes(filled(step), (1 + kRightSlivers) * kSliverBytes);
      copy_bytes(to, left(p, block) + step * kSliverStep, kSliverBytes, filled(step));
#pragma unroll
      for (int s = 0; s < kRightSlivers; ++s) {
        copy_bytes(to += kSliverStep, right(p, block, s) + step * kSliverStep, kSliverBytes,
                   filled(step));
      }
    }
  }

  __device__ const Operand* next(int step) const {
    await_barrier(filled(step), parity);
    return stages + step * Sh::kStageWords;
  }

  __device__ void end() { parity ^= 1; }
#else
  __device__ void prepare() const {}

  __device__ void begin(const ProductArguments& p, BlockOfC block) const {
    Threads::sync();
    constexpr int kWide = 16 / sizeof(Operand);
    for (int w = Threads::thread() * kWide; w < kSteps * kSliverStep; w += Sh::kThreads * kWide) {
      Operand* to = stages + w / kSliverStep * Sh::kStageWords + w % kSliverStep;
      copy_16_bytes(to, left(p, block) + w);
#pragma unroll
      for (int s = 0; s < kRightSlivers; ++s) {
        copy_16_bytes(to += kSliverStep, right(p, block, s) + w);
      }
    }
    commit_copies();
  }

  __device__ const Operand* next(int step) const {
    if (step == 0) {
      await_copies<0>();
      Threads::sync();
    }
    return stages + step * Sh::kStageWords;
  }

  __device__ void end() const {}
#endif
};

}  // namespace apsp::kernels::cuda
