// Rows of distances in memory of the caller, as f64, whatever type and algorithm found them.
#include <gtest/gtest.h>

#include <apsp/apsp.hpp>
#include <filesystem>
#include <limits>
#include <vector>

#include "support/error_of.hpp"
#include "support/graph_of.hpp"
#include "support/temporary_folder.hpp"

namespace apsp {
namespace {

constexpr double kUnwritten = -7;

Graph small_graph() { return generate({.vertices = 150, .probability = 0.03, .directed = true}); }

/// Solves into a matrix whose rows have gaps, which must stay as they were, and compares.
void expect_same_rows(const Graph& graph, SolveOptions options) {
  const std::int64_t n = graph.vertex_count();
  const auto rows = static_cast<std::size_t>(
      options.question.sources.empty() ? n : options.question.sources.size());
  const auto columns = static_cast<std::size_t>(
      options.question.targets.empty() ? n : options.question.targets.size());
  const std::size_t stride = columns + 3;
  const Result expected = solve(graph, options);
  std::vector<double> values(rows * stride, kUnwritten);
  options.consumer.into = {values.data(), static_cast<std::int64_t>(stride)};
  solve(graph, options);
  for (std::size_t i = 0; i < rows; ++i) {
    const Vertex s =
        options.question.sources.empty() ? static_cast<Vertex>(i) : options.question.sources[i];
    for (std::size_t j = 0; j < columns; ++j) {
      const Vertex t =
          options.question.targets.empty() ? static_cast<Vertex>(j) : options.question.targets[j];
      ASSERT_EQ(values[i * stride + j], expected.distance(s, t)) << s << " to " << t;
    }
    for (std::size_t j = columns; j < stride; ++j) ASSERT_EQ(values[i * stride + j], kUnwritten);
  }
}

TEST(CallerRows, HoldTheDistancesOfEveryAlgorithmAndType) {
  for (const Algorithm algorithm : {Algorithm::floyd_warshall, Algorithm::nested_dissection,
                                    Algorithm::johnson, Algorithm::boundary}) {
    for (const ValueType type : {ValueType::f64, ValueType::f32, ValueType::i32, ValueType::u16}) {
      for (const bool statistics : {false, true}) {
        SCOPED_TRACE(std::string(name(algorithm)) + " " + std::string(name(type)));
        expect_same_rows(small_graph(), {.question = {.statistics = statistics},
                                         .method = {.algorithm = algorithm, .value_type = type},
                                         .machine = {.threads = 3},
                                         .storage = {.keep = Keep::matrix}});
      }
    }
  }
}

TEST(CallerRows, OfASelectionComeInItsOrder) {
  for (const ValueType type : {ValueType::f64, ValueType::u16}) {
    expect_same_rows(small_graph(),
                     {.question = {.sources = {70, 3, 149}, .targets = {5, 0}},
                      .method = {.algorithm = Algorithm::nested_dissection, .value_type = type},
                      .storage = {.keep = Keep::matrix}});
  }
}

TEST(CallerRows, SayWhatOtherSemiringsMeanByNoPathAndTheEmptyOne) {
  for (const Semiring semiring : {Semiring::max_min, Semiring::min_max, Semiring::or_and}) {
    SCOPED_TRACE(name(semiring));
    expect_same_rows(small_graph(), {.question = {.semiring = semiring}});
  }
}

TEST(CallerRows, TakeAWeightForTheEmptyPathNowhereButOnTheDiagonal) {
  // u16 holds the empty path of min-max as 0.
  const Graph graph = graph_of(3, {{0, 1, 0}, {1, 2, 0}, {2, 0, 4}});
  for (const ValueType type : {ValueType::u16, ValueType::i32, ValueType::f32}) {
    SCOPED_TRACE(name(type));
    expect_same_rows(graph,
                     {.question = {.semiring = Semiring::min_max}, .method = {.value_type = type}});
    expect_same_rows(
        graph, {.question = {.semiring = Semiring::min_max, .sources = {1, 0}, .targets = {2, 1}},
                .method = {.value_type = type}});
  }
}

TEST(CallerRows, ComeBesideAFileAndWithoutAMatrix) {
  const TemporaryFolder folder;
  const Graph graph = small_graph();
  const double unreached = std::numeric_limits<double>::infinity();
  for (const char* const output : {"", "x.npy", "x.zarr"}) {
    std::vector<double> values(150 * 150, kUnwritten);
    SolveOptions options{.method = {.value_type = ValueType::f64},
                         .storage = {.keep = Keep::statistics}};
    if (*output != '\0') options.storage.output = folder / output;
    options.consumer.into = {values.data(), 0};
    solve(graph, options);
    for (const double d : values) ASSERT_TRUE(d >= 0 && d <= unreached);
    EXPECT_TRUE(options.storage.output.empty() || std::filesystem::exists(options.storage.output));
  }
}

TEST(CallerRows, ThatWouldOverlapAreRefused) {
  const Graph graph = small_graph();
  std::vector<double> values(150 * 150, kUnwritten);
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

}  // namespace
}  // namespace apsp
