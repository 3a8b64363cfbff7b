// Launches on gathered rows (kernels/listed_rows.hpp), instantiated in gathered_sums.cu and
// gathered_bottlenecks.cu, and items of a product of them, one per block of threads.
//
// The block of a wide item keeps a strip of columns in registers and relaxes as a product does
// (product.cuh), from operands gathered in shared memory (`GatheredStages`). A block has 64 rows; for
// items of half or a quarter as many, two or four parts of the block own the same rows, share the
// pivots of every stage and finally add their results. The block's warps share the listed rows in
// the same way.
#pragma once

#include <cstdint>

#include "kernels/cuda/async_copy.cuh"
#include "kernels/cuda/configuration.hpp"
#include "kernels/cuda/cuda_runtime.hpp"
#include "kernels/cuda/device_operations.hpp"
#include "kernels/cuda/listed.cuh"
#include "kernels/cuda/packed.hpp"
#include "kernels/cuda/product.cuh"
#include "kernels/cuda/words.cuh"

namespace apsp::kernels::cuda {

// Shared memory for the operands of a wide item of gathered rows (kernels/listed_rows.hpp).
//
// Every thread copies pieces of the listed rows and of the factor's values asynchronously, two
// stages ahead, and packs what it copied (packed.hpp) for all threads of the block. A stage needs
// one barrier, and packing costs a few instructions per pivot of the hundred of a relaxation. Row
// numbers are read one stage before the copies.
//
// Listed rows of groups further above come first and those of the group above last, so that items
// are waited for as late as possible. Pivots and rows beyond the item's are repeated.

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

// Items with many listed rows of 8-byte values (kernels/listed_rows.hpp). Shared memory would hold
// only half as many as of 4-byte values, so nothing is gathered: each warp keeps eight rows of the
// item in registers and reads the listed rows itself, after its neighbours have brought them into
// the cache. Arithmetic of this width hides the latency.

/// Rows [first, first + kListedRows) of an item, and one line of columns per thread.
template <class R>
class TallRows {
  using Value = typename R::Value;
  static_assert(R::kLanes == 1 && sizeof(Value) == 8);
  static constexpr int kValues = kListedBytes / static_cast<int>(sizeof(Value));
  using Line = Words<kListedBytes>;

 public:
  static constexpr int kColumns = 32 * kValues;

  __device__ TallRows(const ListedArguments& p, const ListedItem& item, int strip, int first)
      : p_(p),
        item_(item),
        column_(strip * kColumns + static_cast<int>(threadIdx.x) % 32 * kValues),
        first_(first) {}

  __device__ void run() {
    begin();
    const std::int32_t* const list = p_.lists + item_.list;
    const std::int64_t width = listed_width(item_.rows);
    const Value* const weights = static_cast<const Value*>(p_.weights) + item_.weights + first_;
    // Threads beyond the last column repeat it and store nothing.
    const int column = min(column_, p_.cols - kValues);
    const auto* const from =
        reinterpret_cast<const char*>(static_cast<const Value*>(p_.x) + column);
    const auto picked = [&](int k) {
      return item_.weights_from < 0 ? k : list[k] - item_.weights_from;
    };
    for (int k = 0; k < item_.depth; k += 2) {
      const int next = min(k + 1, item_.depth - 1);
      Line x0, x1;
      x0.load(from + std::int64_t{list[k]} * p_.x_bytes);
      x1.load(from + std::int64_t{list[next]} * p_.x_bytes);
      relax(weights + picked(k) * width, x0, weights + picked(next) * width, x1);
    }
    store();
  }

 private:
  __device__ Value* row(int r) const {
    const std::int64_t row = item_.rows_are_listed != 0 ? p_.lists[item_.first_row + first_ + r]
                                                        : item_.first_row + first_ + r;
    return static_cast<Value*>(p_.c) + row * p_.c_stride + column_;
  }
  __device__ bool has(int r) const { return first_ + r < item_.rows && column_ < p_.cols; }

  __device__ void begin() {
    const std::int32_t top =
        item_.rows_are_listed != 0 ? p_.lists[item_.first_row] : item_.first_row;
    const bool begun = p_.adds || (p_.begun != nullptr && p_.begun[top] != 0);
#pragma unroll
    for (int r = 0; r < kListedRows; ++r) {
      Line line;
      if (begun && has(r)) line.load(row(r));
#pragma unroll
      for (int v = 0; v < kValues; ++v) {
        sums_[r][v] = begun && has(r) ? line.template value<Value>(v) : R::S::zero();
      }
    }
  }

  __device__ void relax(const Value* a0, const Line& x0, const Value* a1, const Line& x1) {
#pragma unroll
    for (int r = 0; r < kListedRows; ++r) {
#pragma unroll
      for (int v = 0; v < kValues; ++v) {
        R::relax(r * kValues + v, p_.one, sums_[r][v], a0[r], x0.template value<Value>(v), a1[r],
                 x1.template value<Value>(v));
      }
    }
  }

  __device__ void store() const {
#pragma unroll
    for (int r = 0; r < kListedRows; ++r) {
      if (!has(r)) continue;
      Line line;
#pragma unroll
      for (int v = 0; v < kValues; ++v) line.set(v, sums_[r][v]);
      line.store(row(r));
    }
  }

  const ListedArguments& p_;
  const ListedItem& item_;
  int column_, first_;
  typename R::Sum sums_[kListedRows][kValues];
};

template <class R, int kWarps>
__device__ void relax_tall_item(const ListedArguments& p, const ListedItem& item, int strip,
                                ListedWaits& waits) {
  waits.await_far();
  waits.await_near();
  for (int first = static_cast<int>(threadIdx.x) / 32 * kListedRows; first < item.rows;
       first += kWarps * kListedRows) {
    TallRows<R>(p, item, strip, first).run();
  }
}

template <class R>
__device__ void add(int slot, int one, typename R::Sum& sum, typename R::Sum other) {
  typename R::Value values[R::kLanes];
  R::store(other, values);
  const auto right = R::right(values), left = R::left(R::S::one());
  R::relax(slot, one, sum, left, right, left, right);
}

/// Adds kCount sums of each of `threads` threads over all parts, into those of part 0.
template <class R, int kCount, int kParts>
__device__ void add_parts(int part, int thread, int threads, int one, typename R::Sum* sums,
                          unsigned char* shared) {
  auto* const others = reinterpret_cast<typename R::Sum*>(shared);
  __syncthreads();  // all operands have been read
  if (part > 0) {
#pragma unroll
    for (int i = 0; i < kCount; ++i) others[((part - 1) * kCount + i) * threads + thread] = sums[i];
  }
  __syncthreads();
  if (part > 0) return;
#pragma unroll
  for (int other = 0; other < kParts - 1; ++other) {
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      add<R>(i, one, sums[i], others[(other * kCount + i) * threads + thread]);
    }
  }
}

template <class R, class Sh>
__device__ void relax_wide_item(const ListedArguments& p, const ListedItem& item, int strip,
                                ListedWaits& waits, ListedPivots& pivots, unsigned char* shared) {
  using P = Product<R, Sh>;
  using Value = typename R::Value;
  constexpr int kPairs = kDepthStep / 2 / Sh::kParts;
  const int part = static_cast<int>(threadIdx.x) / Sh::kPartThreads;
  const int thread = static_cast<int>(threadIdx.x) % Sh::kPartThreads;
  const int first_column = strip * Sh::kCols * R::kLanes;
  GatheredStages<R, Sh> filling(p, item, waits, pivots, first_column, shared);
  filling.begin();
  const P mine(thread);
  const auto row_of = [&](int r) -> std::int64_t {
    return item.rows_are_listed != 0 ? p.lists[item.first_row + r] : item.first_row + r;
  };
  /// Calls f(pointer into C, values from there on, i, j) for each group of the thread.
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
#pragma unroll
  for (auto& row_of_sums : sum) {
#pragma unroll
    for (auto& each : row_of_sums) each = no_path_sum<R>();
  }
  if (part == 0 && (p.adds || (p.begun != nullptr && p.begun[row_of(0)] != 0))) {
    for_each_group([&](const Value* c, int inside, int i, int j) {
      if (inside > 0) P::load_group(c, inside, true, &sum[i][j]);
    });
  }
  const int steps = filling.steps();
  for (int step = 0; step < steps; ++step) {
    mine.template relax_pairs<kPairs>(filling.next(step), part * kPairs, p.one, sum);
  }
  if constexpr (Sh::kParts > 1) {
    add_parts<R, Sh::kThreadRows * Sh::kThreadCols, Sh::kParts>(part, thread, Sh::kPartThreads,
                                                                p.one, &sum[0][0], shared);
    if (part > 0) return;
  }
#pragma unroll
  for (auto& row_of_sums : sum) {
#pragma unroll
    for (auto& each : row_of_sums) each = R::settle(each);
  }
  for_each_group([&](Value* c, int inside, int i, int j) {
    if (inside > 0) P::store_group(c, inside, true, &sum[i][j]);
  });
}

template <class R, int kRows, int kWarps>
__device__ void relax_narrow_item(const ListedArguments& p, const ListedItem& item, int strip,
                                  ListedWaits& waits, unsigned char* shared) {
  using Rows = ListedRows<R, kRows, 1>;
  using Sums = typename Rows::Sums;
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  const int first = strip * Rows::kColumns;
  const bool begun = warp == 0 && (p.adds || (p.begun != nullptr && p.begun[item.first_row] != 0));
  Sums sums;
  Rows::begin(p, item, first, begun, sums);
  const auto relax = [&](int begin, int end) {
    const int share = (end - begin + kWarps - 1) / kWarps;
    const int from = begin + warp * share;
    Rows::relax(p, item, first, from, min(from + share, end), sums);
  };
  waits.await_far();
  relax(waits.near(), item.depth);
  waits.await_near();
  relax(0, waits.near());
  constexpr int kSums = sizeof(Sums) / sizeof(typename R::Sum);
  add_parts<R, kSums, kWarps>(warp, lane, 32, p.one, &sums[0][0][0], shared);
  if (warp == 0) Rows::store(p, item, first, sums);
}

inline constexpr Configuration kWideBlock = {64, 128, 8, 8, 2, 4};
template <int kParts>
using WideShapeOf = WideShape<kWideBlock, kParts>;

template <class R>
__device__ void relax_item_of_many_rows(const ListedArguments& p, const ListedItem& item, int strip,
                                        ListedWaits& waits, ListedPivots& pivots,
                                        unsigned char* shared) {
  if constexpr (sizeof(typename R::Value) == 8) {
    relax_tall_item<R, WideShapeOf<1>::kThreads / 32>(p, item, strip, waits);
  } else if (item.rows > kWideRows / 2) {
    relax_wide_item<R, WideShapeOf<1>>(p, item, strip, waits, pivots, shared);
  } else if (item.rows > kWideRows / 4) {
    relax_wide_item<R, WideShapeOf<2>>(p, item, strip, waits, pivots, shared);
  } else {
    relax_wide_item<R, WideShapeOf<4>>(p, item, strip, waits, pivots, shared);
  }
}

template <class R>
struct ListedBlock {
  static constexpr bool kGathers = sizeof(typename R::Value) < 8;
  static constexpr int kThreads = WideShapeOf<1>::kThreads;
  static constexpr int bytes() {
    if constexpr (kGathers) return GatheredStages<R, WideShapeOf<1>>::kSharedBytes;
    return static_cast<int>(sizeof(typename ListedRows<R, kListedRows, 1>::Sums)) * (kThreads - 32);
  }
  static constexpr int columns() {
    if constexpr (kGathers) return WideShapeOf<1>::kCols * R::kLanes;
    return ListedRows<R, kListedRows, 1>::kColumns;
  }
};

/// One block per item and strip of columns, for items of any number of rows.
template <class R>
__global__ void __launch_bounds__(WideShapeOf<1>::kThreads, kWideBlock.blocks)
    listed_block_kernel(ListedArguments p) {
  extern __shared__ __align__(128) unsigned char shared[];
  constexpr int kWarps = WideShapeOf<1>::kThreads / 32;
  const ListedTask task = take_task(p);
  __shared__ ListedItem item;
  __shared__ ListedWaits waits;
  __shared__ ListedPivots pivots;
  if (threadIdx.x == 0) {
    item = p.items[task.item];
    waits.set(p, item, task.strip);
  }
  __syncthreads();
  if (item.rows > kListedRows) {
    relax_item_of_many_rows<R>(p, item, task.strip, waits, pivots, shared);
  } else if (item.rows > 4) {
    relax_narrow_item<R, 8, kWarps>(p, item, task.strip, waits, shared);
  } else if (item.rows > 2) {
    relax_narrow_item<R, 4, kWarps>(p, item, task.strip, waits, shared);
  } else if (item.rows == 2) {
    relax_narrow_item<R, 2, kWarps>(p, item, task.strip, waits, shared);
  } else {
    relax_narrow_item<R, 1, kWarps>(p, item, task.strip, waits, shared);
  }
  waits.finish();
}

template <class R>
void launch_listed_blocks(cudaStream_t stream, const ListedArguments& p, std::int64_t progress) {
  using Block = ListedBlock<R>;
  static_assert(Block::columns() * sizeof(typename R::Value) == kListedStrip);
  constexpr int kBytes = Block::bytes();
  allow_shared_memory(listed_block_kernel<R>, kBytes, "preparing a product of listed rows");
  const auto items = static_cast<unsigned>(p.count), strips = static_cast<unsigned>(p.strips);
  if (p.groups != nullptr) {
    clear(stream, p.progress, progress * std::int64_t{sizeof(std::int32_t)});
  }
  const dim3 blocks = p.groups != nullptr ? dim3(items * strips) : dim3(items, strips);
  listed_block_kernel<R><<<blocks, Block::kThreads, kBytes, stream>>>(p);
}

template <class R>
void launch_listed(cudaStream_t stream, const ListedProduct& product) {
  if (product.count == 0 || product.c.cols == 0) return;
  const std::int64_t row_bytes = product.c.cols * std::int64_t{sizeof(typename R::Value)};
  const ListedArguments p{
      .c = product.c.data,
      .x = product.x.data,
      .c_stride = product.c.stride,
      .x_bytes = static_cast<int>(product.x.stride * std::int64_t{sizeof(typename R::Value)}),
      .cols = static_cast<int>(product.c.cols),
      .count = static_cast<int>(product.count),
      .one = 1,
      .weights = product.weights,
      .lists = product.lists,
      .items = product.items,
      .adds = product.adds,
      .begun = product.begun,
      .groups = product.groups,
      .progress = product.progress,
      .strips = static_cast<int>((row_bytes + kListedStrip - 1) / kListedStrip)};
  const auto blocks = [&](int columns) {
    return dim3(static_cast<unsigned>((p.count + kListedWarps - 1) / kListedWarps),
                static_cast<unsigned>((p.cols + columns - 1) / columns));
  };
  if (product.large || product.widest > kListedRows || product.groups != nullptr) {
    launch_listed_blocks<R>(stream, p, listed_progress(product.group_count, row_bytes));
  } else if (product.widest == 1) {
    listed_row_kernel<R>
        <<<blocks(ListedRows<R, 1, 2>::kColumns), kListedWarps * 32, 0, stream>>>(p);
  } else {
    listed_kernel<R><<<blocks(ListedRows<R, 1, 1>::kColumns), kListedWarps * 32, 0, stream>>>(p);
  }
  check_launch("a product of listed rows");
}

/// One block per row.
template <class R>
__global__ void begin_rows_kernel(typename R::Value* rows, std::int64_t stride, int cols,
                                  const std::int32_t* columns) {
  const std::int64_t row = blockIdx.x;
  for (int j = static_cast<int>(threadIdx.x); j < cols; j += static_cast<int>(blockDim.x)) {
    rows[row * stride + j] = j == columns[row] ? R::S::one() : R::S::zero();
  }
}

template <class R>
void launch_begin_rows(cudaStream_t stream, View rows, const std::int32_t* columns) {
  constexpr int kThreads = 256;
  if (rows.rows == 0 || rows.cols == 0) return;
  begin_rows_kernel<R><<<static_cast<unsigned>(rows.rows), kThreads, 0, stream>>>(
      static_cast<typename R::Value*>(rows.data), rows.stride, static_cast<int>(rows.cols),
      columns);
  check_launch("beginning rows");
}

template <class R>
void set_listed(DeviceOperations& operations) {
  operations.multiply_listed = launch_listed<R>;
  operations.begin_rows = launch_begin_rows<R>;
}

}  // namespace apsp::kernels::cuda
