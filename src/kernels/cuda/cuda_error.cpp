#include "kernels/cuda/cuda_error.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

namespace apsp::kernels::cuda {

void check(cudaError_t status, const char* doing) {
  if (status == cudaSuccess) return;
  const ErrorKind kind =
      status == cudaErrorMemoryAllocation ? ErrorKind::does_not_fit : ErrorKind::device;
  throw Error(kind, fmt::format("CUDA, {}: {} ({})", doing, cudaGetErrorString(status),
                                cudaGetErrorName(status)));
}

}  // namespace apsp::kernels::cuda
