// Launches of batches: the shape for a matrix's side, and the arguments of the kernel.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/cuda/batch.cuh"
#include "kernels/cuda/batch.hpp"
#include "kernels/cuda/cuda_runtime.hpp"

namespace apsp::kernels::cuda {

template <class R, bool kNegated>
BatchArguments batch_arguments(const CallerBatch& batch) {
  BatchArguments p{};
  p.matrices = batch.matrices;
  p.stride = batch.stride;
  p.step = batch.step;
  p.n = static_cast<int>(batch.n);
  p.via = batch.via;
  p.via_stride = batch.n;
  p.via_step = batch.n * batch.n;
  p.left = batch.left;
  p.only_left = batch.sign == Sign::any;
  p.longest = largest_distance(batch.type);
  p.longest_exact = batch.type == ValueType::f32 ? 0x1p24 : 0x1p53;
  p.one = 1;
  const auto aligned = [](const void* memory, std::int64_t apart, std::int64_t size) {
    return (reinterpret_cast<std::uintptr_t>(memory) | static_cast<std::uintptr_t>(apart * size)) %
               16 ==
           0;
  };
  const std::int64_t size = size_of(batch.type);
  p.wide = aligned(p.matrices, p.stride, size) && aligned(p.matrices, p.step, size);
  p.via_wide = aligned(p.via, p.via_stride, kViaSize);
  p.negation = negation_of<R, kNegated>();
  return p;
}

template <class R, class Sh, bool kVia, class Stored>
void launch_batch_shape(cudaStream_t stream, const CallerBatch& batch, const BatchArguments& p) {
  const auto kernel = batch_kernel<R, Sh, kVia, Stored>;
  constexpr int kBytes = sizeof(typename BatchClosing<R, Sh, kVia, Stored>::Buffers);
  allow_shared_memory(kernel, kBytes, "preparing a batch");
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = Sh::kBlocksOfMatrix;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t launch{};
  launch.gridDim = dim3(static_cast<unsigned>(batch.count * Sh::kBlocksOfMatrix));
  launch.blockDim = dim3(Sh::kThreads);
  launch.dynamicSmemBytes = kBytes;
  launch.stream = stream;
  launch.attrs = &attribute;
  launch.numAttrs = Sh::kBlocksOfMatrix > 1 ? 1 : 0;
  if constexpr (Sh::kBlocksOfMatrix > 8) {  // more than every device of this kind has to take
    check(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                               cudaFuncAttributeNonPortableClusterSizeAllowed, 1),
          "preparing a batch");
    int clusters = 0;
    const cudaError_t status = cudaOccupancyMaxActiveClusters(&clusters, kernel, &launch);
    cudaGetLastError();
    if (status != cudaSuccess || clusters == 0) {
      check(cudaMemsetAsync(batch.left, 1, static_cast<std::size_t>(batch.count), stream),
            "leaving a batch");
      return;
    }
  }
  check(cudaLaunchKernelEx(&launch, kernel, p), "launching a batch");
}

template <class R, bool kNegated, class Stored, bool kVia>
void launch_batch_sides(cudaStream_t stream, const CallerBatch& batch) {
  constexpr bool kHalf = kVia || sizeof(typename R::Operand) == 8;
  const BatchArguments p = batch_arguments<R, kNegated>(batch);
  const auto launch = [&]<int kSide>() {
    launch_batch_shape<R, BatchShape<R, kSide, kHalf>, kVia, Stored>(stream, batch, p);
  };
  if (batch.n <= 32) return launch.template operator()<32>();
  if (batch.n <= 64) return launch.template operator()<64>();
  if (batch.n <= 128) return launch.template operator()<128>();
  if constexpr (!kHalf) {
    if (batch.n <= 192) return launch.template operator()<192>();
  }
  if (batch.n <= 256) return launch.template operator()<256>();
  launch.template operator()<512>();
}

/// kNegated: for the semiring with the reverse order of R's. `Stored`: values in memory.
template <class R, bool kNegated, class Stored = typename R::Value>
void launch_batch_of(cudaStream_t stream, const CallerBatch& batch) {
  if (batch.via != nullptr) {
    launch_batch_sides<R, kNegated, Stored, true>(stream, batch);
  } else {
    launch_batch_sides<R, kNegated, Stored, false>(stream, batch);
  }
}

}  // namespace apsp::kernels::cuda
