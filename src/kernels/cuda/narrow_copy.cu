// Copies of tiles of short rows to pinned host memory by a kernel (bench/attempts-gpu.md). Copy
// engines move rows of up to 4 KiB at 28 of the 55 GB/s of the link, a few warps that write words
// of 16 bytes at 41, and all multiprocessors of an H200 at 18. Host rows more than 128 KiB apart
// are in different pages, which warps write at 5 GB/s; copy engines take these.
#include "kernels/cuda/narrow_copy.hpp"

#include "kernels/cuda/cuda_runtime.hpp"

namespace apsp::kernels::cuda {
namespace {

constexpr int kCopyBlocks = 4, kCopyThreads = 512, kWarp = 32;
constexpr std::int64_t kLongestRow = 4096;  // bytes; longer rows are faster by copy engine
// Bytes from row to row; wider ones are faster by copy engine.
constexpr std::int64_t kWidest = 128 * 1024;
constexpr std::int64_t kLeastBytes = 128 * 1024;  // less is not worth a kernel launch

__global__ void __launch_bounds__(kCopyThreads)
    narrow_copy_kernel(uint4* to, std::int64_t to_stride, const uint4* from,
                       std::int64_t from_stride, std::int64_t rows, int words) {
  const int warps = static_cast<int>(gridDim.x * blockDim.x) / kWarp;
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  for (std::int64_t row = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) / kWarp;
       row < rows; row += warps) {
    for (int word = lane; word < words; word += kWarp) {
      to[row * to_stride + word] = from[row * from_stride + word];
    }
  }
}

bool in_words(const void* data, std::int64_t stride_bytes) {
  constexpr std::int64_t kWord = sizeof(uint4);
  return reinterpret_cast<std::uintptr_t>(data) % kWord == 0 && stride_bytes % kWord == 0;
}

/// The address of host memory on the GPU, or null if it is not pinned.
std::byte* seen(void* host) {
  cudaPointerAttributes attributes{};
  const cudaError_t status = cudaPointerGetAttributes(&attributes, host);
  if (status != cudaSuccess) cudaGetLastError();
  const bool pinned = status == cudaSuccess && attributes.type == cudaMemoryTypeHost;
  return pinned ? static_cast<std::byte*>(attributes.devicePointer) : nullptr;
}

}  // namespace

bool launch_narrow_copy(cudaStream_t stream, View host, ConstView device, int value_size) {
  const std::int64_t row_bytes = device.cols * value_size;
  const std::int64_t to_stride = host.stride * value_size, from_stride = device.stride * value_size;
  if (row_bytes > kLongestRow || to_stride > kWidest) return false;
  if (row_bytes * device.rows < kLeastBytes) return false;
  if (!in_words(host.data, to_stride) || !in_words(device.data, from_stride) ||
      !in_words(nullptr, row_bytes)) {
    return false;
  }
  const std::int64_t last = (device.rows - 1) * to_stride + row_bytes - 1;
  std::byte* const to = seen(host.data);
  if (to == nullptr || seen(static_cast<std::byte*>(host.data) + last) != to + last) return false;
  constexpr std::int64_t kWord = sizeof(uint4);
  narrow_copy_kernel<<<kCopyBlocks, kCopyThreads, 0, stream>>>(
      reinterpret_cast<uint4*>(to), to_stride / kWord, static_cast<const uint4*>(device.data),
      from_stride / kWord, device.rows, static_cast<int>(row_bytes / kWord));
  check_launch("copying short rows");
  return true;
}

}  // namespace apsp::kernels::cuda
