// Schiff, Algorithm 2: the k-loop on the host, the two inner loops as threads. Neighbouring threads
// take neighbouring columns, so that reads of row i and row k are whole pieces of memory. In place:
// row and column k do not change in step k.
#include "baseline.hpp"
#include "kernels/cuda/cuda_runtime.hpp"
#include "operation.cuh"

namespace apsp::baselines {
namespace {

constexpr int kAcross = 32, kDown = 8;  // threads of a block; the paper does not say how many

template <class T>
__global__ void plain_kernel(T* distance, std::int64_t side, std::int64_t k) {
  const std::int64_t i = blockIdx.y * std::int64_t{kDown} + threadIdx.y;
  const std::int64_t j = blockIdx.x * std::int64_t{kAcross} + threadIdx.x;
  if (i >= side || j >= side) return;
  relax(distance[i * side + j], distance[i * side + k], distance[k * side + j]);
}

__global__ void arithmetic_kernel(std::int32_t* distance, std::int64_t side, std::int64_t k) {
  const std::int64_t i = blockIdx.y * std::int64_t{kDown} + threadIdx.y;
  const std::int64_t j = blockIdx.x * std::int64_t{kAcross} + threadIdx.x;
  if (i >= side || j >= side) return;
  const std::int32_t old = distance[i * side + j];
  const std::int32_t through = distance[i * side + k] + distance[k * side + j];
  const std::int32_t shorter = through < old;
  distance[i * side + j] = through * shorter + old * (1 - shorter);
}

template <class T>
__global__ void row_kernel(T* distance, std::int64_t side, std::int64_t k) {
  const std::int64_t i = blockIdx.x * std::int64_t{kAcross} + threadIdx.x;
  if (i >= side) return;
  const T first = distance[i * side + k];
  for (std::int64_t j = 0; j < side; ++j)
    relax(distance[i * side + j], first, distance[k * side + j]);
}

unsigned blocks(std::int64_t count, int size) {
  return static_cast<unsigned>((count + size - 1) / size);
}

template <class T>
void solve_pairs(void (*kernel)(T*, std::int64_t, std::int64_t), T* matrix, std::int64_t side,
                 const Mark& mark) {
  for (std::int64_t k = 0; k < side; ++k) {
    kernel<<<dim3(blocks(side, kAcross), blocks(side, kDown)), dim3(kAcross, kDown)>>>(matrix, side,
                                                                                       k);
    kernels::cuda::check_launch("the plain kernel");
    if (mark) mark(0);
  }
}

}  // namespace

template <class T>
void solve_plain(T* matrix, std::int64_t side, const Mark& mark) {
  solve_pairs(plain_kernel<T>, matrix, side, mark);
}

void solve_arithmetic(std::int32_t* matrix, std::int64_t side, const Mark& mark) {
  solve_pairs(arithmetic_kernel, matrix, side, mark);
}

template <class T>
void solve_rows(T* matrix, std::int64_t side, const Mark& mark) {
  for (std::int64_t k = 0; k < side; ++k) {
    row_kernel<<<blocks(side, kAcross), kAcross>>>(matrix, side, k);
    kernels::cuda::check_launch("the kernel with a thread for each row");
    if (mark) mark(0);
  }
}

template void solve_plain<float>(float*, std::int64_t, const Mark&);
template void solve_plain<std::int32_t>(std::int32_t*, std::int64_t, const Mark&);
template void solve_plain<std::uint8_t>(std::uint8_t*, std::int64_t, const Mark&);
template void solve_rows<float>(float*, std::int64_t, const Mark&);
template void solve_rows<std::int32_t>(std::int32_t*, std::int64_t, const Mark&);
template void solve_rows<std::uint8_t>(std::uint8_t*, std::int64_t, const Mark&);

}  // namespace apsp::baselines
