// Katz 2008 §4.1 and Lee: the matrix in square blocks; for each one on the diagonal three phases,
// one launch each.
#include "baseline.hpp"
#include "kernels/cuda/cuda_runtime.hpp"
#include "phase_one.cuh"
#include "phase_three.cuh"
#include "phase_two.cuh"

namespace apsp::baselines {
namespace {

/// Phase 3 works on the rows of blocks [begin, end).
template <class T, int kBlock>
void step(T* matrix, std::int64_t side, std::int64_t pivot, std::int64_t begin, std::int64_t end,
          const Mark& mark) {
  const dim3 threads(kBlock, kBlock);
  const auto others = static_cast<unsigned>(side / kBlock - 1);
  const auto launched = [&](int phase) {
    kernels::cuda::check_launch("a phase of the tiled kernels");
    if (mark) mark(phase);
  };
  phase_one_kernel<T, kBlock><<<1, threads>>>(matrix, side, pivot);
  launched(0);
  if (others == 0) return;
  phase_two_kernel<T, kBlock><<<dim3(others, 2), threads>>>(matrix, side, pivot);
  launched(1);
  const std::int64_t first = begin - (pivot < begin ? 1 : 0), after = end - (pivot < end ? 1 : 0);
  if (after == first) return;
  phase_three_kernel<T, kBlock>
      <<<dim3(others, static_cast<unsigned>(after - first)), threads>>>(matrix, side, pivot, first);
  launched(2);
}

}  // namespace

template <class T, int kBlock>
void solve_tiled(T* matrix, std::int64_t side, const Mark& mark) {
  const std::int64_t blocks = side / kBlock;
  for (std::int64_t pivot = 0; pivot < blocks; ++pivot)
    step<T, kBlock>(matrix, side, pivot, 0, blocks, mark);
}

void update_rows(float* matrix, std::int64_t side, int block, std::int64_t pivot,
                 std::int64_t begin, std::int64_t end) {
  const auto run = block == 2    ? step<float, 2>
                   : block == 4  ? step<float, 4>
                   : block == 8  ? step<float, 8>
                   : block == 16 ? step<float, 16>
                   : block == 18 ? step<float, 18>
                                 : step<float, 32>;
  run(matrix, side, pivot, begin, end, {});
}

#define APSP_TILED(T)                                              \
  template void solve_tiled<T, 2>(T*, std::int64_t, const Mark&);  \
  template void solve_tiled<T, 4>(T*, std::int64_t, const Mark&);  \
  template void solve_tiled<T, 8>(T*, std::int64_t, const Mark&);  \
  template void solve_tiled<T, 16>(T*, std::int64_t, const Mark&); \
  template void solve_tiled<T, 18>(T*, std::int64_t, const Mark&); \
  template void solve_tiled<T, 32>(T*, std::int64_t, const Mark&)
APSP_TILED(float);
APSP_TILED(std::int32_t);
APSP_TILED(std::uint8_t);
#undef APSP_TILED

}  // namespace apsp::baselines
