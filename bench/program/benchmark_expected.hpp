// The properties of every report of a GPU's benchmark, for its tests.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "program/benchmark.hpp"

namespace apsp::bench {

/// Every row has samples and is right.
inline void expect_whole(const BenchmarkReport& report, const DeviceExtent& extent) {
  EXPECT_TRUE(report.correct);
  const auto fine = [](const auto& row, std::int64_t entries) {
    SCOPED_TRACE(testing::Message() << name_of(row.kernel) << ", n " << row.n);
    EXPECT_EQ(row.verdict.error, "");
    EXPECT_TRUE(row.verdict.correct);
    EXPECT_GT(rate(row), 0);
    EXPECT_GE(row.verdict.entries, entries);
  };
  for (const ProductRow& row : report.products) fine(row, 100);
  for (const SolveRow& row : report.solves) {
    fine(row, row.n * std::min<std::int64_t>(row.n, 8));
    EXPECT_EQ(row.seconds_run.size(), row.samples.size());
  }
  EXPECT_EQ(report.solves.size(), extent.vertices.size() + 7);
  EXPECT_EQ(report.products.size(), 6u);
}

}  // namespace apsp::bench
