// Launches on gathered rows (kernels/listed_rows.hpp), instantiated in sums.cu and bottlenecks.cu.
#pragma once

#include <cstdint>

#include "kernels/cuda/cuda_runtime.hpp"
#include "kernels/cuda/device_operations.hpp"
#include "kernels/cuda/wide_listed.cuh"

namespace apsp::kernels::cuda {

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
