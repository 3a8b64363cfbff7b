// Floyd-Warshall of a whole matrix in one launch, for matrices that are so small that launches and
// events between them take most of a solve: D ← D* by a persistent kernel, in steps of 64 pivots.
//
//   panels: every block of threads updates strips of the row and the column of tiles
//   — all blocks wait for each other —
//   rest:   one block, the closer, updates the next diagonal tile and closes it; the others, its
//           neighbours on the same multiprocessor excepted, update all else
//   — all blocks wait for each other —
//
// So the next diagonal tile is closed under the rest of a step (look-ahead), and a step costs two
// waits instead of a dozen launches. Blocked Floyd-Warshall as in blocked_floyd_warshall.hpp.
#pragma once

#include <cooperative_groups.h>

#include <cstdint>

#include "kernels/cuda/close.cuh"
#include "kernels/cuda/panel.cuh"
#include "kernels/cuda/product.cuh"
#include "kernels/cuda/step_operands.cuh"

namespace apsp::kernels::cuda {

struct WholeArguments {
  ProductArguments product;  // the matrix, its sizes, and room for packed panels of one step
  Cycles cycles;
  std::int64_t first_pivot;  // vertex number of the matrix's first row
  unsigned long long* found_pivot;
  unsigned* closer_at;  // the closer's multiprocessor
  unsigned* workers;    // blocks that update the rest; 0 on entry
};

__device__ inline unsigned multiprocessor() {
  unsigned number = 0;
  asm volatile("mov.u32 %0, %%smid;\n" : "=r"(number));
  return number;
}

template <class R, class Sh>
struct Whole {
  using P = Product<R, Sh>;
  using Value = typename P::Value;
  using Operand = typename P::Operand;
  using Sum = typename P::Sum;
  using Operands = StepOperands<Operand, Sh>;
  using Close = Closing<R, false, kPanelSide>;
  static_assert(Sh::kThreads == kPanelThreads && Sh::kRows == kPanelSide);
  static_assert(Sh::kThreads == close_threads(kPanelSide));
  static constexpr int kPanelBytes = Panel<R>::kSharedBytes;
  static constexpr int kSharedBytes =
      Operands::kBytes > kPanelBytes ? Operands::kBytes : kPanelBytes;

  const WholeArguments& w;
  const ProductArguments& p;
  unsigned char* shared;
  typename Close::Buffers& buffers;
  Operands operands;
  int tiles;
  int rank = -1;  // among the workers

  __device__ Whole(const WholeArguments& arguments, unsigned char* dynamic,
                   typename Close::Buffers& close_buffers)
      : w(arguments),
        p(arguments.product),
        shared(dynamic),
        buffers(close_buffers),
        operands(reinterpret_cast<Operand*>(dynamic)),
        tiles(static_cast<int>((p.rows + kPanelSide - 1) / kPanelSide)) {}

  /// Everything before, of all blocks, comes before everything after, of copies too.
  __device__ static void wait_for_all() {
    order_all_before_copies();
    cooperative_groups::this_grid().sync();
    order_all_before_copies();
  }

  __device__ static bool is_closer() { return blockIdx.x == 0; }

  __device__ void take_rank() {
    __shared__ int taken;
    if (threadIdx.x == 0) {
      const bool beside_closer = is_closer() || multiprocessor() == *w.closer_at;
      taken = beside_closer ? -1 : static_cast<int>(atomicAdd(w.workers, 1u));
    }
    __syncthreads();
    rank = taken;
  }

  __device__ void close(int k) const {
    __syncthreads();  // all have written their part of the tile
    const std::int64_t at = std::int64_t{k} * kPanelSide;
    CloseArguments c{};
    c.d = static_cast<Value*>(p.c) + at * (p.stride + 1);
    c.stride = p.stride;
    c.side = static_cast<int>(min(p.rows - at, std::int64_t{kPanelSide}));
    c.cycles = w.cycles;
    c.first_pivot = w.first_pivot + at;
    c.found_pivot = w.found_pivot;
    c.turn = p.turn;
    Close(c, buffers).run();
  }

  __device__ void update_panels(int k) const {
    const Panel<R> panel{p, std::int64_t{k} * kPanelSide, reinterpret_cast<Value*>(shared)};
    const int rows = static_cast<int>(p.left_slivers * (kSliver / kStrip));
    const int cols = static_cast<int>(p.right_slivers * (kSliver * R::kLanes / kStrip));
    for (int strip = static_cast<int>(blockIdx.x); strip < rows + cols;
         strip += static_cast<int>(gridDim.x)) {
      if (strip < cols) {
        panel.template update<true>(std::int64_t{strip} * kStrip);
      } else {
        panel.template update<false>(std::int64_t{strip - cols} * kStrip);
      }
    }
  }

  __device__ void update_block(BlockOfC block) {
    operands.begin(p, block);
    const P mine;
    Sum sum[Sh::kThreadRows][Sh::kThreadCols];
    mine.load_block(p, block, sum);
#pragma unroll 1  // a step runs through much code once: it should stay in the instruction cache
    for (int s = 0; s < Operands::kSteps; ++s) mine.relax_stage(operands.next(s), p.one, sum);
    mine.for_each_group(p, block, [&](Value* c, std::int64_t inside, int i, int j) {
      P::give_back(p, c, inside, &sum[i][j]);
    });
    operands.end();
  }

  __device__ static BlockOfC diagonal_block(int k) {
    return {k, std::int64_t{k} * kPanelSide / (Sh::kCols * R::kLanes)};
  }

  __device__ void update_rest(int k) {
    const int all = static_cast<int>(*w.workers);
    // On a device of one multiprocessor the closer has no workers.
    const int mine = all > 0 ? rank : is_closer() ? 0 : -1;
    if (mine < 0) return;
    const BlockOfC closers = diagonal_block(k + 1);
    for (int i = mine; i < (tiles - 1) * p.col_blocks; i += max(all, 1)) {
      const int r = i / p.col_blocks, col = i % p.col_blocks;
      const int row = r + (r >= k ? 1 : 0);
      if (row == closers.row && col == closers.col) continue;
      update_block({row, col});
    }
  }

  __device__ void run() {
    if (is_closer()) {
      if (threadIdx.x == 0) *w.closer_at = multiprocessor();
      close(0);
    }
    operands.prepare();
    wait_for_all();
    take_rank();
    for (int k = 0; k < tiles; ++k) {
      update_panels(k);
      wait_for_all();
      if (is_closer() && k + 1 < tiles) {
        update_block(diagonal_block(k + 1));
        close(k + 1);
      }
      update_rest(k);
      if (k + 1 < tiles) wait_for_all();
    }
  }
};

template <class R, class Sh>
__global__ void __launch_bounds__(Sh::kThreads, Sh::kBlocks)
    whole_kernel(const __grid_constant__ WholeArguments w) {
  using W = Whole<R, Sh>;
  extern __shared__ __align__(128) unsigned char shared[];
  __shared__ typename W::Close::Buffers buffers;
  W(w, shared, buffers).run();
}

}  // namespace apsp::kernels::cuda
