// The benchmark of a device, on one that is no GPU: every part measures, checks and finds what is
// wrong.
#include "program/benchmark_cuda.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <apsp/error.hpp>

#include <set>

#include "base/json.hpp"
#include "places/device_memory.hpp"
#include "program/benchmark_cuda_expected.hpp"
#include "program/benchmark_cuda_parts.hpp"
#include "program/benchmark_cuda_problem.hpp"
#include "support/error_of.hpp"
#include "support/strict/strict_device.hpp"

namespace apsp::bench {
namespace {

using kernels::View;

constexpr std::int64_t kMemory = std::int64_t{1} << 30;

std::unique_ptr<kernels::ComputeDevice> make_strict(const BenchmarkKernel& kernel,
                                                    std::int64_t memory) {
  const std::int64_t bytes = memory > 0 ? memory : kMemory;
  return in_bits(kernel) ? kernels::strict::make_bit_device(bytes)
                         : kernels::strict::make_device(kernel.semiring, kernel.type, bytes);
}

DeviceUnderTest strict_device() {
  kernels::cuda::DeviceFacts facts;
  facts.name = "strict";
  facts.capability = 90;
  facts.driver = "0.0";
  return {facts, make_strict,
          [](const BenchmarkKernel& kernel) { return in_bits(kernel) ? 0 : 1e12; },
          [] { return 2e9; }};
}

CudaBenchmarkSizes small_sizes() {
  return {.product_side = 96,
          .product_depth = 64,
          .vertices = {40, 150},
          .tile = 32,
          .copy_bytes = 1 << 16,
          .offload_vertices = 150,
          .repetitions = 2};
}

TEST(CudaBenchmark, MeasuresAndChecksEveryPart) {
  const CudaBenchmarkReport report = run(strict_device(), small_sizes());
  expect_whole(report, small_sizes());
  EXPECT_EQ(report.peaks.size(), 5u) << "packed bits have none";
  EXPECT_EQ(report.products.front().share_of_peak, rate(report.products.front()) / 1e12);
  std::set<ValueType> types;
  for (const CudaSolveRow& row : report.solves) {
    types.insert(row.kernel.type);
    const bool main = row.shape == places::Shape::full && !row.via &&
                      row.kernel.type == ValueType::f32 &&
                      row.kernel.sign == kernels::Sign::non_negative;
    EXPECT_EQ(row.against_plain > 0, !main) << name_of(row.kernel) << ", n " << row.n;
  }
  EXPECT_EQ(types.size(), 5u);
}

TEST(CudaBenchmark, SaysItAllInJson) {
  CudaBenchmarkSizes sizes = small_sizes();
  sizes.vertices = {40};
  const CudaBenchmarkReport report = run(strict_device(), sizes);
  const nlohmann::json json = to_json(report);
  EXPECT_EQ(json["device"]["name"], "strict");
  EXPECT_EQ(json["solves"].size(), report.solves.size());
  EXPECT_TRUE(json["offload"][0]["device_memory"].is_null());
  EXPECT_GE(json["offload"][1]["device_memory"], 150 * 150);
  EXPECT_EQ(json["correct"], true);
}

TEST(CudaBenchmark, OneSizeFailsAloneAndSaysWhy) {
  DeviceUnderTest device = strict_device();
  device.make = [](const BenchmarkKernel& kernel, std::int64_t memory) {
    if (kernel.type == ValueType::f64) throw Error(ErrorKind::device, "no such kernel");
    return make_strict(kernel, memory);
  };
  CudaBenchmarkSizes sizes = small_sizes();
  sizes.vertices = {40};
  const CudaBenchmarkReport report = run(device, sizes);
  EXPECT_FALSE(report.correct);
  for (const CudaSolveRow& row : report.solves) {
    EXPECT_EQ(row.verdict.correct, row.kernel.type != ValueType::f64);
    EXPECT_EQ(row.verdict.error, row.verdict.correct ? "" : "no such kernel");
  }
  EXPECT_EQ(to_json(report)["products"][4]["error"], "no such kernel");
}

TEST(CudaBenchmark, StopsWhereItIsAsked) {
  CudaBenchmarkOptions options;
  Cancellation cancellation;
  cancellation.request();
  options.control.cancellation = &cancellation;
  EXPECT_EQ(error_of([&] { run_cuda_benchmark(options, strict_device(), small_sizes()); }).kind(),
            ErrorKind::interrupted);
}

/// One value of a right answer changed: every kind of check notices.
TEST(CudaProblem, NoticesAWrongEntry) {
  for (const BenchmarkKernel& kernel :
       {kCudaMain, BenchmarkKernel{Semiring::min_plus, ValueType::u16, kernels::Sign::any},
        BenchmarkKernel{Semiring::min_plus, ValueType::i32, kernels::Sign::any}}) {
    const std::int64_t n = 70;
    const auto problem = make_cuda_problem(kernel, places::Shape::full, n, 5, 2);
    std::vector<std::byte> memory(static_cast<std::size_t>(n * n * size_of(kernel.type)));
    const View matrix{memory.data(), n, n, n};
    problem->fill(matrix);
    EXPECT_FALSE(problem->check(matrix, {}).correct) << "nothing solved";
    const auto device = make_strict(kernel, 0);
    const Control control;
    places::DeviceMemory(*device, {matrix, size_of(kernel.type), 32}, places::Shape::full,
                         kernels::Cycles::excluded, control)
        .run();
    EXPECT_TRUE(problem->check(matrix, {}).correct);
    const auto at = static_cast<std::size_t>((33 * n + 7) * size_of(kernel.type));
    memory[at] ^= std::byte{1};
    EXPECT_FALSE(problem->check(matrix, {}).correct) << name_of(kernel);
  }
}

TEST(CudaProblem, NoticesAWrongIntermediateVertex) {
  const std::int64_t n = 50;
  const auto problem = make_cuda_problem(kCudaMain, places::Shape::full, n, 5, 2);
  std::vector<float> values(static_cast<std::size_t>(n * n));
  std::vector<std::int32_t> via(values.size(), kernels::kNoVia);
  const View matrix{values.data(), n, n, n}, via_matrix{via.data(), n, n, n};
  problem->fill(matrix);
  const auto device = make_strict(kCudaMain, 0);
  const Control control;
  places::DeviceMemory(*device, {matrix, 4, 32}, places::Shape::full, kernels::Cycles::excluded,
                       control, {via_matrix, 4, 32})
      .run();
  EXPECT_TRUE(problem->check(matrix, via_matrix).correct);
  for (const std::int32_t wrong : {std::int32_t{-2}, std::int32_t{0}, std::int32_t{49}}) {
    const std::int32_t right = std::exchange(via[3 * 50 + 4], wrong);
    EXPECT_EQ(problem->check(matrix, via_matrix).correct, right == wrong) << wrong;
    via[3 * 50 + 4] = right;
  }
}

TEST(CudaProblem, NoticesAWrongBit) {
  const std::int64_t n = 300, words = 10;
  const auto problem = make_cuda_problem(kCudaBits, places::Shape::full, n, 5, 2);
  std::vector<std::uint32_t> bits(static_cast<std::size_t>(n * words));
  const View matrix{bits.data(), n, words, words};
  problem->fill(matrix);
  EXPECT_FALSE(problem->check(matrix, {}).correct);
  const auto device = make_strict(kCudaBits, 0);
  const Control control;
  places::DeviceMemory(*device, {matrix, 4, 128, 32}, places::Shape::full,
                       kernels::Cycles::excluded, control)
      .run();
  EXPECT_TRUE(problem->check(matrix, {}).correct);
  bits[0] ^= 1u << 5;
  EXPECT_FALSE(problem->check(matrix, {}).correct);
}

TEST(CudaBenchmark, SizesFollowTheExtentAndTheDevicesMemory) {
  CudaBenchmarkOptions options;
  options.extent = BenchmarkExtent::quick;
  const std::int64_t large = std::int64_t{140} << 30, small = std::int64_t{8} << 30;
  EXPECT_THAT(cuda_benchmark_sizes(options, large).vertices,
              testing::ElementsAre(1024, 2048, 4096));
  EXPECT_EQ(cuda_benchmark_sizes(options, large).offload_vertices, 4096);
  options.extent = BenchmarkExtent::full;
  EXPECT_EQ(cuda_benchmark_sizes(options, large).vertices.back(), 32768);
  EXPECT_EQ(cuda_benchmark_sizes(options, large).offload_vertices, 65536);
  EXPECT_EQ(cuda_benchmark_sizes(options, small).vertices.back(), 16384);
  EXPECT_EQ(cuda_benchmark_sizes(options, small).offload_vertices, 16384);
  EXPECT_EQ(cuda_benchmark_sizes(options, large).copy_bytes, std::int64_t{1} << 30);
  EXPECT_EQ(cuda_benchmark_sizes(options, std::int64_t{1} << 30).copy_bytes, 1 << 28)
      << "a block each way fits";
  options.vertices = {7, 9};
  EXPECT_THAT(cuda_benchmark_sizes(options, large).vertices, testing::ElementsAre(7, 9));
}

TEST(CudaBenchmark, WithoutADeviceItSaysSo) {
  CudaBenchmarkOptions options;
  options.ordinal = 1000;
  const Error error = error_of([&] { run_cuda_benchmark(options); });
  EXPECT_EQ(error.kind(), ErrorKind::device);
  EXPECT_THAT(error.what(), testing::HasSubstr("--device"));
}

}  // namespace
}  // namespace apsp::bench
