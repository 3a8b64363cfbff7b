// The operands of one block of C for a whole step of 64 pivots: four stages that are asked for at
// once and used as they arrive. Kept across many blocks by a persistent kernel.
#pragma once

#include <cstdint>

#include "kernels/cuda/async_copy.cuh"
#include "kernels/cuda/shape.cuh"

namespace apsp::kernels::cuda {

template <class Operand, class Sh>
struct StepOperands {
  static constexpr int kSteps = Sh::kStages;
  static constexpr int kSliverStep = kDepthStep * kSliver;  // words of a sliver in a stage
  static constexpr int kRightSlivers = Sh::kCols / kSliver;
  static constexpr int kBytes = kSteps * Sh::kStageWords * int{sizeof(Operand)};
  static_assert(Sh::kRows == kSliver);

  Operand* stages;  // shared
  unsigned parity = 0;

  __device__ explicit StepOperands(Operand* shared) : stages(shared) {}

  static __device__ const Operand* left(const ProductArguments& p, BlockOfC block) {
    return static_cast<const Operand*>(p.left) + block.row * p.sliver_words;
  }
  /// A block at the edge may be wider than its panel: the last sliver then serves again, for
  /// columns of C that do not exist.
  static __device__ const Operand* right(const ProductArguments& p, BlockOfC block, int s) {
    const std::int64_t sliver = min(block.col * kRightSlivers + s, p.right_slivers - 1);
    return static_cast<const Operand*>(p.right) + sliver * p.sliver_words;
  }

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  static __device__ std::uint64_t* filled(int step) {
    __shared__ std::uint64_t barriers[kSteps];
    return &barriers[step];
  }

  /// Once, before the first block.
  __device__ void prepare() const {
    if (threadIdx.x == 0) {
      for (int s = 0; s < kSteps; ++s) init_barrier(filled(s));
      order_before_copies();
    }
    __syncthreads();
  }

  /// What else was done with the shared memory comes before its copies.
  __device__ void begin(const ProductArguments& p, BlockOfC block) const {
    order_before_copies();
    __syncthreads();
    if (threadIdx.x != 0) return;
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
    __syncthreads();
    constexpr int kWide = 16 / sizeof(Operand);
    for (int w = static_cast<int>(threadIdx.x) * kWide; w < kSteps * kSliverStep;
         w += Sh::kThreads * kWide) {
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
      __syncthreads();
    }
    return stages + step * Sh::kStageWords;
  }

  __device__ void end() const {}
#endif
};

}  // namespace apsp::kernels::cuda
