#include "graph/negative_cycle.hpp"

#include <apsp/graph.hpp>

#include "base/random.hpp"
#include "support/graph_of.hpp"
#include "support/test.hpp"

namespace apsp::negative_cycle_test {
namespace {

std::vector<double> rounded(const Potentials& potentials) {
  std::vector<double> h;
  for (const base::DoubleDouble& value : potentials.h) h.push_back(value.high);
  return h;
}

void expect_feasible(const Graph& graph, const Potentials& potentials, double tolerance = 0) {
  const std::vector<double> h = rounded(potentials);
  ASSERT_EQ(std::ssize(h), graph.vertex_count());
  for (Vertex u = 0; u < h.size(); ++u) {
    for (std::size_t a = 0; a < graph.targets(u).size(); ++a) {
      const Vertex v = graph.targets(u)[a];
      ASSERT_GE(graph.weights(u)[a] + h[u] - h[v], -tolerance) << u << " → " << v;
    }
  }
}

/// Every arc of the cycle exists; returns its weight with the best parallel arcs.
double cycle_weight(const Graph& graph, const Cycle& cycle) {
  double sum = 0;
  for (std::size_t i = 0; i < cycle.vertices.size(); ++i) {
    const Vertex u = cycle.vertices[i];
    const Vertex v = cycle.vertices[(i + 1) % cycle.vertices.size()];
    const auto at = std::lower_bound(graph.targets(u).begin(), graph.targets(u).end(), v);
    EXPECT_TRUE(at != graph.targets(u).end() && *at == v) << "no arc " << u << " → " << v;
    sum += graph.weights(u)[static_cast<std::size_t>(at - graph.targets(u).begin())];
  }
  return sum;
}

TEST(Potentials, AreZeroWithoutNegativeWeights) {
  EXPECT_THAT(rounded(potentials(graph_of(3, {{0, 1, 4}, {1, 2, 0}}))), ElementsAre(0, 0, 0));
  EXPECT_TRUE(potentials(Graph()).h.empty());
  EXPECT_FALSE(potentials(Graph()).cycle);
}

TEST(Potentials, AreShortestDistancesFromAVirtualSource) {
  const Potentials p = potentials(graph_of(4, {{0, 1, -2}, {1, 2, -3}, {0, 2, 1}, {2, 3, 4}}));
  EXPECT_FALSE(p.cycle);
  EXPECT_THAT(rounded(p), ElementsAre(0, -2, -5, -1));
}

TEST(Potentials, SignTurnsLongestIntoShortest) {
  EXPECT_THAT(rounded(potentials(graph_of(2, {{0, 1, 7}}), -1)), ElementsAre(0, -7));
  const Potentials p = potentials(graph_of(2, {{0, 1, 7}, {0, 1, 2}, {1, 0, -3}}), -1);
  ASSERT_TRUE(p.cycle);
  EXPECT_THAT(p.cycle->vertices, ElementsAre(0, 1));
  EXPECT_EQ(p.cycle->weight, -4);
}

TEST(NegativeCycle, ALoop) {
  const Potentials p = potentials(graph_of(3, {{0, 1, 1}, {1, 1, -0.5}, {1, 1, 3}}));
  ASSERT_TRUE(p.cycle);
  EXPECT_THAT(p.cycle->vertices, ElementsAre(1));
  EXPECT_EQ(p.cycle->weight, -0.5);
  EXPECT_TRUE(p.h.empty());
}

TEST(NegativeCycle, AnUndirectedEdge) {
  const Potentials p = potentials(graph_of(3, {{0, 1, 5}, {2, 1, -1}}, false));
  ASSERT_TRUE(p.cycle);
  EXPECT_THAT(p.cycle->vertices, ElementsAre(1, 2));
  EXPECT_EQ(p.cycle->weight, -2);
}

TEST(NegativeCycle, BeginsAtItsLeastVertexAndFollowsItsArcs) {
  const Potentials p =
      potentials(graph_of(6, {{5, 3, 1}, {3, 4, 1}, {4, 2, -9}, {2, 5, 1}, {0, 5, 1}}));
  ASSERT_TRUE(p.cycle);
  EXPECT_THAT(p.cycle->vertices, ElementsAre(2, 5, 3, 4));
  EXPECT_EQ(p.cycle->weight, -6);
}

TEST(NegativeCycle, ZeroIsNotNegative) {
  const Graph graph = graph_of(3, {{0, 1, 2}, {1, 2, -5}, {2, 0, 3}});
  const Potentials p = potentials(graph);
  EXPECT_FALSE(p.cycle);
  expect_feasible(graph, p);
}

TEST(NegativeCycle, RoundedDecimalsThatMeanZeroAreZero) {
  // Each sums to zero as decimals; as doubles some orders give ±2.8e-17 or ±5.6e-17.
  for (const auto& [a, b, c] : {std::tuple(0.1, 0.2, -0.3), std::tuple(-0.1, -0.2, 0.3),
                                std::tuple(0.7, 0.1, -0.8), std::tuple(-1.1, -2.2, 3.3)}) {
    const Graph graph = graph_of(3, {{0, 1, a}, {1, 2, b}, {2, 0, c}});
    const Potentials p = potentials(graph);
    EXPECT_FALSE(p.cycle) << a;
    expect_feasible(graph, p, 1e-15);
  }
}

TEST(Potentials, AreExact) {
  // −0.7 − 0.1 has 55 bits; rounded to a double it would be 2^-54 off.
  const Potentials p = potentials(graph_of(3, {{0, 1, -0.7}, {1, 2, -0.1}}));
  const base::DoubleDouble h = p.h[2];
  EXPECT_EQ(h.high, -0.7 - 0.1);
  EXPECT_EQ(h.low, -0.7 - h.high - 0.1);
  EXPECT_NE(h.low, 0);
  EXPECT_EQ(p.bias, 0);
}

TEST(Potentials, ForgiveNoMoreThanTheyMust) {
  EXPECT_EQ(potentials(graph_of(2, {{0, 1, -0.3}, {1, 0, 0.3}})).bias, 0);
  EXPECT_EQ(potentials(graph_of(3, {{0, 1, 0.1}, {1, 2, 0.7}, {2, 0, -0.8}})).bias, 0x1p-53);
  EXPECT_EQ(potentials(graph_of(2, {{0, 1, -1}, {1, 0, 1 - 0x1p-51}, {0, 0, 0.5}})).bias, 0x1p-51);
}

TEST(Potentials, AreTheSameForEveryNumberOfThreads) {
  for (const double probability : {0.01, 0.9}) {
    const Graph graph = generate({.kind = GraphKind::gnp,
                                  .vertices = 1100,
                                  .probability = probability,
                                  .real_weights = true,
                                  .negative = true});
    const Potentials one = potentials(graph, 1, {}, 1);
    EXPECT_EQ(one.h, potentials(graph, 1, {}, 3).h);
    expect_feasible(graph, one, 1e-12);
  }
}

TEST(NegativeCycle, RoundingFarFromZeroInventsNone) {
  // A path of −10^6 leads into a cycle of zero weight; sums of doubles there err by 1e-10 an arc.
  GraphBuilder builder(1002);
  builder.add_edge(1001, 0, -1e6);
  for (Vertex v = 0; v < 1000; ++v) builder.add_edge(v, v + 1, v % 2 == 0 ? 0.1 : 0.2);
  builder.add_edge(1000, 0, -150);
  const Graph graph = std::move(builder).build();
  const Potentials p = potentials(graph);
  EXPECT_FALSE(p.cycle);
  expect_feasible(graph, p, 1e-9);
}

TEST(NegativeCycle, ATinyOneBesideHugeWeightsIsFound) {
  const Potentials p =
      potentials(graph_of(4, {{3, 0, -1e9}, {0, 1, 0.1}, {1, 2, 0.2}, {2, 0, -0.3000001}}));
  ASSERT_TRUE(p.cycle);
  EXPECT_THAT(p.cycle->vertices, ElementsAre(0, 1, 2));
  EXPECT_NEAR(p.cycle->weight, -1e-7, 1e-15);
}

TEST(NegativeCycle, OfWeightsThatVanishBesideTheLargestIsFound) {
  for (const double large : {1e30, 1e300}) {
    const auto loop = potentials(graph_of(1, {{0, 0, large}, {0, 0, -0.1}})).cycle;
    ASSERT_TRUE(loop);
    EXPECT_EQ(loop->weight, -0.1);
    const auto two = potentials(graph_of(3, {{0, 2, large}, {0, 1, -0.75}, {1, 0, 0.5}})).cycle;
    ASSERT_TRUE(two);
    EXPECT_THAT(two->vertices, ElementsAre(0, 1));
    EXPECT_EQ(two->weight, -0.25);
  }
}

TEST(NegativeCycle, LargeIntegersAreSummedExactly) {
  const double big = 0x1p53;
  const Graph zero = graph_of(3, {{0, 1, big}, {1, 2, 1}, {2, 2, 1}, {1, 0, -big}});
  EXPECT_FALSE(potentials(zero).cycle);
  const Graph one = graph_of(4, {{0, 1, big}, {1, 2, big - 1}, {2, 3, -big}, {3, 0, -big}});
  ASSERT_TRUE(potentials(one).cycle);
  EXPECT_EQ(potentials(one).cycle->weight, -1);
}

TEST(NegativeCycle, ExtremeMagnitudes) {
  for (const double scale : {0x1p-1060, 1e-300, 1.5e300}) {
    EXPECT_FALSE(potentials(graph_of(2, {{0, 1, -scale}, {1, 0, scale}})).cycle) << scale;
    const Potentials p = potentials(graph_of(2, {{0, 1, -1.5 * scale}, {1, 0, scale}}));
    ASSERT_TRUE(p.cycle) << scale;
    EXPECT_DOUBLE_EQ(p.cycle->weight, -0.5 * scale);
  }
}

TEST(NegativeCycle, IsFoundExactlyWhenThereIsOne) {
  base::SplitMix64 random(7);
  int with_cycle = 0;
  for (int round = 0; round < 300; ++round) {
    const auto n = static_cast<std::int64_t>(1 + random.below(9));
    GraphBuilder builder(n);
    std::vector<double> d(static_cast<std::size_t>(n * n), 1e9);
    for (std::uint64_t arc = random.below(25); arc > 0; --arc) {
      const auto u = static_cast<Vertex>(random.below(static_cast<std::uint64_t>(n)));
      const auto v = static_cast<Vertex>(random.below(static_cast<std::uint64_t>(n)));
      const double w = static_cast<double>(random.below(21)) - (round % 2 == 0 ? 2 : 5);
      builder.add_edge(u, v, w);
      double& best = d[static_cast<std::size_t>(u * n + v)];
      best = std::min(best, w);
    }
    const Graph graph = std::move(builder).build();
    const auto at = [&](std::int64_t i, std::int64_t j) -> double& {
      return d[static_cast<std::size_t>(i * n + j)];
    };
    bool expected = false;
    for (std::int64_t k = 0; k < n && !expected; ++k) {
      for (std::int64_t i = 0; i < n; ++i) {
        for (std::int64_t j = 0; j < n; ++j) at(i, j) = std::min(at(i, j), at(i, k) + at(k, j));
      }
      for (std::int64_t i = 0; i < n; ++i) expected = expected || at(i, i) < 0;
    }
    const Potentials p = potentials(graph);
    ASSERT_EQ(p.cycle.has_value(), expected) << round;
    if (expected) {
      ++with_cycle;
      EXPECT_LT(p.cycle->weight, 0);
      EXPECT_EQ(p.cycle->weight, cycle_weight(graph, *p.cycle));
    } else {
      expect_feasible(graph, p);
    }
  }
  EXPECT_GT(with_cycle, 50);
  EXPECT_LT(with_cycle, 250);
}

TEST(NegativeCycle, GeneratedNegativeGraphsHaveNone) {
  for (const bool real : {false, true}) {
    const Graph graph = generate({.kind = GraphKind::gnp,
                                  .vertices = 500,
                                  .probability = 0.02,
                                  .least_weight = 0,
                                  .real_weights = real,
                                  .negative = true});
    ASSERT_LT(graph.weight_facts().least, 0);
    const Potentials p = potentials(graph);
    EXPECT_FALSE(p.cycle);
    expect_feasible(graph, p, real ? 1e-12 : 0);
  }
}

/// The complete graph of `values`, row after row or column after column.
Graph matrix_graph(std::int64_t n, const std::vector<float>& values, bool by_columns) {
  GraphBuilder builder(n);
  WeightMatrix matrix{.n = n, .by_columns = by_columns, .data = values.data(), .owner = nullptr};
  builder.set_matrix(std::move(matrix));
  return std::move(builder).build();
}

TEST(Potentials, OfLongestPathsInAMatrixTakeNoArcsForNone) {
  constexpr float kNone = std::numeric_limits<float>::infinity();
  const std::vector<float> values = {2, 0.5F, -3, kNone, 0, 7.5F, kNone, kNone, 1};
  for (const bool by_columns : {false, true}) {
    const Graph graph = matrix_graph(3, values, by_columns);
    ASSERT_NE(graph.matrix(), nullptr);
    const Potentials found = potentials(graph, -1);
    ASSERT_FALSE(found.cycle) << "2 on the diagonal is no loop, and infinity no arc";
    graph.visit_all([&](Vertex u, Vertex v, double weight) {
      EXPECT_GE(-weight + found.h[u].high - found.h[v].high, 0);
    });
  }
}

TEST(Potentials, OfAMatrixByRowsOrColumns) {
  base::SplitMix64 random(9);
  const std::int64_t n = 70;
  std::vector<double> height;
  for (std::int64_t v = 0; v < n; ++v) height.push_back(100 * random.uniform());
  std::vector<float> values(static_cast<std::size_t>(n * n));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t u = i / 70, v = i % 70;
    values[i] = static_cast<float>(height[v] - height[u] + 10 * random.uniform() + 0.01);
  }
  for (const bool by_columns : {false, true}) {
    const Graph graph = matrix_graph(n, values, by_columns);
    ASSERT_NE(graph.matrix(), nullptr);
    const Potentials p = potentials(graph);
    ASSERT_FALSE(p.cycle);
    for (Vertex u = 0; u < n; ++u) {
      graph.for_each_arc(u, [&](Vertex v, double weight) {
        EXPECT_GE(weight + p.h[u].high - p.h[v].high, -1e-12);
      });
    }
  }
}

TEST(NegativeCycle, OfAMatrixByColumnsFollowsItsArcs) {
  // 0 → 1 → 2 → 0 weighs −0.5; the other way round all weights are 9.
  const std::vector<float> by_rows = {0, 1.5F, 9, 9, 0, -4, 2, 9, 0};
  std::vector<float> by_columns(9);
  for (std::size_t i = 0; i < 9; ++i) by_columns[i % 3 * 3 + i / 3] = by_rows[i];
  for (const bool columns : {false, true}) {
    const Potentials p = potentials(matrix_graph(3, columns ? by_columns : by_rows, columns));
    ASSERT_TRUE(p.cycle);
    EXPECT_THAT(p.cycle->vertices, ElementsAre(0, 1, 2));
    EXPECT_EQ(p.cycle->weight, -0.5);
  }
}

TEST(Potentials, OfAPathAgainstTheOrderTakeFewPasses) {
  // A pass up lowers each vertex by one arc; 60,000 passes would take minutes.
  GraphBuilder builder(60000);
  for (Vertex v = 1; v < 60000; ++v) builder.add_edge(v, v - 1, -0.1);
  const Potentials p = potentials(std::move(builder).build());
  EXPECT_NEAR(p.h[0].high, -5999.9, 1e-9);
}

TEST(Potentials, CanBeInterrupted) {
  Cancellation cancellation;
  cancellation.request();
  const Graph graph = graph_of(2, {{0, 1, -1}});
  EXPECT_ERROR(interrupted, potentials(graph, 1, {.cancellation = &cancellation}));
}

TEST(FindCycle, NoneInAnAcyclicGraph) {
  EXPECT_FALSE(find_cycle(Graph()));
  EXPECT_FALSE(find_cycle(graph_of(4, {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {0, 3}})));
  EXPECT_FALSE(find_cycle(generate({.kind = GraphKind::path, .vertices = 200000})));
}

TEST(FindCycle, ALoopAnEdgeALongCycle) {
  EXPECT_THAT(find_cycle(graph_of(2, {{0, 1, 1}, {1, 1, 4}}))->vertices, ElementsAre(1));
  EXPECT_EQ(find_cycle(graph_of(2, {{0, 1, 1}, {1, 1, 4}}))->weight, 4);
  EXPECT_THAT(find_cycle(graph_of(2, {{0, 1, 3}}, false))->vertices, ElementsAre(0, 1));
  EXPECT_EQ(find_cycle(graph_of(2, {{0, 1, 3}}, false))->weight, 6);
  const Graph graph = generate({.kind = GraphKind::cycle, .vertices = 1000});
  const std::optional<Cycle> cycle = find_cycle(graph);
  EXPECT_EQ(cycle->vertices.size(), 1000u);
  EXPECT_EQ(cycle->weight, cycle_weight(graph, *cycle));
}

TEST(FindCycle, SkipsWhatLeadsNowhere) {
  const Graph graph = graph_of(6, {{0, 1}, {1, 2}, {3, 1}, {3, 4, 2}, {4, 5, 3}, {5, 3, 4}});
  const std::optional<Cycle> cycle = find_cycle(graph);
  EXPECT_THAT(cycle->vertices, ElementsAre(3, 4, 5));
  EXPECT_EQ(cycle->weight, 9);
}

}  // namespace
}  // namespace apsp::negative_cycle_test
