// Launches of products of listed rows, to be instantiated for each relaxation.
#pragma once

#include <cstdint>

#include "kernels/cuda/cuda_error.hpp"
#include "kernels/cuda/listed.cuh"
#include "kernels/cuda/relaxation.cuh"
#include "kernels/cuda/wide_listed.cuh"

namespace apsp::kernels::cuda {

template <class R, Configuration kConfiguration>
void launch_wide_listed(cudaStream_t stream, const ListedArguments& p) {
  using Sh = WideShape<kConfiguration>;
  constexpr int kColumns = Sh::kCols * R::kLanes;
  constexpr int kBytes = GatheredStages<R, Sh>::kSharedBytes;
  check(cudaFuncSetAttribute(wide_listed_kernel<R, Sh>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             kBytes),
        "preparing a product of listed rows");
  const dim3 blocks(static_cast<unsigned>(p.count),
                    static_cast<unsigned>((p.cols + kColumns - 1) / kColumns));
  wide_listed_kernel<R, Sh><<<blocks, Sh::kThreads, kBytes, stream>>>(p);
}

template <class R>
void launch_listed(cudaStream_t stream, const ListedProduct& product) {
  if (product.count == 0 || product.c.cols == 0) return;
  const ListedArguments p{
      product.c.data,
      product.x.data,
      product.c.stride,
      static_cast<int>(product.x.stride * std::int64_t{sizeof(typename R::Value)}),
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
  if (product.widest > kWideRows / 2) {
    launch_wide_listed<R, WideConfigurations<R>::kWhole>(stream, p);
  } else if (product.widest > kListedRows) {
    launch_wide_listed<R, WideConfigurations<R>::kHalf>(stream, p);
  } else if (product.widest == 1) {
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
