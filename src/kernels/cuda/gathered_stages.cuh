// Shared memory for the operands of a wide item of gathered rows (kernels/listed_rows.hpp).
//
// Every thread copies pieces of the listed rows and of the factor's values asynchronously, two
// stages ahead, and packs what it copied (packed.hpp) for all threads of the block. A stage needs
// one barrier, and packing costs a few instructions per pivot of the hundred of a relaxation. Row
// numbers are read one stage before the copies.
//
// Listed rows of groups further above come first and those of the group above last, so that items
// are waited for as late as possible. Pivots and rows beyond the item's are repeated.
#pragma once

#include <cstdint>

#include "kernels/cuda/async_copy.cuh"
#include "kernels/cuda/configuration.hpp"
#include "kernels/cuda/listed.cuh"
#include "kernels/cuda/packed.hpp"
#include "kernels/cuda/words.cuh"

namespace apsp::kernels::cuda {

/// A configuration whose threads form kParts parts. Each part takes its share of a stage's pivots,
/// for all rows, of which there are kParts times fewer.
template <Configuration kConfiguration, int kParts_>
struct WideShape {
  static constexpr int kParts = kParts_;
  static constexpr int kItemRows = kConfiguration.rows / kParts;
  static constexpr int kRows = kSliver, kCols = kConfiguration.cols;
  static constexpr int kThreadRows = kConfiguration.thread_rows;
  static constexpr int kThreadCols = kConfiguration.thread_cols;
  static constexpr int kThreadsDown = kItemRows / kThreadRows;
  static constexpr int kThreadsAcross = kCols / kThreadCols;
  static constexpr int kPartThreads = kThreadsDown * kThreadsAcross;
  static constexpr int kThreads = kPartThreads * kParts;
  static constexpr int kWarpDown = kThreadsDown < 4 ? kThreadsDown : 4;
  static constexpr int kWarpAcross = 32 / kWarpDown;
  static constexpr int kStages = 2;
  static constexpr int kStageWords = kDepthStep * (kRows + kCols);
  static_assert(kConfiguration.stages == kStages && kItemRows <= kSliver && kCols % kSliver == 0);
  static_assert(kThreadsDown % kWarpDown == 0 && kThreadsAcross % kWarpAcross == 0);
  static_assert(kPartThreads % 32 == 0 && kDepthStep / 2 % kParts == 0);
};

/// A thread's share of one side in a stage: groups of four words of both pivots of a pair.
template <int kGroups, int kBytes, int kThreads>
struct Pieces {
  static constexpr int kTasks = kDepthStep / 2 * kGroups;
  static constexpr int kShare = (kTasks + kThreads - 1) / kThreads;
  static constexpr int kStageBytes = kShare * 2 * kBytes * kThreads;

  static __device__ int task(int i) { return i * kThreads + static_cast<int>(threadIdx.x); }
  static __device__ int pair(int i) { return task(i) / kGroups; }
  static_assert(kThreads % kGroups == 0);  // a thread has the same group in all of its tasks
  static __device__ int group(int i) { return task(i) % kGroups; }
  static __device__ bool mine(int i) { return kTasks % kThreads == 0 || task(i) < kTasks; }
  /// A thread's copies are one row of all threads apart, which avoids bank conflicts.
  static __device__ unsigned char* at(unsigned char* stage, int i, int second) {
    return stage + ((i * 2 + second) * kThreads + static_cast<int>(threadIdx.x)) * kBytes;
  }
  static __device__ Words<kBytes> load(unsigned char* stage, int i, int second) {
    Words<kBytes> words;
    words.load(at(stage, i, second));
    return words;
  }
  static __device__ void copy(unsigned char* stage, int i, int second, const char* from) {
    copy_some_bytes<kBytes>(at(stage, i, second), from);
  }
};

struct ListedPivot {
  int row, weights;  // row numbers, of X and of A
};
/// Pivots of the next stages: one is written while earlier ones are read.
struct ListedPivots {
  static constexpr int kStages = 4;
  ListedPivot at[kStages][kDepthStep];
};

template <class R, class Sh>
class GatheredStages {
  using Operand = typename R::Operand;
  using Value = typename R::Value;
  static constexpr int kValue = static_cast<int>(sizeof(Value));
  static_assert(sizeof(Operand) == 4);
  using Left = Pieces<Sh::kItemRows / kGroup, kGroup * kValue, Sh::kThreads>;
  using Right = Pieces<Sh::kCols / kGroup, kGroup * R::kLanes * kValue, Sh::kThreads>;
  static constexpr int kPackedBytes = Sh::kStageWords * static_cast<int>(sizeof(Operand));
  static constexpr int kCopiedBytes = Left::kStageBytes + Right::kStageBytes;

 public:
  static constexpr int kSharedBytes = Sh::kStages * (kPackedBytes + kCopiedBytes);

  __device__ GatheredStages(const ListedArguments& p, const ListedItem& item, ListedWaits& waits,
                            ListedPivots& pivots, int first_column, unsigned char* shared)
      : x_(static_cast<const char*>(p.x) +
           std::int64_t{min(first_column + Right::group(0) * (kGroup * R::kLanes),
                            p.cols - kGroup * R::kLanes)} *
               kValue),
        x_bytes_(p.x_bytes),
        weights_(static_cast<const char*>(p.weights) +
                 (item.weights + Left::group(0) * kGroup) * kValue),
        list_(p.lists + item.list),
        item_(item),
        waits_(waits),
        pivots_(pivots),
        depth_(item.depth),
        shared_(shared) {}

  __device__ int steps() const { return (depth_ + kDepthStep - 1) / kDepthStep; }

  __device__ void begin() {
    for (int s = 0; s <= Sh::kStages; ++s) {
      read_pivot(s);
      write_pivot(s);
    }
    read_pivot(Sh::kStages + 1);
    waits_.await_far();
    __syncthreads();
    for (int s = 0; s < Sh::kStages; ++s) fill(s);
  }

  /// Returns the stage's operands. All threads have finished the stage before the last one then.
  __device__ const Operand* next(int step) {
    await_copies<Sh::kStages - 1>();
    auto* const to = reinterpret_cast<Operand*>(shared_ + step % Sh::kStages * kPackedBytes);
    unsigned char* const from = copied(step);
#pragma unroll
    for (int i = 0; i < Left::kShare; ++i) {
      if (!Left::mine(i)) continue;
      pack<true>(Left::load(from, i, 0), Left::load(from, i, 1), to, Left::pair(i), Left::group(i));
    }
#pragma unroll
    for (int i = 0; i < Right::kShare; ++i) {
      if (!Right::mine(i)) continue;
      pack<false>(Right::load(from + Left::kStageBytes, i, 0),
                  Right::load(from + Left::kStageBytes, i, 1), to + kDepthStep * Sh::kRows,
                  Right::pair(i), Right::group(i));
    }
    __syncthreads();
    fill(step + Sh::kStages);
    write_pivot(step + Sh::kStages + 1);
    read_pivot(step + Sh::kStages + 2);
    return to;
  }

 private:
  __device__ unsigned char* copied(int step) const {
    return shared_ + Sh::kStages * kPackedBytes + step % Sh::kStages * kCopiedBytes;
  }
  __device__ void read_pivot(int step) {
    const int thread = static_cast<int>(threadIdx.x);
    if (thread >= kDepthStep || step * kDepthStep >= depth_) return;
    int k = min(step * kDepthStep + thread, depth_ - 1) + waits_.near();
    if (k >= depth_) k -= depth_;
    pivot_.row = list_[k];
    pivot_.weights = item_.weights_from < 0 ? k : pivot_.row - item_.weights_from;
  }
  __device__ void write_pivot(int step) {
    const int thread = static_cast<int>(threadIdx.x);
    if (thread < kDepthStep) pivots_.at[step % ListedPivots::kStages][thread] = pivot_;
  }

  __device__ void fill(int step) {
    if (step * kDepthStep < depth_) {
      if ((step + 1) * kDepthStep > depth_ - waits_.near()) waits_.await_near();
      unsigned char* const to = copied(step);
      const auto& pivots = pivots_.at[step % ListedPivots::kStages];
#pragma unroll
      for (int second = 0; second < 2; ++second) {
#pragma unroll
        for (int i = 0; i < Left::kShare; ++i) {
          if (!Left::mine(i)) continue;
          const int row = pivots[Left::pair(i) * 2 + second].weights;
          Left::copy(to, i, second, weights_ + std::int64_t{row} * (Sh::kItemRows * kValue));
        }
#pragma unroll
        for (int i = 0; i < Right::kShare; ++i) {
          if (!Right::mine(i)) continue;
          const int row = pivots[Right::pair(i) * 2 + second].row;
          Right::copy(to + Left::kStageBytes, i, second, x_ + std::int64_t{row} * x_bytes_);
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
#pragma unroll
    for (int w = 0; w < kGroup; w += 2) {
      const int place = word % kSliver + w;
      alignas(16) const Operand four[4] = {a[w], b[w], a[w + 1], b[w + 1]};
      *reinterpret_cast<uint4*>(sliver + place_in_pair<Operand>(place, 0)) =
          *reinterpret_cast<const uint4*>(four);
    }
  }

  /// Pivots of the right operand are in the opposite order.
  template <bool kLeft, int kBytes>
  static __device__ void pack(const Words<kBytes>& first, const Words<kBytes>& second, Operand* to,
                              int pair, int group) {
    Operand a[kGroup], b[kGroup];
#pragma unroll
    for (int w = 0; w < kGroup; ++w) {
      a[w] = kLeft ? left_of<R>(first, w) : right_of<R>(first, w);
      b[w] = kLeft ? left_of<R>(second, w) : right_of<R>(second, w);
    }
    kLeft ? put(a, b, to, pair, group) : put(b, a, to, pair, group);
  }

  const char* x_;
  std::int64_t x_bytes_;
  const char* weights_;
  const std::int32_t* list_;
  const ListedItem& item_;
  ListedWaits& waits_;
  ListedPivots& pivots_;
  int depth_;
  unsigned char* shared_;
  ListedPivot pivot_{};
};

}  // namespace apsp::kernels::cuda
