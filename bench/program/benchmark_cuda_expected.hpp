// For the tests of the benchmark of a device: what every report must hold.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "program/benchmark_cuda.hpp"

namespace apsp::bench {

inline CudaBenchmarkReport run(const DeviceUnderTest& device, const CudaBenchmarkSizes& sizes) {
  CudaBenchmarkOptions options;
  options.threads = 2;
  return run_cuda_benchmark(options, device, sizes);
}

/// Every row has samples and is right.
inline void expect_whole(const CudaBenchmarkReport& report, const CudaBenchmarkSizes& sizes) {
  EXPECT_TRUE(report.correct);
  const auto fine = [](const auto& row) {
    EXPECT_EQ(row.verdict.error, "");
    EXPECT_TRUE(row.verdict.correct);
  };
  for (const CudaProductRow& row : report.products) {
    SCOPED_TRACE(name_of(row.kernel));
    fine(row);
    EXPECT_GT(rate(row), 0);
    EXPECT_GT(row.verdict.entries, 100);
  }
  for (const CudaSolveRow& row : report.solves) {
    SCOPED_TRACE(testing::Message() << name_of(row.kernel) << ", n " << row.n);
    fine(row);
    EXPECT_GT(rate(row), 0);
    EXPECT_EQ(row.seconds_run.size(), row.seconds_solve.size());
    EXPECT_GE(row.verdict.entries, row.n * std::min<std::int64_t>(row.n, 8));
  }
  EXPECT_EQ(report.solves.size(), sizes.vertices.size() + 7);
  EXPECT_EQ(report.products.size(), 6u);
  ASSERT_EQ(report.copies.size(), 4u);
  for (const CudaCopyRow& row : report.copies) {
    SCOPED_TRACE(row.direction);
    fine(row);
    EXPECT_GT(row.bytes_per_second, 0);
  }
  ASSERT_EQ(report.offload.size(), 3u);
  for (const CudaOffloadRow& row : report.offload) {
    SCOPED_TRACE(testing::Message() << "device memory " << row.device_memory);
    fine(row);
    EXPECT_EQ(row.digest, report.offload.front().digest);
    EXPECT_EQ(row.seconds_predicted > 0, row.device_memory > 0);
    EXPECT_GT(row.share_of_uncapped, 0);
    if (row.device_memory > 0) {
      EXPECT_LE(row.device_bytes, row.device_memory);
    }
  }
}

}  // namespace apsp::bench
