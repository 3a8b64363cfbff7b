// Weights of both signs by every engine of rows: random graphs against the textbook in doubles,
// within the error that the report states.
#include <gtest/gtest.h>
#include <apsp/apsp.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "support/error_of.hpp"
#include "support/graph_of.hpp"
#include "support/random_graph.hpp"
#include "support/textbook.hpp"

namespace apsp {
namespace {

constexpr Algorithm kByRows[] = {Algorithm::johnson, Algorithm::nested_dissection,
                                 Algorithm::boundary};
constexpr std::int64_t kSize = 70;

/// The graph with weights of eighths, whose sums are exact in doubles.
Graph of_eighths(const Graph& graph) {
  GraphBuilder builder(graph.vertex_count());
  graph.visit_all([&](Vertex u, Vertex v, double weight) { builder.add_edge(u, v, weight / 8); });
  return std::move(builder).build();
}

/// Graphs of few and many arcs; all cycles of weight zero; without cycles; integers.
std::vector<Graph> graphs() {
  std::vector<Graph> all;
  std::uint64_t seed = 0;
  for (const std::int64_t arcs : {kSize / 2, 2 * kSize, 5 * kSize}) {
    for (const double potential : {3.0, 40.0, 1e4}) {
      all.push_back(random_graph(
          {.n = kSize, .arcs = arcs, .real = true, .potential = potential, .seed = ++seed}));
    }
    all.push_back(of_eighths(
        random_graph({.n = kSize, .arcs = arcs, .greatest = 0, .potential = 40, .seed = ++seed})));
    all.push_back(random_graph({.n = kSize,
                                .arcs = arcs,
                                .least = -3,
                                .greatest = 4,
                                .real = true,
                                .acyclic = true,
                                .seed = ++seed}));
    all.push_back(
        random_graph({.n = kSize, .arcs = arcs, .greatest = 9, .potential = 40, .seed = ++seed}));
  }
  for (const Graph& graph : all) EXPECT_LT(graph.weight_facts().least, 0);
  return all;
}

/// The rounding of the textbook's sums is far below that of any solve.
void expect_close(double found, double right, double error) {
  if (std::isinf(right)) {
    ASSERT_EQ(found, right);
  } else {
    ASSERT_NEAR(found, right, error + 1e-9);
  }
}

TEST(SignedSolve, EveryEngineOfRowsKeepsTheStatedError) {
  for (const Graph& graph : graphs()) {
    const std::vector<double> right = verifier::floyd_warshall(graph, Semiring::min_plus);
    const bool integral = graph.weight_facts().integral;
    for (const Algorithm algorithm : kByRows) {
      for (const ValueType type : {integral ? ValueType::i32 : ValueType::f32, ValueType::f64}) {
        const Result result = solve(graph, {.method = {.algorithm = algorithm, .value_type = type},
                                            .machine = {.threads = 2}});
        EXPECT_EQ(result.report().algorithm, algorithm);
        EXPECT_EQ(result.report().absolute_error > 0, !integral);
        EXPECT_TRUE(result.verify().passed);
        for (Vertex s = 0; s < kSize; ++s) {
          for (Vertex t = 0; t < kSize; ++t) {
            expect_close(result.distance(s, t), right[s * kSize + t],
                         result.report().absolute_error);
          }
        }
      }
    }
  }
}

TEST(SignedSolve, SelectionsAndFactorsGiveTheSameDistances) {
  for (const Graph& graph : graphs()) {
    const std::vector<double> right = verifier::floyd_warshall(graph, Semiring::min_plus);
    const auto expect_right = [&](const Result& result, std::span<const Vertex> sources,
                                  std::span<const Vertex> targets) {
      std::vector<VertexPair> pairs;
      for (const Vertex s : sources) {
        for (const Vertex t : targets) pairs.push_back({s, t});
      }
      const std::vector<double> found = result.distances(pairs);
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        const double of_pair = right[pairs[i].from * kSize + pairs[i].to];
        expect_close(found[i], of_pair, result.report().absolute_error);
        expect_close(result.distance(pairs[i].from, pairs[i].to), of_pair,
                     result.report().absolute_error);
      }
    };
    std::vector<Vertex> all(kSize);
    for (Vertex v = 0; v < kSize; ++v) all[v] = v;
    SolveOptions options{.question = {.sources = {69, 3, 14, 15, 1}, .targets = {2, 60, 14}}};
    for (const Algorithm algorithm : kByRows) {
      options.method.algorithm = algorithm;
      expect_right(solve(graph, options), options.question.sources, options.question.targets);
    }
    const Result kept = solve(graph, {.storage = {.keep = Keep::factor}});
    EXPECT_EQ(kept.kept(), Keep::factor);
    expect_right(kept, all, all);  // by labels
    expect_right(kept, {&all[5], 1}, all);
    const std::vector<double> row = kept.distances_from(5);
    for (Vertex t = 0; t < kSize; ++t) {
      expect_close(row[t], right[5 * kSize + t], kept.report().absolute_error);
    }
    EXPECT_TRUE(kept.verify().passed);
  }
}

TEST(SignedSolve, PathsAndPredecessorsFollowRows) {
  const Graph graph = random_graph({.n = kSize, .arcs = 300, .real = true, .potential = 7});
  for (const Keep keep : {Keep::matrix, Keep::factor}) {
    const Result result = solve(graph, {.storage = {.keep = keep}});
    for (Vertex t = 0; t < kSize; ++t) {
      const std::vector<Vertex> path = result.path(3, t);
      double length = 0;
      for (std::size_t i = 1; i < path.size(); ++i) {
        double best = std::numeric_limits<double>::infinity();
        graph.for_each_arc_between(path[i - 1], path[i],
                                   [&](double weight) { best = std::min(best, weight); });
        length += best;
      }
      if (path.empty()) continue;
      expect_close(result.distance(3, t), length, result.report().absolute_error);
    }
  }
}

TEST(SignedSolve, RefusesNegativeCyclesAndWhatHoldsNoPotentials) {
  // No source reaches the cycle 3 → 4 → 3.
  const Graph cyclic = graph_of(5, {{0, 1, 1.5}, {1, 2, -0.5}, {3, 4, 0.25}, {4, 3, -0.75}});
  for (const Algorithm algorithm : kByRows) {
    SolveOptions options{.question = {.sources = {0}}, .method = {.algorithm = algorithm}};
    const Error error = error_of([&] { solve(cyclic, options); });
    EXPECT_EQ(error.kind(), ErrorKind::negative_cycle);
    EXPECT_EQ(error.cycle().weight, -0.5);
  }
  const Graph graph = random_graph({.n = kSize, .arcs = 300, .real = true, .potential = 7});
  const Result kept = solve(graph, {.storage = {.keep = Keep::factor}});
  EXPECT_ERROR(usage, kept.update(graph));
  SolveOptions stored{.storage = {.output = "unwritten.zarr", .stored = Keep::factor}};
  EXPECT_ERROR(usage, solve(graph, stored));
}

}  // namespace
}  // namespace apsp
