// The next diagonal tile, by one block of 128 threads: with X and Y the tiles beside and below the
// diagonal tile k, panels of step k, and Z the tile k + 1,
//
//   Z ← (Z ⊕ Y ⊗ X)*
//
// X and Y lie in shared memory and Z in registers, as closing has it (close.cuh).
#pragma once

#include <cstdint>

#include "kernels/cuda/close.cuh"
#include "kernels/cuda/panel.cuh"

namespace apsp::kernels::cuda {

template <class R>
struct Diagonal {
  using S = typename R::S;
  using Value = typename S::Value;
  using Close = Closing<R, false, kPanelSide>;
  using Group = typename Close::Group;
  static constexpr int kPitch = kPanelSide + Panel<R>::kPad;
  static constexpr int kTileValues = kPanelSide * kPitch;
  static constexpr int kSharedBytes = 2 * kTileValues * int{sizeof(Value)};
  static_assert(close_threads(kPanelSide) == kPanelThreads);

  const ProductArguments& p;  // of the matrix
  Value *beside, *below;

  __device__ Diagonal(const ProductArguments& arguments, Value* shared)
      : p(arguments), beside(shared), below(shared + kTileValues) {}

  /// c ← c ⊕ below ⊗ beside.
  __device__ void relax(Close& c) const {
#pragma unroll 2
    for (int k = 0; k < kPanelSide; k += kFour) {
      Group to_pivots[kFour];
#pragma unroll
      for (int i = 0; i < kFour; ++i) {
        to_pivots[i] = *reinterpret_cast<const Group*>(below + (c.row + i) * kPitch + k);
      }
#pragma unroll
      for (int two = 0; two < kFour; two += 2) {
        Group from_pivots[2][2];
#pragma unroll
        for (int pivot = 0; pivot < 2; ++pivot) {
#pragma unroll
          for (int half = 0; half < 2; ++half) {
            from_pivots[pivot][half] = *reinterpret_cast<const Group*>(
                beside + (k + two + pivot) * kPitch + c.col_of(half));
          }
        }
        Close::for_each_value([&](int i, int half, int v) {
          Value& value = c.d[i][half].value[v];
          value = R::plus(value, R::times(to_pivots[i].values[two], from_pivots[0][half].values[v]),
                          R::times(to_pivots[i].values[two + 1], from_pivots[1][half].values[v]));
        });
      }
    }
  }

  /// Makes Z, the tile of `c`, what step k makes of it: Z ⊕ Y ⊗ X.
  __device__ void update(Close& c, int k) const {
    const std::int64_t at = std::int64_t{k} * kPanelSide, next = at + kPanelSide;
    const Panel<R> matrix{p, at, nullptr};
    using PanelTile = typename Panel<R>::template PanelTile<kPanelSide, kPanelSide>;
    const PanelTile x(matrix, at, next), y(matrix, next, at);
    c.load();
    x.write(beside);
    y.write(below);
    __syncthreads();
    relax(c);
    Close::for_each_value(
        [&](int i, int half, int v) { c.d[i][half].value[v] = R::settle(c.d[i][half].value[v]); });
  }
};

}  // namespace apsp::kernels::cuda
