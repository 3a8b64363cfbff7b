// A caller's function gets the distances, and what it throws is the caller's to catch.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <apsp/apsp.hpp>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <stdexcept>

#include "support/error_of.hpp"
#include "support/temporary_folder.hpp"

namespace apsp {
namespace {

constexpr std::int64_t kVertices = 1500;  // more rows than a block has

Graph some_graph(std::int64_t n) {
  return generate({.vertices = n, .probability = std::min(1.0, 6.0 / static_cast<double>(n))});
}

TEST(OnRows, EveryRowComesOnceWithItsDistances) {
  for (const std::int64_t n : {std::int64_t{0}, std::int64_t{1}, std::int64_t{2}, kVertices}) {
    const Graph graph = some_graph(std::max<std::int64_t>(n, 1));
    const Graph empty;
    for (const int threads : {1, 3}) {
      std::vector<int> seen(static_cast<std::size_t>(n));
      std::vector<std::int32_t> distances(static_cast<std::size_t>(n * n));
      std::atomic<int> inside{0};
      SolveOptions options{.method = {.value_type = ValueType::i32},
                           .machine = {.threads = threads}};
      options.consumer.on_rows = [&](const RowBlock& rows) {
        EXPECT_EQ(inside.fetch_add(1), 0) << "two calls at a time";
        EXPECT_EQ(rows.type, ValueType::i32);
        EXPECT_GE(rows.stride, n);
        const auto* row = static_cast<const std::int32_t*>(rows.values);
        for (const Vertex source : rows.sources) {
          ++seen[source];
          std::copy_n(row, n, distances.begin() + source * n);
          row += rows.stride;
        }
        inside.fetch_sub(1);
      };
      const Result result = solve(n == 0 ? empty : graph, options);
      EXPECT_THAT(seen, testing::Each(1));
      const auto none = static_cast<std::int32_t>(no_path(Semiring::min_plus, ValueType::i32));
      for (Vertex s = 0; s < n; s += 97) {
        const std::vector<double> row = result.distances_from(s);
        for (Vertex t = 0; t < n; ++t) {
          const std::int32_t d = distances[s * static_cast<std::size_t>(n) + t];
          ASSERT_EQ(d == none ? no_path(Semiring::min_plus, ValueType::f64) : d, row[t]);
        }
      }
    }
  }
}

TEST(OnRows, ComeWithoutStatisticsOrAMatrixAndBesideAFile) {
  const TemporaryFolder folder;
  const std::string file = folder / "x.npy";
  const Graph graph = some_graph(200);
  for (const bool statistics : {false, true}) {
    for (const bool output : {false, true}) {
      std::size_t rows = 0;
      SolveOptions options{.question = {.statistics = statistics},
                           .storage = {.keep = Keep::statistics}};
      if (output) options.storage.output = file;
      options.consumer.on_rows = [&](const RowBlock& block) { rows += block.sources.size(); };
      solve(graph, options);
      EXPECT_EQ(rows, 200u);
      EXPECT_EQ(std::filesystem::exists(file), output);
      std::filesystem::remove(file);
    }
  }
}

TEST(OnRows, WhatItThrowsEndsTheSolveAndLeavesNoFile) {
  const TemporaryFolder folder;
  const Graph graph = some_graph(kVertices);
  for (const int threads : {1, 2, 5}) {
    for (const bool statistics : {false, true}) {
      for (const char* const output : {"", "x.npy", "x.zarr"}) {
        SolveOptions options{.question = {.statistics = statistics},
                             .machine = {.threads = threads}};
        if (*output != '\0') options.storage.output = folder / output;
        options.consumer.on_rows = [](const RowBlock& rows) {
          if (rows.sources.back() > kVertices / 2) throw std::length_error("enough");
        };
        EXPECT_THROW(solve(graph, options), std::length_error) << threads << output;
        EXPECT_EQ(folder.entries(), 0);
      }
    }
  }
}

TEST(OnRows, StopBetweenTwoCallsWhenAskedTo) {
  Cancellation cancellation;
  int calls = 0;
  SolveOptions options;
  options.control.cancellation = &cancellation;
  options.question.statistics = false;
  options.consumer.on_rows = [&](const RowBlock&) {
    ++calls;
    cancellation.request();
  };
  EXPECT_ERROR(interrupted, solve(some_graph(kVertices), options));
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace apsp
