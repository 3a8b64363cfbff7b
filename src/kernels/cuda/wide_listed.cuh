// Items of a product of gathered rows (kernels/listed_rows.hpp), one per block of threads.
//
// The block of a wide item keeps a strip of columns in registers and relaxes as a product does
// (product.cuh), from operands gathered in shared memory (gathered_stages.cuh). A block has 64
// rows; for items of half or a quarter as many, two or four parts of the block own the same rows,
// share the pivots of every stage and finally add their results. The block's
// warps share the listed rows in the same way.
#pragma once

#include <cstdint>

#include "kernels/cuda/gathered_stages.cuh"
#include "kernels/cuda/listed.cuh"
#include "kernels/cuda/product.cuh"
#include "kernels/cuda/tall_listed.cuh"

namespace apsp::kernels::cuda {

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

}  // namespace apsp::kernels::cuda
