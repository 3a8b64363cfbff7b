// Rows in memory of the caller, and to a caller's function, whose errors are the caller's to catch.
// Their distances: solve_suite_test.
#include <apsp/apsp.hpp>

#include "support/graph_of.hpp"
#include "support/temporary_folder.hpp"
#include "support/test.hpp"

namespace apsp::caller_rows_test {
namespace {

Graph small_graph() { return generate({.vertices = 150, .probability = 0.03, .directed = true}); }

TEST(CallerRows, TakeAWeightForTheEmptyPathNowhereButOnTheDiagonal) {
  // u16 holds the empty path of min-max as 0.
  constexpr double kEmpty = -std::numeric_limits<double>::infinity();
  const Graph graph = graph_of(3, {{0, 1, 0}, {1, 2, 0}, {2, 0, 4}});
  for (const ValueType type : {ValueType::u16, ValueType::i32, ValueType::f32}) {
    SCOPED_TRACE(name(type));
    std::vector<double> values(9);
    SolveOptions options{.question = {.semiring = Semiring::min_max},
                         .method = {.value_type = type}};
    options.consumer.into = {values.data()};
    solve(graph, options);
    EXPECT_EQ(values, (std::vector<double>{kEmpty, 0, 0, 4, kEmpty, 0, 4, 4, kEmpty}));
    options.question.sources = {1, 0};
    options.question.targets = {2, 1};
    solve(graph, options);
    values.resize(4);
    EXPECT_EQ(values, (std::vector<double>{0, kEmpty, 0, 0}));
  }
}

TEST(CallerRows, ThatWouldOverlapAreRefused) {
  const Graph graph = small_graph();
  std::vector<double> values(150 * 150);
  SolveOptions options;
  for (const std::int64_t stride : {-150, -1, 1, 149}) {
    options.consumer.into = {values.data(), stride};
    EXPECT_ERROR(usage, solve(graph, options)) << stride;
  }
  options.question.targets = {5, 0};
  options.consumer.into = {values.data(), 2};
  EXPECT_NO_THROW(solve(graph, options));
}

TEST(ThreadCount, IsWhatIsAskedForOrAllThatThereAre) {
  EXPECT_EQ(thread_count(3), 3);
  EXPECT_GE(thread_count(), 1);
}

constexpr std::int64_t kManyRows = 1500;  // more rows than a block has

Graph some_graph(std::int64_t n) {
  return generate({.vertices = n, .probability = std::min(1.0, 6.0 / static_cast<double>(n))});
}

TEST(OnRows, WhatItThrowsEndsTheSolveAndLeavesNoFile) {
  const TemporaryFolder folder;
  const Graph graph = some_graph(kManyRows);
  for (const int threads : {1, 2, 5}) {
    for (const bool statistics : {false, true}) {
      for (const char* const output : {"", "x.npy", "x.zarr"}) {
        SolveOptions options{.question = {.statistics = statistics},
                             .machine = {.threads = threads}};
        if (*output != '\0') options.storage.output = folder / output;
        options.consumer.on_rows = [](const RowBlock& rows) {
          if (rows.sources.back() > kManyRows / 2) throw std::length_error("enough");
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
  EXPECT_ERROR(interrupted, solve(some_graph(kManyRows), options));
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace apsp::caller_rows_test
