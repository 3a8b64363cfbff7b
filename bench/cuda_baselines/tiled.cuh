// Katz 2008 §4.1 and Lee: the matrix in square blocks; for each one on the diagonal three phases,
// one launch each.
#pragma once

#include "baseline.hpp"
#include "kernels/cuda/cuda_runtime.hpp"
#include "phase_one.cuh"
#include "phase_three.cuh"
#include "phase_two.cuh"

namespace apsp::baselines {

/// Requires: side is a multiple of kBlock.
template <class T, int kBlock>
void solve_tiled(T* matrix, std::int64_t side, const Mark& mark) {
  const dim3 threads(kBlock, kBlock);
  const std::int64_t blocks = side / kBlock;
  const auto others = static_cast<unsigned>(blocks - 1);
  const auto launched = [&](int phase) {
    kernels::cuda::check_launch("a phase of the tiled kernels");
    if (mark) mark(phase);
  };
  for (std::int64_t pivot = 0; pivot < blocks; ++pivot) {
    phase_one_kernel<T, kBlock><<<1, threads>>>(matrix, side, pivot);
    launched(0);
    if (others == 0) continue;
    phase_two_kernel<T, kBlock><<<dim3(others, 2), threads>>>(matrix, side, pivot);
    launched(1);
    phase_three_kernel<T, kBlock><<<dim3(others, others), threads>>>(matrix, side, pivot);
    launched(2);
  }
}

}  // namespace apsp::baselines
