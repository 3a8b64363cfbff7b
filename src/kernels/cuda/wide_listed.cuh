// Wide items of a product of listed rows (kernels/listed_rows.hpp), through shared memory.
//
// A block of threads owns rows of one item by a strip of columns in registers and relaxes as a
// product does (product.cuh). What a product finds packed lies here as rows that a list names, and
// as values of the factor: every thread copies pieces of both asynchronously into memory of its
// own, two stages ahead, and packs what it copied itself (packed.hpp) for all threads of the block
// when it is there. So a stage has one barrier, and packing costs a few instructions a pivot of the
// hundred that relaxing takes.
//
// Pivots beyond the depth and rows beyond the item's are read again, which changes nothing.
#pragma once

#include <cstdint>

#include "kernels/cuda/async_copy.cuh"
#include "kernels/cuda/configuration.hpp"
#include "kernels/cuda/listed.cuh"
#include "kernels/cuda/packed.hpp"
#include "kernels/cuda/product.cuh"
#include "kernels/cuda/words.cuh"

namespace apsp::kernels::cuda {

/// A configuration whose rows may fill half a sliver.
template <Configuration kConfiguration>
struct WideShape {
  static constexpr int kItemRows = kConfiguration.rows;
  static constexpr int kRows = kSliver, kCols = kConfiguration.cols;
  static constexpr int kThreadRows = kConfiguration.thread_rows;
  static constexpr int kThreadCols = kConfiguration.thread_cols;
  static constexpr int kBlocks = kConfiguration.blocks;
  static constexpr int kThreadsDown = kItemRows / kThreadRows;
  static constexpr int kThreadsAcross = kCols / kThreadCols;
  static constexpr int kThreads = kThreadsDown * kThreadsAcross;
  static constexpr int kWarpDown = 4, kWarpAcross = 8;  // lanes of a warp
  static constexpr int kStages = 2;
  static constexpr int kStageWords = kDepthStep * (kRows + kCols);
  static_assert(kConfiguration.stages == kStages && kItemRows <= kSliver && kCols % kSliver == 0);
  static_assert(kThreadsDown % kWarpDown == 0 && kThreadsAcross % kWarpAcross == 0);
};

/// One side's share of a thread in a stage: groups of four words of both pivots of a pair.
template <int kGroups, int kBytes, int kThreads>
struct Pieces {
  static constexpr int kTasks = kDepthStep / 2 * kGroups;
  static constexpr int kShare = (kTasks + kThreads - 1) / kThreads;
  static constexpr int kCopies = kBytes > 16 ? kBytes / 16 : 1;  // of a group
  static constexpr int kCopyBytes = kBytes / kCopies;
  static constexpr int kStageBytes = kShare * 2 * kBytes * kThreads;

  static __device__ int task(int i) { return i * kThreads + static_cast<int>(threadIdx.x); }
  static __device__ int pair(int i) { return task(i) / kGroups; }
  static __device__ int group(int i) { return task(i) % kGroups; }
  static __device__ bool mine(int i) { return kTasks % kThreads == 0 || task(i) < kTasks; }
  /// A thread's copies stand a row of all threads' apart, so that a warp meets no bank twice.
  static __device__ unsigned char* at(unsigned char* stage, int i, int second, int copy) {
    return stage +
           (((i * 2 + second) * kCopies + copy) * kThreads + static_cast<int>(threadIdx.x)) *
               kCopyBytes;
  }
  static __device__ Words<kBytes> load(unsigned char* stage, int i, int second) {
    Words<kBytes> words;
#pragma unroll
    for (int copy = 0; copy < kCopies; ++copy) {
      Words<kCopyBytes> some;
      some.load(at(stage, i, second, copy));
#pragma unroll
      for (int w = 0; w < some.kCount; ++w) words.at[copy * some.kCount + w] = some.at[w];
    }
    return words;
  }
  static __device__ void copy(unsigned char* stage, int i, int second, const char* from) {
#pragma unroll
    for (int copy = 0; copy < kCopies; ++copy) {
      copy_some_bytes<kCopyBytes>(at(stage, i, second, copy), from + copy * kCopyBytes);
    }
  }
};

template <class R, class Sh>
class GatheredStages {
  using Operand = typename R::Operand;
  using Value = typename R::Value;
  static constexpr int kValue = static_cast<int>(sizeof(Value));
  using Left = Pieces<Sh::kItemRows / kGroup, kGroup * kValue, Sh::kThreads>;
  using Right = Pieces<Sh::kCols / kGroup, kGroup * R::kLanes * kValue, Sh::kThreads>;
  static constexpr int kPackedBytes = Sh::kStageWords * static_cast<int>(sizeof(Operand));
  static constexpr int kCopiedBytes = Left::kStageBytes + Right::kStageBytes;

 public:
  static constexpr int kSharedBytes = Sh::kStages * (kPackedBytes + kCopiedBytes);

  __device__ GatheredStages(const ListedArguments& p, const ListedItem& item, int first_column,
                            unsigned char* shared)
      : x_(static_cast<const char*>(p.x)),
        x_bytes_(p.x_bytes),
        list_(p.lists + item.list),
        weights_(static_cast<const char*>(p.weights) + item.weights * kValue),
        width_(width_of(item.rows)),
        depth_(item.depth),
        weights_from_(item.weights_from),
        first_column_(first_column),
        last_column_(p.cols - kGroup * R::kLanes),
        shared_(shared) {}

  __device__ int steps() const { return (depth_ + kDepthStep - 1) / kDepthStep; }

  __device__ void begin() const {
    for (int s = 0; s < Sh::kStages; ++s) fill(s);
  }

  /// The stage's operands. Every thread is done with the stage before the last one by then.
  __device__ const Operand* next(int step) const {
    await_copies<Sh::kStages - 1>();
    auto* const to = reinterpret_cast<Operand*>(shared_ + step % Sh::kStages * kPackedBytes);
    unsigned char* const from = copied(step);
#pragma unroll
    for (int i = 0; i < Left::kShare; ++i) {
      if (!Left::mine(i)) continue;
      pack(Left::load(from, i, 0), Left::load(from, i, 1), to, Left::pair(i), Left::group(i));
    }
#pragma unroll
    for (int i = 0; i < Right::kShare; ++i) {
      if (!Right::mine(i)) continue;
      pack_right(Right::load(from + Left::kStageBytes, i, 0),
                 Right::load(from + Left::kStageBytes, i, 1), to + kDepthStep * Sh::kRows,
                 Right::pair(i), Right::group(i));
    }
    __syncthreads();
    fill(step + Sh::kStages);
    return to;
  }

 private:
  static __device__ int width_of(int rows) { return rows <= 16 ? 16 : rows <= 32 ? 32 : 64; }

  __device__ unsigned char* copied(int step) const {
    return shared_ + Sh::kStages * kPackedBytes + step % Sh::kStages * kCopiedBytes;
  }
  __device__ int pivot(int step, int pair, int second) const {
    return min(step * kDepthStep + pair * 2 + second, depth_ - 1);
  }

  __device__ void fill(int step) const {
    if (step * kDepthStep < depth_) {
      unsigned char* const to = copied(step);
#pragma unroll
      for (int second = 0; second < 2; ++second) {
#pragma unroll
        for (int i = 0; i < Left::kShare; ++i) {
          if (!Left::mine(i)) continue;
          const int k = pivot(step, Left::pair(i), second);
          const int weights = weights_from_ < 0 ? k : list_[k] - weights_from_;
          const std::int64_t row = std::int64_t{weights} * width_;
          const int first = min(Left::group(i) * kGroup, width_ - kGroup);
          Left::copy(to, i, second, weights_ + (row + first) * kValue);
        }
#pragma unroll
        for (int i = 0; i < Right::kShare; ++i) {
          if (!Right::mine(i)) continue;
          const int row = list_[pivot(step, Right::pair(i), second)];
          const int first =
              min(first_column_ + Right::group(i) * (kGroup * R::kLanes), last_column_);
          Right::copy(to + Left::kStageBytes, i, second,
                      x_ + std::int64_t{row} * x_bytes_ + std::int64_t{first} * kValue);
        }
      }
    }
    commit_copies();
  }

  /// a: of the pair's first pivot, b: of its second one.
  static __device__ void put(const Operand (&a)[kGroup], const Operand (&b)[kGroup], Operand* to,
                             int pair, int group) {
    const int word = group * kGroup;
    Operand* const sliver = to + word / kSliver * (kDepthStep * kSliver) + pair * 2 * kSliver;
    if constexpr (sizeof(Operand) == 8) {
#pragma unroll
      for (int w = 0; w < kGroup; w += 2) {
        const int place = word % kSliver + w;
        *reinterpret_cast<double2*>(sliver + place_in_pair<Operand>(place, 0)) = {a[w], a[w + 1]};
        *reinterpret_cast<double2*>(sliver + place_in_pair<Operand>(place, 1)) = {b[w], b[w + 1]};
      }
    } else {
#pragma unroll
      for (int w = 0; w < kGroup; w += 2) {
        const int place = word % kSliver + w;
        alignas(16) const Operand four[4] = {a[w], b[w], a[w + 1], b[w + 1]};
        *reinterpret_cast<uint4*>(sliver + place_in_pair<Operand>(place, 0)) =
            *reinterpret_cast<const uint4*>(four);
      }
    }
  }

  static __device__ void pack(const Words<kGroup * kValue>& first,
                              const Words<kGroup * kValue>& second, Operand* to, int pair,
                              int group) {
    Operand a[kGroup], b[kGroup];
#pragma unroll
    for (int w = 0; w < kGroup; ++w) {
      a[w] = left(first, w);
      b[w] = left(second, w);
    }
    put(a, b, to, pair, group);
  }
  /// Pivots of the right operand stand the other way round.
  static __device__ void pack_right(const Words<kGroup * R::kLanes * kValue>& first,
                                    const Words<kGroup * R::kLanes * kValue>& second, Operand* to,
                                    int pair, int group) {
    Operand a[kGroup], b[kGroup];
#pragma unroll
    for (int w = 0; w < kGroup; ++w) {
      a[w] = right(first, w);
      b[w] = right(second, w);
    }
    put(b, a, to, pair, group);
  }

  // Two values a word are kept as they lie in memory (relaxation.cuh).
  static __device__ Operand left(const Words<kGroup * kValue>& values, int w) {
    if constexpr (R::kLanes == 2) {
      return __byte_perm(values.at[w / 2], 0, w % 2 == 0 ? 0x1010 : 0x3232);
    } else {
      return R::left(values.template value<Value>(w));
    }
  }
  static __device__ Operand right(const Words<kGroup * R::kLanes * kValue>& values, int w) {
    if constexpr (R::kLanes == 2) {
      return values.at[w];
    } else {
      const Value value = values.template value<Value>(w);
      return R::right(&value);
    }
  }

  const char* x_;
  std::int64_t x_bytes_;
  const std::int32_t* list_;
  const char* weights_;
  int width_, depth_, weights_from_, first_column_, last_column_;
  unsigned char* shared_;
};

/// A block (x: an item, y: a strip of columns).
template <class R, class Sh>
__global__ void __launch_bounds__(Sh::kThreads, Sh::kBlocks) wide_listed_kernel(ListedArguments p) {
  using P = Product<R, Sh>;
  using Value = typename R::Value;
  extern __shared__ __align__(128) unsigned char shared[];
  const ListedItem item = p.items[blockIdx.x];
  const int first_column = static_cast<int>(blockIdx.y) * Sh::kCols * R::kLanes;
  const GatheredStages<R, Sh> filling(p, item, first_column, shared);
  filling.begin();
  const P mine;
  const auto row_of = [&](int r) -> std::int64_t {
    return item.rows_are_listed != 0 ? p.lists[item.first_row + r] : item.first_row + r;
  };
  /// f(pointer into C, values from there on, i, j) for each group of the thread.
  const auto for_each_group = [&](auto&& f) {
#pragma unroll
    for (int i = 0; i < Sh::kThreadRows; ++i) {
      const int r = mine.row + P::row_of(i);
      if (r >= item.rows) continue;
      const std::int64_t row = row_of(r);
#pragma unroll
      for (int j = 0; j < Sh::kThreadCols; j += kGroup) {
        const int column = first_column + (mine.col + P::col_of(j)) * R::kLanes;
        f(static_cast<Value*>(p.c) + row * p.c_stride + column, p.cols - column, i, j);
      }
    }
  };
  typename P::Sum sum[Sh::kThreadRows][Sh::kThreadCols];
  Value none[R::kLanes];
  for (Value& each : none) each = R::S::zero();
#pragma unroll
  for (auto& row_of_sums : sum) {
#pragma unroll
    for (auto& each : row_of_sums) each = R::load(none);
  }
  if (p.adds || (p.begun != nullptr && p.begun[row_of(0)] != 0)) {
    for_each_group([&](const Value* c, int inside, int i, int j) {
      if (inside > 0) P::load_group(c, inside, true, &sum[i][j]);
    });
  }
  const int steps = filling.steps();
  for (int step = 0; step < steps; ++step) mine.relax_stage(filling.next(step), p.one, sum);
  for_each_group([&](Value* c, int inside, int i, int j) {
    if (inside > 0) P::store_group(c, inside, true, &sum[i][j]);
  });
}

/// Blocks of items of up to half of kWideRows, and of more.
template <class R>
struct WideConfigurations {
  static constexpr Configuration kHalf = {32, 256, 8, 8, 2, 3};
  static constexpr Configuration kWhole = {64, 128, 8, 8, 2, 4};
};
template <class R>
requires(sizeof(typename R::Operand) == 8) struct WideConfigurations<R> {
  static constexpr Configuration kHalf = {32, 128, 8, 4, 2, 2};
  static constexpr Configuration kWhole = {64, 64, 8, 4, 2, 3};
};

}  // namespace apsp::kernels::cuda
