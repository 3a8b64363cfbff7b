// Products whose right operand's rows are named by a list (kernels/listed_rows.hpp).
//
// A warp has one item and a strip of its columns: its lanes hold neighbouring columns of 16 bytes
// each, for all rows of the item, in registers. A listed row is read once, whole lines of it at a
// time, and serves all of them; A's values are the same for the whole warp. Two listed rows are
// taken together, as relaxations are made for two pivots (relaxation.cuh); the last one of an odd
// number is taken twice, which changes nothing.
//
// Items of one row read one or two lines for every line that they write, and wait for them: they
// hold two strips, so that more is under way.
#pragma once

#include <cstdint>

#include "kernels/cuda/cuda_error.hpp"
#include "kernels/cuda/device_operations.hpp"
#include "kernels/cuda/relaxation.cuh"
#include "kernels/listed_rows.hpp"

namespace apsp::kernels::cuda {

inline constexpr int kListedWarps = 8;   // of a block
inline constexpr int kListedBytes = 16;  // of a row, by one thread

struct ListedArguments {
  void* c;
  const void* x;
  std::int64_t c_stride, x_stride;  // values
  int cols, count, one;
  const void* weights;
  const std::int32_t* lists;
  const ListedItem* items;
  bool adds;
  const std::uint8_t* begun;
};

/// Neighbouring values, one load.
template <class T, int kCount>
struct alignas(sizeof(T) * kCount <= 16 ? sizeof(T) * kCount : 16) Neighbours {
  T at[kCount];
};

template <class R, int kRows, int kStrips>
class ListedRows {
  using Value = typename R::Value;
  using Operand = typename R::Operand;
  using Sum = typename R::Sum;
  static constexpr int kValues = kListedBytes / sizeof(Value);
  static constexpr int kWords = kValues / R::kLanes;
  using Line = Neighbours<Value, kValues>;
  using Column = Neighbours<Value, kRows>;

 public:
  static constexpr int kColumns = 32 * kValues * kStrips;  // of a warp

  static __device__ void run(const ListedArguments& p, const ListedItem& item, int first) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    Sum sums[kStrips][kRows][kWords];
    const bool begun = p.adds || (p.begun != nullptr && p.begun[item.first_row] != 0);
#pragma unroll
    for (int s = 0; s < kStrips; ++s) {
      const int column = first + (s * 32 + lane) * kValues;
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
        Line line;
#pragma unroll
        for (int i = 0; i < kValues; ++i) line.at[i] = R::S::zero();
        if (begun && r < item.rows && column < p.cols) line = *row(p, item, r, column);
#pragma unroll
        for (int w = 0; w < kWords; ++w) sums[s][r][w] = R::load(line.at + w * R::kLanes);
      }
    }
    const auto* const list = p.lists + item.list;
    const auto* const weights =
        reinterpret_cast<const Column*>(static_cast<const Value*>(p.weights) + item.weights);
#pragma unroll 2
    for (int k = 0; k < item.depth; k += 2) {
      const int next = min(k + 1, item.depth - 1);
      const Value* const x0 = static_cast<const Value*>(p.x) + list[k] * p.x_stride;
      const Value* const x1 = static_cast<const Value*>(p.x) + list[next] * p.x_stride;
      const Column a0 = weights[k], a1 = weights[next];
#pragma unroll
      for (int s = 0; s < kStrips; ++s) {
        const int column = first + (s * 32 + lane) * kValues;
        if (column >= p.cols) continue;
        relax(p.one, a0, *reinterpret_cast<const Line*>(x0 + column), a1,
              *reinterpret_cast<const Line*>(x1 + column), sums[s]);
      }
    }
#pragma unroll
    for (int s = 0; s < kStrips; ++s) {
      const int column = first + (s * 32 + lane) * kValues;
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
        if (r >= item.rows || column >= p.cols) continue;
        Line line;
#pragma unroll
        for (int w = 0; w < kWords; ++w) R::store(sums[s][r][w], line.at + w * R::kLanes);
        *row(p, item, r, column) = line;
      }
    }
  }

 private:
  static __device__ Line* row(const ListedArguments& p, const ListedItem& item, int r, int column) {
    return reinterpret_cast<Line*>(static_cast<Value*>(p.c) + (item.first_row + r) * p.c_stride +
                                   column);
  }

  static __device__ void relax(int one, const Column& a0, const Line& b0, const Column& a1,
                               const Line& b1, Sum (&sums)[kRows][kWords]) {
#pragma unroll
    for (int w = 0; w < kWords; ++w) {
      const Operand right0 = R::right(b0.at + w * R::kLanes);
      const Operand right1 = R::right(b1.at + w * R::kLanes);
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
        R::relax(w, one, sums[r][w], R::left(a0.at[r]), right0, R::left(a1.at[r]), right1);
      }
    }
  }
};

/// A warp an item; all warps of a block have the same strip.
template <class R>
__global__ void __launch_bounds__(kListedWarps * 32, 3) listed_kernel(ListedArguments p) {
  const int index =
      static_cast<int>(blockIdx.x) * kListedWarps + static_cast<int>(threadIdx.x) / 32;
  if (index >= p.count) return;
  const ListedItem item = p.items[index];
  const int strip = static_cast<int>(blockIdx.y);
  if (item.rows == 1)
    return ListedRows<R, 1, 1>::run(p, item, strip * ListedRows<R, 1, 1>::kColumns);
  if (item.rows == 2)
    return ListedRows<R, 2, 1>::run(p, item, strip * ListedRows<R, 2, 1>::kColumns);
  if (item.rows <= 4)
    return ListedRows<R, 4, 1>::run(p, item, strip * ListedRows<R, 4, 1>::kColumns);
  ListedRows<R, 8, 1>::run(p, item, strip * ListedRows<R, 8, 1>::kColumns);
}

/// Where no item has more than one row.
template <class R>
__global__ void __launch_bounds__(kListedWarps * 32, 5) listed_row_kernel(ListedArguments p) {
  const int index =
      static_cast<int>(blockIdx.x) * kListedWarps + static_cast<int>(threadIdx.x) / 32;
  if (index >= p.count) return;
  ListedRows<R, 1, 2>::run(p, p.items[index],
                           static_cast<int>(blockIdx.y) * ListedRows<R, 1, 2>::kColumns);
}

template <class R>
void launch_listed(cudaStream_t stream, const ListedProduct& product) {
  if (product.count == 0 || product.c.cols == 0) return;
  const ListedArguments p{product.c.data,
                          product.x.data,
                          product.c.stride,
                          product.x.stride,
                          static_cast<int>(product.c.cols),
                          static_cast<int>(product.count),
                          1,
                          product.weights,
                          product.lists,
                          product.items,
                          product.adds,
                          product.begun};
  const auto blocks = [&](int columns) {
    return dim3(static_cast<unsigned>((p.count + kListedWarps - 1) / kListedWarps),
                static_cast<unsigned>((p.cols + columns - 1) / columns));
  };
  if (product.widest == 1) {
    listed_row_kernel<R>
        <<<blocks(ListedRows<R, 1, 2>::kColumns), kListedWarps * 32, 0, stream>>>(p);
  } else {
    listed_kernel<R><<<blocks(ListedRows<R, 1, 1>::kColumns), kListedWarps * 32, 0, stream>>>(p);
  }
  check_launch("a product of listed rows");
}

/// A block a row.
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

}  // namespace apsp::kernels::cuda
