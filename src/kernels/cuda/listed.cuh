// Products of gathered rows (kernels/listed_rows.hpp).
//
// A warp processes one item and a strip of its columns: lanes hold neighbouring columns of 16 bytes
// each, for all rows of the item, in registers. A listed row is read once, in whole lines, for all
// rows of the item; A's values are the same for the whole warp. Listed rows are taken in pairs, as
// relaxations take two pivots (relaxation.cuh); an odd last one is taken twice, which changes
// nothing.
//
// Items of one row read one or two lines for every line they write and wait for them; they use two
// strips, so that more loads are in flight.
#pragma once

#include <cstdint>

#include "kernels/cuda/async_copy.cuh"
#include "kernels/cuda/relaxation.cuh"
#include "kernels/cuda/words.cuh"
#include "kernels/listed_rows.hpp"

namespace apsp::kernels::cuda {

inline constexpr int kListedWarps = 4;   // of a block
inline constexpr int kListedBytes = 16;  // of a row, per thread

struct ListedArguments {
  void* c;
  const void* x;
  std::int64_t c_stride;  // values
  int x_bytes;            // between rows of X
  int cols, count, one;
  const void* weights;
  const std::int32_t* lists;
  const ListedItem* items;
  bool adds;
  const std::uint8_t* begun;
  const ListedGroup* groups;
  std::int32_t* progress;
  int strips;
};

// Two values per word are kept as in memory (relaxation.cuh).

/// Value w as an operand of all columns; of two per word, broadcast to both halves.
template <class R, int kBytes>
__device__ typename R::Operand left_of(const Words<kBytes>& values, int w) {
  if constexpr (R::kLanes == 2) {
    return __byte_perm(values.at[w / 2], 0, w % 2 == 0 ? 0x1010 : 0x3232);
  } else {
    return R::left(values.template value<typename R::Value>(w));
  }
}
template <class R, int kBytes>
__device__ typename R::Operand right_of(const Words<kBytes>& values, int w) {
  if constexpr (R::kLanes == 2) {
    return values.at[w];
  } else {
    const auto value = values.template value<typename R::Value>(w);
    return R::right(&value);
  }
}

template <class R, int kRows, int kStrips>
class ListedRows {
  using Value = typename R::Value;
  using Operand = typename R::Operand;
  using Sum = typename R::Sum;
  static constexpr int kValues = kListedBytes / static_cast<int>(sizeof(Value));
  static constexpr int kWords = kValues / R::kLanes;
  using Line = Words<kListedBytes>;

  struct Left {
    Operand at[kRows];
  };

 public:
  static constexpr int kColumns = 32 * kValues * kStrips;
  using Sums = Sum[kStrips][kRows][kWords];

  static __device__ void run(const ListedArguments& p, const ListedItem& item, int strip) {
    const int first = strip * kColumns;
    Sums sums;
    begin(p, item, first, p.adds || (p.begun != nullptr && p.begun[item.first_row] != 0), sums);
    relax(p, item, first, 0, item.depth, sums);
    store(p, item, first, sums);
  }

  static __device__ void begin(const ListedArguments& p, const ListedItem& item, int first,
                               bool begun, Sums& sums) {
#pragma unroll
    for (int s = 0; s < kStrips; ++s) {
      const int column = column_of(first, s);
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
#pragma unroll
        for (Sum& each : sums[s][r]) each = no_path_sum<R>();
        if (!begun || r >= item.rows || column >= p.cols) continue;
        Line line;
        line.load(row(p, item, r, column));
#pragma unroll
        for (int w = 0; w < kWords; ++w) sums[s][r][w] = sum(line, w);
      }
    }
  }

  static __device__ void relax(const ListedArguments& p, const ListedItem& item, int first, int k,
                               int end, Sums& sums) {
    const std::int32_t* const list = p.lists + item.list;
    const Value* const weights = static_cast<const Value*>(p.weights) + item.weights;
    // Threads beyond the last column repeat it and store nothing.
    const char* from[kStrips];
#pragma unroll
    for (int s = 0; s < kStrips; ++s) {
      const int column = min(column_of(first, s), p.cols - kValues);
      from[s] = reinterpret_cast<const char*>(static_cast<const Value*>(p.x) + column);
    }
#pragma unroll 2
    for (; k < end; k += 2) {
      const int next = min(k + 1, end - 1);
      const int row0 = list[k], row1 = list[next];
      const Left a0 = left(weights + k * kRows), a1 = left(weights + next * kRows);
#pragma unroll
      for (int s = 0; s < kStrips; ++s) {
        Line b0, b1;
        b0.load(from[s] + std::int64_t{row0} * p.x_bytes);
        b1.load(from[s] + std::int64_t{row1} * p.x_bytes);
        relax(p.one, a0, b0, a1, b1, sums[s]);
      }
    }
  }

  static __device__ void store(const ListedArguments& p, const ListedItem& item, int first,
                               const Sums& sums) {
#pragma unroll
    for (int s = 0; s < kStrips; ++s) {
      const int column = column_of(first, s);
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
        if (r >= item.rows || column >= p.cols) continue;
        Line line;
#pragma unroll
        for (int w = 0; w < kWords; ++w) put(sums[s][r][w], w, line);
        line.store(row(p, item, r, column));
      }
    }
  }

 private:
  static __device__ int column_of(int first, int strip) {
    return first + (strip * 32 + static_cast<int>(threadIdx.x) % 32) * kValues;
  }
  static __device__ Value* row(const ListedArguments& p, const ListedItem& item, int r,
                               int column) {
    return static_cast<Value*>(p.c) + (item.first_row + r) * p.c_stride + column;
  }

  static __device__ Sum sum(const Line& line, int w) {
    if constexpr (R::kLanes == 2) {
      return line.at[w];
    } else {
      const Value value = line.template value<Value>(w);
      return R::load(&value);
    }
  }
  static __device__ void put(Sum sum, int w, Line& line) {
    if constexpr (R::kLanes == 2) {
      line.at[w] = sum;
    } else {
      Value value;
      R::store(R::settle(sum), &value);
      line.set(w, value);
    }
  }

  static __device__ Left left(const Value* weights) {
    Left operands;
    if constexpr (kRows * sizeof(Value) < 4) {
      operands.at[0] = R::left(weights[0]);
    } else {
      Words<kRows* static_cast<int>(sizeof(Value))> words;
      words.load(weights);
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
        operands.at[r] = left_of<R>(words, r);
      }
    }
    return operands;
  }

  static __device__ void relax(int one, const Left& a0, const Line& b0, const Left& a1,
                               const Line& b1, Sum (&sums)[kRows][kWords]) {
#pragma unroll
    for (int w = 0; w < kWords; ++w) {
      const Operand right0 = right_of<R>(b0, w), right1 = right_of<R>(b1, w);
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
        R::relax(r * kWords + w, one, sums[r][w], a0.at[r], right0, a1.at[r], right1);
      }
    }
  }
};

/// One warp per item; all warps of a block have the same strip.
template <class R>
__global__ void __launch_bounds__(kListedWarps * 32, 5) listed_kernel(ListedArguments p) {
  const int index =
      static_cast<int>(blockIdx.x) * kListedWarps + static_cast<int>(threadIdx.x) / 32;
  if (index >= p.count) return;
  const ListedItem item = p.items[index];
  const int strip = static_cast<int>(blockIdx.y);
  if (item.rows == 1) return ListedRows<R, 1, 1>::run(p, item, strip);
  if (item.rows == 2) return ListedRows<R, 2, 1>::run(p, item, strip);
  if (item.rows <= 4) return ListedRows<R, 4, 1>::run(p, item, strip);
  ListedRows<R, 8, 1>::run(p, item, strip);
}

template <class R>
__global__ void __launch_bounds__(kListedWarps * 32, 8) listed_row_kernel(ListedArguments p) {
  const int index =
      static_cast<int>(blockIdx.x) * kListedWarps + static_cast<int>(threadIdx.x) / 32;
  if (index >= p.count) return;
  ListedRows<R, 1, 2>::run(p, p.items[index], static_cast<int>(blockIdx.y));
}

// Blocks that wait for other blocks of the same launch (`ListedGroup`, kernels/listed_rows.hpp).
//
// A block draws its number when it starts, and items are sorted so that those an item waits for
// have smaller numbers. They have started, so no order of starting blocks causes a deadlock.
// Progress is counted by groups and strips of columns.

struct ListedTask {
  int item, strip;
};

__device__ inline ListedTask take_task(const ListedArguments& p) {
  if (p.groups == nullptr) return {static_cast<int>(blockIdx.x), static_cast<int>(blockIdx.y)};
  __shared__ int number;
  if (threadIdx.x == 0) number = atomicAdd(p.progress, 1);
  __syncthreads();
  return {number / p.strips, number % p.strips};
}

class ListedWaits {
 public:
  __device__ void set(const ListedArguments& p, const ListedItem& item, int strip) {
    groups_ = p.groups;
    near_ = 0;
    if (groups_ == nullptr) return;
    const ListedGroup& mine = groups_[item.group];
    near_ = mine.near;
    above_ = mine.above;
    counted_ = reinterpret_cast<unsigned*>(p.progress) + 1 + strip;
    strips_ = p.strips;
    own_ = item.group;
  }

  /// Number of listed rows of the group above.
  __device__ int near() const { return near_; }
  __device__ void await_far() const {
    if (groups_ != nullptr && above_ >= 0) await(groups_[above_].above);
  }
  __device__ void await_near() const {
    if (groups_ != nullptr) await(above_);
  }
  /// Publishes what all threads of the block have written.
  __device__ void finish() const {
    if (groups_ == nullptr) return;
    __syncthreads();
    if (threadIdx.x == 0) raise_behind_barrier(counted_ + own_ * strips_);
  }

 private:
  __device__ void await(int group) const {
    if (group < 0) return;
    if (threadIdx.x == 0) {
      await_at_least<100>(counted_ + group * strips_, static_cast<unsigned>(groups_[group].items));
    }
    __syncthreads();
  }

  const ListedGroup* groups_;
  unsigned* counted_;  // items of group 0 in this strip
  int strips_, near_, above_, own_;
};

}  // namespace apsp::kernels::cuda
