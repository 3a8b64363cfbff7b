// Results that hold a factor, beside those that hold the matrix.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <apsp/apsp.hpp>

#include <limits>
#include <thread>

#include "support/error_of.hpp"
#include "support/random_graph.hpp"
#include "support/temporary_folder.hpp"

namespace apsp {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

Result solved(const Graph& graph, Keep keep, Semiring semiring = Semiring::min_plus,
              std::optional<ValueType> type = {}) {
  SolveOptions options{.question = {.semiring = semiring, .statistics = false},
                       .method = {.value_type = type},
                       .storage = {.keep = keep}};
  options.method.algorithm =
      keep == Keep::matrix ? Algorithm::floyd_warshall : Algorithm::nested_dissection;
  return solve(graph, options);
}

/// All that can be asked, of results of whole numbers.
void expect_same(const Result& factor, const Result& matrix) {
  EXPECT_EQ(factor.kept(), Keep::factor);
  EXPECT_EQ(matrix.kept(), Keep::matrix);
  EXPECT_EQ(factor.semiring(), matrix.semiring());
  EXPECT_EQ(factor.value_type(), matrix.value_type());
  const auto n = static_cast<Vertex>(factor.vertex_count());
  for (Vertex s = 0; s < n; ++s) {
    EXPECT_EQ(factor.distances_from(s), matrix.distances_from(s));
    if (s % 9 == 0) {
      EXPECT_EQ(factor.predecessors(s), matrix.predecessors(s));
    }
    for (Vertex t = 0; t < n; t += 3) {
      EXPECT_EQ(factor.distance(s, t), matrix.distance(s, t));
      EXPECT_EQ(factor.reachable(s, t), matrix.reachable(s, t));
    }
    EXPECT_EQ(factor.path(s, n / 2), matrix.path(s, n / 2));
  }
  EXPECT_EQ(factor.statistics().mean, matrix.statistics().mean);
  EXPECT_EQ(factor.statistics().diameter, matrix.statistics().diameter);
  EXPECT_EQ(factor.statistics().closeness, matrix.statistics().closeness);
  EXPECT_EQ(factor.statistics().reachable_pairs, matrix.statistics().reachable_pairs);
  EXPECT_TRUE(factor.verify().passed);
}

TEST(KeptFactor, AnswersAsTheMatrixDoes) {
  std::uint64_t seed = 0;
  for (const Semiring semiring : all_semirings()) {
    for (const bool directed : {false, true}) {
      if (semiring == Semiring::max_plus && !directed) continue;
      for (const std::int64_t n : {1, 2, 130}) {
        const Graph graph = random_graph({.n = n,
                                          .arcs = 2 * n,
                                          .least = 1,
                                          .greatest = 20,
                                          .directed = directed,
                                          .acyclic = semiring == Semiring::max_plus,
                                          .seed = ++seed});
        expect_same(solved(graph, Keep::factor, semiring), solved(graph, Keep::matrix, semiring));
      }
    }
  }
}

TEST(KeptFactor, TakesNegativeWeights) {
  const Graph graph = random_graph({.n = 150, .arcs = 500, .potential = 30});
  expect_same(solved(graph, Keep::factor), solved(graph, Keep::matrix));
}

TEST(KeptFactor, IsRightToRoundingWithRealWeights) {
  const Graph graph =
      random_graph({.n = 200, .arcs = 700, .least = 0.1, .greatest = 5, .real = true});
  for (const ValueType type : {ValueType::f32, ValueType::f64}) {
    const Result factor = solved(graph, Keep::factor, Semiring::min_plus, type);
    const Result matrix = solved(graph, Keep::matrix, Semiring::min_plus, type);
    EXPECT_TRUE(factor.verify().passed);
    for (Vertex s = 0; s < 200; s += 11) {
      const std::vector<double> row = factor.distances_from(s);
      for (Vertex t = 0; t < 200; ++t) {
        const double expected = matrix.distance(s, t);
        if (expected == std::numeric_limits<double>::infinity()) {
          EXPECT_EQ(factor.distance(s, t), expected);
          EXPECT_EQ(row[t], expected);
          continue;
        }
        EXPECT_NEAR(factor.distance(s, t), expected, 1e-5 * expected);
        EXPECT_NEAR(row[t], expected, 1e-5 * expected);
        EXPECT_EQ(factor.path(s, t).empty(), false);
      }
    }
  }
}

TEST(KeptFactor, GivesTheSameDistanceWhateverWasAskedBefore) {
  const Graph graph =
      random_graph({.n = 100, .arcs = 300, .least = 0.1, .greatest = 5, .real = true});
  const Result result = solved(graph, Keep::factor);
  const double before = result.distance(3, 40);
  result.distances_from(3);
  EXPECT_EQ(result.distance(3, 40), before);
}

TEST(KeptFactor, StatisticsAreGatheredWhileSolvingToo) {
  const Graph graph = random_graph({.n = 120, .arcs = 300, .least = 1, .directed = false});
  SolveOptions options{.storage = {.keep = Keep::factor}};
  const Result result = solve(graph, options);
  EXPECT_EQ(result.statistics().closeness, solved(graph, Keep::matrix).statistics().closeness);
  EXPECT_EQ(result.report().algorithm, Algorithm::nested_dissection);
}

TEST(KeptFactor, IsAskedByManyThreadsAtOnce) {
  const Graph graph = random_graph({.n = 300, .arcs = 700, .least = 1});
  const Result factor = solved(graph, Keep::factor), matrix = solved(graph, Keep::matrix);
  std::vector<int> wrong(4, 0);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    threads.emplace_back([&, i] {
      for (Vertex s = static_cast<Vertex>(i); s < 300; s += 5) {
        wrong[i] += factor.distances_from(s) != matrix.distances_from(s);
        wrong[i] += factor.distance(s, 7) != matrix.distance(s, 7);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, (std::vector<int>{0, 0, 0, 0}));
}

TEST(Distances, OfManyPairsComeInTheirOrderFromPairsAndFromRows) {
  const Graph graph = random_graph({.n = 200, .arcs = 500, .least = 1});
  const Result factor = solved(graph, Keep::factor), matrix = solved(graph, Keep::matrix);
  std::vector<VertexPair> pairs;
  for (Vertex i = 0; i < 600; ++i) {
    pairs.push_back({i % 7 == 0 ? i % 200 : 5, i * 31 % 200});  // vertex 5 often, others rarely
  }
  const std::vector<double> found = factor.distances(pairs);
  EXPECT_EQ(found, matrix.distances(pairs));
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    EXPECT_EQ(found[i], matrix.distance(pairs[i].from, pairs[i].to));
  }
  EXPECT_THAT(factor.distances({}), IsEmpty());
  const std::vector<VertexPair> wrong = {{0, 1}, {0, 200}};
  EXPECT_ERROR(usage, factor.distances(wrong));
  Cancellation cancellation;
  cancellation.request();
  EXPECT_ERROR(interrupted, factor.distances(pairs, {nullptr, &cancellation}));
}

TEST(KeptFactor, IsSavedAsAMatrix) {
  const TemporaryFolder folder;
  const Graph graph = random_graph({.n = 90, .arcs = 200, .least = 1});
  const Result factor = solved(graph, Keep::factor);
  factor.save(folder / "a.zarr");
  const Result opened = open_result(folder / "a.zarr");
  for (Vertex s = 0; s < 90; ++s) EXPECT_EQ(opened.distances_from(s), factor.distances_from(s));
}

TEST(KeptFactor, StandsBesideAFileOfAllDistances) {
  const TemporaryFolder folder;
  const Graph graph = random_graph({.n = 90, .arcs = 200, .least = 1});
  SolveOptions options;
  options.method.algorithm = Algorithm::nested_dissection;
  options.storage.keep = Keep::factor;
  options.storage.stored = Keep::matrix;
  options.storage.output = folder / "a.npy";
  const Result factor = solve(graph, options);
  const Result opened = open_result(options.storage.output, graph);
  EXPECT_EQ(opened.distances_from(8), factor.distances_from(8));
}

TEST(KeptFactor, RefusesWhatItDoesNotHold) {
  const Result result = solved(random_graph({.n = 5, .arcs = 9, .least = 1}), Keep::factor);
  EXPECT_FALSE(result.has_via());
  EXPECT_FALSE(result.has_hops());
  EXPECT_ERROR(usage, result.distance(5, 0));
  EXPECT_ERROR(usage, result.path(0, 5));
  EXPECT_ERROR(usage, result.via(0, 1));
}

TEST(KeptFactor, StopsWhenAskedTo) {
  Cancellation cancellation;
  const Result result = solved(random_graph({.n = 300, .arcs = 900}), Keep::factor);
  cancellation.request();
  EXPECT_ERROR(interrupted, result.statistics({nullptr, &cancellation}));
}

TEST(KeptFactor, IsWhatRemainsWhereTheMatrixDoesNotFit) {
  GraphBuilder builder(20'000, false);
  for (Vertex v = 0; v + 1 < 20'000; ++v) builder.add_edge(v, v + 1, 1);
  const Graph path = std::move(builder).build();
  SolveOptions options{.question = {.statistics = false},
                       .machine = {.memory = std::int64_t{200} << 20}};
  const Result result = solve(path, options);
  EXPECT_EQ(result.kept(), Keep::factor);
  EXPECT_EQ(result.distance(0, 19'999), 19'999);
  EXPECT_EQ(result.path(3, 7), (std::vector<Vertex>{3, 4, 5, 6, 7}));
}

TEST(Keep, IsKnownByItsNames) {
  for (const Keep keep : {Keep::automatic, Keep::matrix, Keep::factor, Keep::statistics}) {
    EXPECT_EQ(parse_keep(name(keep)), keep);
  }
  EXPECT_EQ(parse_keep("both"), std::nullopt);
}

}  // namespace
}  // namespace apsp
