// C ← C ⊕ L ⊗ R on the GPU, for every relaxation: nearly all of the work.
//
// A block of threads keeps a block of C in registers, 8 × 8 words per thread, and walks through the
// pivots. Packed operands (packed.hpp) are copied asynchronously into shared memory, a stage of 16
// pivots at a time, while earlier stages are used. A thread's 8 rows are two groups of 4, half a
// block apart, so that the lanes of a warp read neighbouring 16 bytes without bank conflicts;
// likewise its columns. Each pair of pivots costs a thread 8 loads of 16 bytes for 128 relaxations
// (relaxation.cuh).
#pragma once

#include <cstdint>
#include <type_traits>

#include "kernels/cuda/relaxation.cuh"
#include "kernels/cuda/stages.cuh"

namespace apsp::kernels::cuda {

template <class R, class Sh>
struct Product {
  using Operand = typename R::Operand;
  using Sum = typename R::Sum;
  using Value = typename R::Value;
  static constexpr int kGroupValues = kGroup * R::kLanes;
  static constexpr int kSharedBytes = Sh::kStages * Sh::kStageWords * int{sizeof(Operand)};

  int row, col;

  __device__ explicit Product(int thread = static_cast<int>(threadIdx.x)) {
    constexpr int kWarpsAcross = Sh::kThreadsAcross / Sh::kWarpAcross;
    const int warp = thread / 32, lane = thread % 32;
    row = (warp / kWarpsAcross * Sh::kWarpDown + lane / Sh::kWarpAcross) * kGroup;
    col = (warp % kWarpsAcross * Sh::kWarpAcross + lane % Sh::kWarpAcross) * kGroup;
  }

  static __device__ constexpr int row_of(int i) {
    return i / kGroup * (Sh::kThreadsDown * kGroup) + i % kGroup;
  }
  static __device__ constexpr int col_of(int j) {
    return j / kGroup * (Sh::kThreadsAcross * kGroup) + j % kGroup;
  }

  /// The operands of two pivots: a stage's slivers, left ones first, are [8 pairs][128] each.
  /// `first`: the thread's first word, a whole group; its groups are kApart words apart.
  template <int kApart, int kCount>
  static __device__ void read(const Operand* slivers, int pair, int first,
                              Operand (&out)[kCount][2]) {
    static_assert(kApart == kSliver || kCount / kGroup * kApart <= kSliver);
    const Operand* const from = slivers + pair * 2 * kSliver;
#pragma unroll
    for (int w = 0; w < kCount; w += 2) {
      if constexpr (sizeof(Operand) == 8) {
        const int word = first + w / kGroup * kApart;
        const int sliver = word / kSliver * (kDepthStep * kSliver);
        const int place = word % kSliver + w % kGroup;
#pragma unroll
        for (int second = 0; second < 2; ++second) {
          const auto two = *reinterpret_cast<const double2*>(from + sliver +
                                                             place_in_pair<Operand>(place, second));
          out[w][second] = two.x;
          out[w + 1][second] = two.y;
        }
      } else {
        // All reads of a thread are at constant offsets from one address, which saves registers: 1
        // to 2 % of a product's time. Doubles lose 2 % by it.
        constexpr int kGroupApart = kApart == kSliver ? kDepthStep * kSliver : kApart;
        *reinterpret_cast<uint4*>(&out[w]) = *reinterpret_cast<const uint4*>(
            from + first + w / kGroup * kGroupApart + place_in_pair<Operand>(w % kGroup, 0));
      }
    }
  }

  __device__ void relax_stage(const Operand* stage, int one,
                              Sum (&sum)[Sh::kThreadRows][Sh::kThreadCols]) const {
    relax_pairs<kDepthStep / 2>(stage, 0, one, sum);
  }

  template <int kPairs>
  __device__ void relax_pairs(const Operand* stage, int first, int one,
                              Sum (&sum)[Sh::kThreadRows][Sh::kThreadCols]) const {
    const Operand* const left = stage;
    const Operand* const right = stage + kDepthStep * Sh::kRows;
#pragma unroll
    for (int i = 0; i < kPairs; ++i) {
      const int pair = first + i;
      alignas(16) Operand a[Sh::kThreadRows][2];
      alignas(16) Operand b[Sh::kThreadCols][2];
      read<Sh::kThreadsDown * kGroup>(left, pair, row, a);
      read<Sh::kThreadsAcross * kGroup>(right, pair, col, b);
#pragma unroll
      for (int r = 0; r < Sh::kThreadRows; ++r) {
#pragma unroll
        for (int c = 0; c < Sh::kThreadCols; ++c) {
          R::relax(r * Sh::kThreadCols + c, one, sum[r][c], a[r][0], b[c][1], a[r][1], b[c][0]);
        }
      }
    }
  }

  // Loads a group of words of C. Values beyond the edge are "no path" and are not written.
  static __device__ void load_group(const Value* from, std::int64_t inside, bool wide, Sum* sum) {
    alignas(16) Value values[kGroupValues];
    if (wide && inside >= kGroupValues) {
#pragma unroll
      for (int part = 0; part < int{sizeof(values)} / 16; ++part) {
        reinterpret_cast<uint4*>(values)[part] = reinterpret_cast<const uint4*>(from)[part];
      }
    } else {
#pragma unroll
      for (int v = 0; v < kGroupValues; ++v) values[v] = v < inside ? from[v] : R::S::zero();
    }
#pragma unroll
    for (int w = 0; w < kGroup; ++w) sum[w] = R::load(values + w * R::kLanes);
  }

  static __device__ void store_group(Value* to, std::int64_t inside, bool wide, const Sum* sum) {
    alignas(16) Value values[kGroupValues];
#pragma unroll
    for (int w = 0; w < kGroup; ++w) R::store(sum[w], values + w * R::kLanes);
    if (wide && inside >= kGroupValues) {
#pragma unroll
      for (int part = 0; part < int{sizeof(values)} / 16; ++part) {
        reinterpret_cast<uint4*>(to)[part] = reinterpret_cast<const uint4*>(values)[part];
      }
    } else {
#pragma unroll
      for (int v = 0; v < kGroupValues; ++v) {
        if (v < inside) to[v] = values[v];
      }
    }
  }

  /// Calls f(pointer into C, values inside the matrix, i, j) for each group of the thread.
  template <class F>
  __device__ void for_each_group(const ProductArguments& p, BlockOfC block, F&& f) const {
#pragma unroll
    for (int i = 0; i < Sh::kThreadRows; ++i) {
      const std::int64_t r = block.row * Sh::kRows + row + row_of(i);
      if (r >= p.rows) continue;
#pragma unroll
      for (int j = 0; j < Sh::kThreadCols; j += kGroup) {
        const std::int64_t c = (block.col * Sh::kCols + col + col_of(j)) * R::kLanes;
        f(static_cast<Value*>(p.c) + r * p.stride + c, p.cols - c, i, j);
      }
    }
  }

  /// Sums beyond the edge are unspecified.
  __device__ void load_block(const ProductArguments& p, BlockOfC block,
                             Sum (&sum)[Sh::kThreadRows][Sh::kThreadCols]) const {
#pragma unroll
    for (auto& row_of_sums : sum) {
#pragma unroll
      for (Sum& each : row_of_sums) each = no_path_sum<R>();
    }
    for_each_group(p, block, [&](const Value* c, std::int64_t inside, int i, int j) {
      load_group(c, inside, p.wide_access, &sum[i][j]);
    });
#pragma unroll
    for (auto& row_of_sums : sum) {
#pragma unroll
      for (Sum& each : row_of_sums) each = R::negated(each, p.negation);
    }
  }

  static __device__ void give_back(const ProductArguments& p, Value* to, std::int64_t inside,
                                   const Sum* sum) {
    Sum finished[kGroup];
#pragma unroll
    for (int w = 0; w < kGroup; ++w) finished[w] = R::restored(R::settle(sum[w]), p.negation);
    store_group(to, inside, p.wide_access, finished);
  }
};

template <class R, class Sh>
__device__ bool left_out(const ProductArguments& p, BlockOfC block) {
  return p.triangle > 0 &&
         block.row * Sh::kRows / p.triangle < block.col * Sh::kCols * R::kLanes / p.triangle;
}

template <class R, class Sh>
__global__ void __launch_bounds__(Sh::kThreads, Sh::kBlocks)
    product_kernel(const __grid_constant__ ProductArguments p) {
  using P = Product<R, Sh>;
  extern __shared__ __align__(128) unsigned char shared[];
  auto* const stages = reinterpret_cast<typename P::Operand*>(shared);
  const BlockOfC block = block_of<Sh>(p);
  if (left_out<R, Sh>(p, block)) return;
  Stages<typename P::Operand, Sh> filling(p, block, stages);
  filling.begin();
  const P mine;
  typename P::Sum sum[Sh::kThreadRows][Sh::kThreadCols];
  mine.load_block(p, block, sum);
  for (int step = 0; step < p.steps; ++step) {
    mine.relax_stage(filling.next(step), p.one, sum);
    filling.release();
  }
  mine.for_each_group(p, block, [&](typename P::Value* c, std::int64_t inside, int i, int j) {
    P::give_back(p, c, inside, &sum[i][j]);
  });
}

/// Measures the loop of a product, on operands in shared memory. `out`: one sum per thread.
template <class R, class Sh>
__global__ void __launch_bounds__(Sh::kThreads, Sh::kBlocks)
    peak_kernel(typename R::Sum* out, int stages, int one) {
  using P = Product<R, Sh>;
  extern __shared__ __align__(128) unsigned char shared[];
  auto* const operands = reinterpret_cast<typename P::Operand*>(shared);
  for (int w = static_cast<int>(threadIdx.x); w < Sh::kStages * Sh::kStageWords;
       w += Sh::kThreads) {
    const std::uint32_t mixed = (static_cast<std::uint32_t>(w) * 2654435761u) >> 18;
    typename P::Value values[R::kLanes];
    for (auto& each : values) each = static_cast<typename P::Value>(mixed);
    operands[w] = R::right(values);
  }
  __syncthreads();
  const P mine;
  typename P::Sum sum[Sh::kThreadRows][Sh::kThreadCols] = {};
  for (auto& row_of_sums : sum) {
    for (auto& each : row_of_sums) each = no_path_sum<R>();
  }
#pragma unroll 1
  for (int s = 0; s < stages; ++s) {
    mine.relax_stage(operands + s % Sh::kStages * Sh::kStageWords, one, sum);
  }
  typename P::Sum all = 0;
  for (auto& row_of_sums : sum) {
    for (auto& each : row_of_sums) all += each;
  }
  out[blockIdx.x * Sh::kThreads + threadIdx.x] = all;
}

// C ← C ⊕ L ⊗ R and via ← the pivot of C's last improvement (contract.hpp, WitnessOperations).
//
// Tracking the exact pivot costs three instructions per relaxation. Instead, four pivots are taken
// together without a witness, and only the number of the four that improved C is kept: one
// comparison and one selection for four relaxations. Finally the few improved entries determine the
// first of the four that gives the value, as a walk through the pivots in order would.

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
