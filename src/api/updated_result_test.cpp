// Results whose weights changed, in memory: as a solve of the changed graph.
#include <gtest/gtest.h>
#include <apsp/apsp.hpp>

#include <limits>
#include <vector>

#include "base/random.hpp"
#include "support/changed_edges.hpp"
#include "support/error_of.hpp"
#include "support/graph_of.hpp"
#include "support/random_graph.hpp"
#include "support/recorded_progress.hpp"

namespace apsp {
namespace {

constexpr double kRemoved = std::numeric_limits<double>::infinity();

Result factor_of(const Graph& graph, Semiring semiring = Semiring::min_plus,
                 std::optional<ValueType> type = {}) {
  SolveOptions options;
  options.question.semiring = semiring;
  options.method.value_type = type;
  options.storage.keep = Keep::factor;
  options.question.statistics = false;
  return solve(graph, options);
}

void expect_as_solved(const Result& updated, const Graph& graph) {
  EXPECT_EQ(updated.kept(), Keep::factor);
  EXPECT_EQ(updated.graph().digest(), graph.digest());
  SolveOptions options{.question = {.semiring = updated.semiring()}};
  const Result fresh = solve(graph, options);
  const auto n = static_cast<Vertex>(graph.vertex_count());
  for (Vertex s = 0; s < n; s += 3) EXPECT_EQ(updated.distances_from(s), fresh.distances_from(s));
  for (Vertex t = 0; t < n; t += 7) {
    EXPECT_EQ(updated.distance(1, t), fresh.distance(1, t));
    EXPECT_EQ(updated.path(1, t), fresh.path(1, t));
  }
  EXPECT_TRUE(updated.verify().passed);
}

/// Other weights on a share of the edges; some are removed.
std::vector<double> new_weights(const Graph& graph, std::uint64_t one_in, std::uint64_t seed) {
  base::SplitMix64 random(seed);
  std::vector<double> weights;
  graph.visit_all([&](Vertex from, Vertex to, double weight) {
    if (!graph.directed() && from > to) return;
    const bool change = random.below(one_in) == 0;
    const bool remove = random.below(9) == 0;
    weights.push_back(!change  ? weight
                      : remove ? kRemoved
                               : static_cast<double>(1 + random.below(40)));
  });
  return weights;
}

TEST(UpdatedResult, AnswersAsASolveInEverySemiring) {
  std::uint64_t seed = 0;
  for (const Semiring semiring : all_semirings()) {
    for (const bool directed : {false, true}) {
      if (semiring == Semiring::max_plus && !directed) continue;
      for (const std::uint64_t one_in : {1, 10, 100}) {
        const Graph graph = random_graph({.n = 90,
                                          .arcs = 200,
                                          .least = 1,
                                          .greatest = 40,
                                          .directed = directed,
                                          .acyclic = semiring == Semiring::max_plus,
                                          .seed = ++seed});
        const Result before = factor_of(graph, semiring);
        const Graph after = with_weights(graph, new_weights(graph, one_in, seed));
        UpdateReport report;
        const Result updated = before.update(after, {.threads = 2}, &report);
        expect_as_solved(updated, after);
        expect_as_solved(before, graph);
        EXPECT_EQ(report.growth, 1);
        EXPECT_EQ(report.value_type, updated.value_type());
      }
    }
  }
}

TEST(UpdatedResult, CountsEdgesThatDiffer) {
  const Graph path = graph_of(4, {{0, 1, 2}, {1, 2, 3}, {2, 3, 4}}, false);
  UpdateReport report;
  factor_of(path).update(with_weights(path, std::vector<double>{2, 5, kRemoved}), {}, &report);
  EXPECT_EQ(report.changes, 2);
  const Graph arcs = graph_of(3, {{0, 1, 2}, {1, 0, 3}, {1, 2, 3}});
  factor_of(arcs).update(with_changes(arcs, std::vector<Edge>{{0, 1, 9}, {1, 2, 3}}), {}, &report);
  EXPECT_EQ(report.changes, 1);
}

TEST(UpdatedResult, TakesEdgesThatCome) {
  base::SplitMix64 random(5);
  bool stayed = false, changed = false;
  for (const bool directed : {false, true}) {
    for (std::uint64_t round = 0; round < 30; ++round) {
      const Graph graph = random_graph({.n = 80,
                                        .arcs = 110,
                                        .least = 1,
                                        .greatest = 40,
                                        .directed = directed,
                                        .seed = round + 1});
      std::vector<Edge> changes;
      for (std::uint64_t i = 0; i <= round % 3; ++i) {
        changes.push_back(
            {static_cast<Vertex>(random.below(80)), static_cast<Vertex>(random.below(80)), 1});
      }
      const Graph after = with_changes(graph, changes_of_all(graph, changes));
      UpdateReport report;
      expect_as_solved(factor_of(graph).update(after, {}, &report), after);
      (report.growth == 1 ? stayed : changed) = true;
    }
  }
  EXPECT_TRUE(stayed);
  EXPECT_TRUE(changed);
}

TEST(UpdatedResult, AnEdgeThatWasRemovedMayComeBack) {
  const Graph graph =
      random_graph({.n = 60, .arcs = 150, .least = 1, .greatest = 9, .directed = false});
  const Result before = factor_of(graph);
  const Edge first = {0, graph.targets(0).front(), kRemoved};
  const Result closed = before.update(with_changes(graph, changes_of_all(graph, {&first, 1})));
  UpdateReport report;
  const Result open = closed.update(graph, {}, &report);
  EXPECT_EQ(report.growth, 1);
  expect_as_solved(open, graph);
}

TEST(UpdatedResult, HasAWiderTypeWhereItsDistancesNeedOne) {
  const Graph path = graph_of(4, {{0, 1, 2}, {1, 2, 3}, {2, 3, 4}}, false);
  const Result before = factor_of(path);
  ASSERT_EQ(before.value_type(), ValueType::u16);
  const auto type_with = [&](const std::vector<double>& weights) {
    const Graph after = with_weights(path, weights);
    UpdateReport report;
    const Result updated = before.update(after, {}, &report);
    expect_as_solved(updated, after);
    EXPECT_EQ(report.value_type_before, ValueType::u16);
    EXPECT_EQ(updated.report().value_type, updated.value_type());
    return updated.value_type();
  };
  EXPECT_EQ(type_with({2, 3, 9}), ValueType::u16);
  EXPECT_EQ(type_with({2, 3, 90000}), ValueType::i32);
  EXPECT_EQ(type_with({2, 3, 0.5}), ValueType::f32);
  EXPECT_EQ(type_with({2, 3, 1e300}), ValueType::f64);
}

TEST(UpdatedResult, MatchesVerticesByName) {
  const auto named = [](const std::vector<std::string>& names, const std::vector<Edge>& edges) {
    GraphBuilder builder(std::ssize(names), false);
    builder.set_labels(names);
    for (const Edge& edge : edges) builder.add_edge(edge.from, edge.to, edge.weight);
    return std::move(builder).build();
  };
  const Result before = factor_of(named({"a", "b", "c"}, {{0, 1, 3}, {1, 2, 4}}));
  const Result updated = before.update(named({"c", "b", "a"}, {{0, 1, 40}, {1, 2, 30}}));
  EXPECT_EQ(updated.distance(0, 1), 30);
  EXPECT_EQ(updated.distance(1, 2), 40);
}

TEST(UpdatedResult, TakesAMatrixOfWeights) {
  const Graph graph =
      graph_of(3, {{0, 1, 3}, {0, 2, 4}, {1, 0, 5}, {1, 2, 6}, {2, 0, 7}, {2, 1, 8}});
  const float values[] = {0, 3, 100, 5, 0, 6, 7, 8, 0};
  WeightMatrix matrix{.n = 3, .data = values};
  GraphBuilder builder(3);
  builder.set_matrix(std::move(matrix));
  UpdateReport report;
  const Result updated = factor_of(graph).update(std::move(builder).build(), {}, &report);
  EXPECT_EQ(report.changes, 1);
  EXPECT_EQ(updated.distance(0, 2), 9);
}

TEST(UpdatedResult, RefusesWhatCannotBe) {
  const Graph graph = graph_of(3, {{0, 1, 2}, {1, 2, 3}, {2, 0, 4}});
  const Result before = factor_of(graph, Semiring::min_plus, ValueType::i32);
  const auto refused = [&](const Result& result, const Graph& after, ErrorKind kind,
                           const UpdateOptions& options = {}) {
    EXPECT_EQ(error_of([&] { result.update(after, options); }).kind(), kind);
  };
  SolveOptions statistics;
  statistics.storage.keep = Keep::statistics;
  refused(solve(graph, statistics), graph, ErrorKind::usage);
  refused(before, graph_of(4, {{0, 1, 2}}), ErrorKind::usage);
  refused(before, graph_of(3, {{0, 1, 2}, {1, 2, 3}, {2, 0, -9}}), ErrorKind::negative_cycle);
  refused(before, graph_of(3, {{0, 1, 2.5}, {1, 2, -0.5}, {2, 0, 4}}), ErrorKind::usage);
  refused(before, graph, ErrorKind::does_not_fit, {.memory = 100});
}

TEST(UpdatedResult, TellsOfItsProgressAndEndsWhenAsked) {
  const Graph graph =
      random_graph({.n = 400, .arcs = 900, .least = 1, .greatest = 40, .directed = false});
  const Result before = factor_of(graph);
  const Graph after = with_weights(graph, new_weights(graph, 1, 3));
  RecordedProgress progress;
  before.update(after, {.control = {&progress, nullptr}});
  EXPECT_EQ(progress.task, "eliminating");
  Cancellation cancellation;
  cancellation.request();
  const Error error = error_of([&] {
    before.update(after, {.control = {nullptr, &cancellation}});
  });
  EXPECT_EQ(error.kind(), ErrorKind::interrupted);
}

}  // namespace
}  // namespace apsp
