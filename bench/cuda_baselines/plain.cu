// Schiff, Algorithm 2: the k-loop on the host, the two inner loops as threads. Neighbouring threads
// take neighbouring columns, so that reads of row i and row k are whole pieces of memory. In place:
// row and column k do not change in step k.
#include "baseline.hpp"
#include "kernels/cuda/cuda_runtime.hpp"

namespace apsp::baselines {
namespace {

constexpr int kAcross = 32, kDown = 8;  // threads of a block; the paper does not say how many

template <class T>
__global__ void plain_kernel(T* distance, std::int64_t side, std::int64_t k) {
  const std::int64_t i = blockIdx.y * std::int64_t{kDown} + threadIdx.y;
  const std::int64_t j = blockIdx.x * std::int64_t{kAcross} + threadIdx.x;
  if (i >= side || j >= side) return;
  const T through = distance[i * side + k] + distance[k * side + j];
  if (through < distance[i * side + j]) distance[i * side + j] = through;
}

}  // namespace

template <class T>
void solve_plain(T* matrix, std::int64_t side, const Mark& mark) {
  const dim3 threads(kAcross, kDown);
  const dim3 blocks(static_cast<unsigned>((side + kAcross - 1) / kAcross),
                    static_cast<unsigned>((side + kDown - 1) / kDown));
  for (std::int64_t k = 0; k < side; ++k) {
    plain_kernel<<<blocks, threads>>>(matrix, side, k);
    kernels::cuda::check_launch("the plain kernel");
    if (mark) mark(0);
  }
}

template void solve_plain<float>(float*, std::int64_t, const Mark&);
template void solve_plain<std::int32_t>(std::int32_t*, std::int64_t, const Mark&);

}  // namespace apsp::baselines
