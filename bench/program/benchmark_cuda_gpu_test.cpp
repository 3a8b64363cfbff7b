// Every kernel, copy and plan of the CUDA engine once, on a GPU and checked: small enough for
// compute-sanitizer (scripts/gpu-check), large enough for ragged tiles, both shapes of products and
// streaming. Skipped without a GPU.
#include <gtest/gtest.h>

#include "program/benchmark_cuda_expected.hpp"
#include "program/cuda_peak.hpp"
#include "support/watched.hpp"

namespace apsp::bench {
namespace {

TEST(CudaBenchmarkOnGpu, MeasuresAndChecksEveryPart) {
  const auto devices = kernels::cuda::devices();
  if (devices.empty()) GTEST_SKIP() << kernels::cuda::why_no_device();
  const int ordinal = devices.front().ordinal;
  // Under a tool that watches every access, hundreds of times slower: smaller, and no peaks.
  const bool watched = apsp::watched();
  const std::int64_t n = watched ? 300 : 1100;
  const CudaBenchmarkSizes sizes{.product_side = watched ? 320 : 640,
                                 .product_depth = 96,
                                 .vertices = {100, n},
                                 .tile = watched ? 128 : 256,
                                 .copy_bytes = 1 << 20,
                                 .offload_vertices = n,
                                 .repetitions = watched ? 1 : 2};
  const DeviceUnderTest device{devices.front(),
                               [=](const BenchmarkKernel& kernel, std::int64_t memory) {
                                 return kernels::cuda::make_device(
                                     ordinal, kernel.semiring, kernel.type, kernel.sign, memory);
                               },
                               [=](const BenchmarkKernel& kernel) {
                                 return watched ? 0.0
                                                : kernels::cuda::peak_relaxations(
                                                      ordinal, kernel.semiring, kernel.type,
                                                      kernel.sign);
                               },
                               [=] { return watched ? 1.0 : kernels::cuda::memory_rate(ordinal); }};
  expect_whole(run(device, sizes), sizes);
}

}  // namespace
}  // namespace apsp::bench
