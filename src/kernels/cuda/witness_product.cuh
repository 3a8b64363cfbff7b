// C ← C ⊕ L ⊗ R and via ← the pivot of C's last improvement (contract.hpp, WitnessOperations).
//
// Tracking the exact pivot costs three instructions per relaxation. Instead, four pivots are taken
// together without a witness, and only the number of the four that improved C is kept: one
// comparison and one selection for four relaxations. Finally the few improved entries determine the
// first of the four that gives the value, as a walk through the pivots in order would.
#pragma once

#include <cstdint>
#include <type_traits>

#include "kernels/cuda/product.cuh"

namespace apsp::kernels::cuda {

struct WitnessArguments {
  ProductArguments product;
  std::int32_t* via;
  std::int64_t via_stride;
  std::int64_t first_pivot;
};

template <class R>
__device__ void take_better(typename R::Sum& c, typename R::Sum m, bool (&better)[R::kLanes]) {
  if constexpr (R::kLanes == 2) {  // the predicates say "not the second operand"
    bool high, low;
    c = __vibmin_u16x2(c, m, &high, &low);
    better[0] = !low;
    better[1] = !high;
  } else if constexpr (std::is_same_v<typename R::Sum, std::int32_t>) {
    bool stays;
    c = __vibmin_s32(c, m, &stays);
    better[0] = !stays;
  } else {
    better[0] = m < c;
    c = better[0] ? m : c;
  }
}

template <class R, class Sh>
struct WitnessProduct : Product<R, Sh> {
  using P = Product<R, Sh>;
  using Operand = typename P::Operand;
  using Sum = typename P::Sum;
  static constexpr int kCols = Sh::kThreadCols * R::kLanes;

  static constexpr int kFour = 4;  // pivots that are told apart only at the end

  int four_of[Sh::kThreadRows][kCols];  // the last four that improved C, or −1

  __device__ WitnessProduct() {
#pragma unroll
    for (auto& row_of_fours : four_of) {
#pragma unroll
      for (int& each : row_of_fours) each = -1;
    }
  }

  __device__ void relax_stage(const Operand* stage, int first_four, int one,
                              Sum (&sum)[Sh::kThreadRows][Sh::kThreadCols]) {
    const Operand* const right = stage + kDepthStep * Sh::kRows;
#pragma unroll
    for (int four = 0; four < kDepthStep / kFour; ++four) {
      alignas(16) Operand a[2][Sh::kThreadRows][2];
      alignas(16) Operand b[2][Sh::kThreadCols][2];
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        P::template read<Sh::kThreadsDown * kGroup>(stage, 2 * four + half, this->row, a[half]);
        P::template read<Sh::kThreadsAcross * kGroup>(right, 2 * four + half, this->col, b[half]);
      }
#pragma unroll
      for (int i = 0; i < Sh::kThreadRows; ++i) {
#pragma unroll
        for (int j = 0; j < Sh::kThreadCols; ++j) {
          Sum all = no_path_sum<R>();
#pragma unroll
          for (int half = 0; half < 2; ++half) {
            R::relax(i * Sh::kThreadCols + j, one, all, a[half][i][0], b[half][j][1], a[half][i][1],
                     b[half][j][0]);
          }
          bool better[R::kLanes];
          take_better<R>(sum[i][j], all, better);
#pragma unroll
          for (int lane = 0; lane < R::kLanes; ++lane) {
            if (better[lane]) four_of[i][j * R::kLanes + lane] = first_four + four;
          }
        }
      }
    }
  }

  static __device__ int resolve(const Operand* left, const Operand* right, int four, int row,
                                int col, int lane, Sum sum) {
    for (int pivot = 0; pivot < kFour - 1; ++pivot) {
      const int pair = (four * kFour + pivot) / 2, second = pivot % 2;
      const Operand a = left[pair * 2 * kSliver + place_in_pair<Operand>(row, second)];
      const Operand b = right[pair * 2 * kSliver + place_in_pair<Operand>(col, 1 - second)];
      Sum through = no_path_sum<R>();
      R::relax(0, 1, through, a, b, a, b);
      if constexpr (R::kLanes == 2) {
        if ((through >> (16 * lane) & 0xffff) == (sum >> (16 * lane) & 0xffff)) return pivot;
      } else {
        if (through == sum) return pivot;
      }
    }
    return kFour - 1;
  }

  /// Stores C and the pivots, counted from `first_pivot`. `left`, `right`: the block's packed
  /// slivers.
  __device__ void store_block(const WitnessArguments& w, std::int64_t first_pivot, BlockOfC block,
                              const Operand* left, const Operand* right,
                              const Sum (&sum)[Sh::kThreadRows][Sh::kThreadCols]) const {
    using Value = typename P::Value;
    const ProductArguments& p = w.product;
    const Value none = R::restored(R::S::zero(), p.negation);
    this->for_each_group(p, block, [&](Value* c, std::int64_t inside, int i, int j) {
      P::give_back(p, c, inside, &sum[i][j]);
      const int r = this->row + P::row_of(i);
      std::int32_t* const via = w.via + (block.row * Sh::kRows + r) * w.via_stride +
                                (c - static_cast<Value*>(p.c)) % p.stride;
#pragma unroll
      for (int v = 0; v < P::kGroupValues; ++v) {
        const int four = four_of[i][j * R::kLanes + v];
        if (four < 0 || v >= inside || c[v] == none) continue;
        const int col = this->col + P::col_of(j) + v / R::kLanes;
        const int pivot =
            resolve(left + r / kSliver * p.sliver_words, right + col / kSliver * p.sliver_words,
                    four, r % kSliver, col % kSliver, v % R::kLanes, sum[i][j + v / R::kLanes]);
        via[v] = static_cast<std::int32_t>(first_pivot + 4 * four + pivot);
      }
    });
  }
};

template <class R, class Sh>
__global__ void __launch_bounds__(Sh::kThreads, Sh::kBlocks)
    witness_kernel(const __grid_constant__ WitnessArguments w) {
  using P = Product<R, Sh>;
  using Operand = typename P::Operand;
  const ProductArguments& p = w.product;
  extern __shared__ __align__(128) unsigned char shared[];
  auto* const stages = reinterpret_cast<Operand*>(shared);
  const BlockOfC block = block_of<Sh>(p);
  if (left_out<R, Sh>(p, block)) return;
  Stages<Operand, Sh> filling(p, block, stages);
  filling.begin();
  WitnessProduct<R, Sh> mine;
  typename P::Sum sum[Sh::kThreadRows][Sh::kThreadCols];
  mine.load_block(p, block, sum);
  for (int step = 0; step < p.steps; ++step) {
    const Operand* const stage = filling.next(step);
    mine.relax_stage(stage, step * (kDepthStep / 4), p.one, sum);
    filling.release();
  }
  mine.store_block(w, w.first_pivot, block, filling.left, filling.right, sum);
}

}  // namespace apsp::kernels::cuda
