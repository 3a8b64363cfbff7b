// Every kernel and copy of the CUDA engine once, on a GPU and checked: small enough for
// compute-sanitizer (scripts/gpu-check), large enough for ragged tiles and both shapes of products.
// Skipped without a GPU.

#include "program/benchmark_expected.hpp"
#include "support/test.hpp"
#include "support/watched.hpp"

namespace apsp::bench::benchmark_gpu_test {
namespace {

TEST(DeviceBenchmarkOnGpu, MeasuresAndChecksEveryPart) {
  const auto devices = kernels::cuda::devices();
  if (devices.empty()) GTEST_SKIP() << kernels::cuda::why_no_device();
  // Under a tool that watches every access, hundreds of times slower: smaller, and no peaks.
  const bool watched = apsp::watched();
  DeviceUnderTest device = cuda_device(devices.front().ordinal);
  if (watched) device.peak = [](const BenchmarkKernel&) { return 0.0; };
  const DeviceExtent extent{
      watched ? 320 : 640, 96, {100, watched ? 300 : 1100}, {}, watched ? 1 : 2};
  expect_whole(measure_device({.threads = 2}, device, extent), extent);
}

}  // namespace
}  // namespace apsp::bench::benchmark_gpu_test
