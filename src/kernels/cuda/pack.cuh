// Packing of operands (packed.hpp): n · depth values per panel, a negligible part of the work. A
// block of threads takes 64 words by 16 pivots through shared memory and accesses both sides in
// rows.
#pragma once

#include <cstdint>

#include "kernels/cuda/negation.cuh"
#include "kernels/cuda/packed.hpp"

namespace apsp::kernels::cuda {

struct PackArguments {
  const void* from;
  std::int64_t stride;  // values
  std::int64_t count;   // values: rows of the left operand, columns of the right one
  std::int64_t depth;   // pivots
  std::int64_t steps;   // stages of pivots in a packed sliver
  bool pivots_in_rows;  // rows of `from` are pivots
  void* to;
  Negation negation;
};

inline constexpr int kPackThreads = 256;

template <class R, bool kLeft>
__global__ void __launch_bounds__(kPackThreads)
    pack_kernel(const __grid_constant__ PackArguments p) {
  using Operand = typename R::Operand;
  using Value = typename R::Value;
  constexpr int kLanes = kLeft ? 1 : R::kLanes;
  constexpr int kWidth = kSliver * kLanes;
  __shared__ Value values[kDepthStep][kWidth + 1];
  const std::int64_t first = blockIdx.x * static_cast<std::int64_t>(kWidth);
  const std::int64_t pivot = blockIdx.y * static_cast<std::int64_t>(kDepthStep);
  const auto* const from = static_cast<const Value*>(p.from);
  for (int at = static_cast<int>(threadIdx.x); at < kDepthStep * kWidth; at += kPackThreads) {
    const int k = p.pivots_in_rows ? at / kWidth : at % kDepthStep;
    const int v = p.pivots_in_rows ? at % kWidth : at / kDepthStep;
    Value value = R::S::zero();
    if (first + v < p.count && pivot + k < p.depth) {
      value = R::negated(p.pivots_in_rows ? from[(pivot + k) * p.stride + first + v]
                                          : from[(first + v) * p.stride + pivot + k],
                         p.negation);
    }
    values[k][v] = value;
  }
  __syncthreads();
  auto* const to =
      static_cast<Operand*>(p.to) + (blockIdx.x * p.steps + blockIdx.y) * (kDepthStep * kSliver);
  for (int at = static_cast<int>(threadIdx.x); at < kDepthStep * kSliver; at += kPackThreads) {
    const int k = at / kSliver, w = at % kSliver;
    const int second = kLeft ? k % 2 : 1 - k % 2;
    Operand operand;
    if constexpr (kLeft) {
      operand = R::left(values[k][w]);
    } else {
      operand = R::right(&values[k][w * kLanes]);
    }
    to[k / 2 * 2 * kSliver + place_in_pair<Operand>(w, second)] = operand;
  }
}

}  // namespace apsp::kernels::cuda
