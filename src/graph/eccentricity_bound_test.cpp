// Bounds compared with all distances of the textbook algorithm.
#include <apsp/graph.hpp>
#include <apsp/progress.hpp>

#include "base/random.hpp"
#include "graph/distance_bounds.hpp"
#include "support/graph_of.hpp"
#include "support/random_graph.hpp"
#include "support/test.hpp"
#include "support/textbook.hpp"

namespace apsp::eccentricity_bound_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(EccentricityBound, HoldsForGraphsOfEveryKind) {
  for (const bool directed : {false, true}) {
    for (const bool real : {false, true}) {
      for (const bool acyclic : {false, true}) {
        for (const std::int64_t arcs : {0, 40, 70, 150, 600}) {
          for (std::uint64_t seed = 0; seed < 4; ++seed) {
            const Graph graph = random_graph(
                60, arcs, 0, 30,
                {.real = real, .directed = directed, .acyclic = acyclic, .seed = seed});
            const double longest = verifier::longest_distance(graph);
            for (const double enough : {kInfinity, 1.2 * longest}) {
              const double bound = eccentricity_bound(graph, enough);
              EXPECT_GE(bound, longest);
              if (!directed) {
                EXPECT_LE(bound, 2 * longest * (1 + 1e-12));
              }
            }
          }
        }
      }
    }
  }
}

Graph path(std::int64_t n, bool directed, double weight = 1) {
  GraphBuilder builder(n, directed);
  for (Vertex v = 0; v + 1 < n; ++v) builder.add_edge(v, v + 1, weight);
  return std::move(builder).build();
}

TEST(EccentricityBound, OfATreeIsItsDiameter) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    base::SplitMix64 random(seed);
    std::vector<Edge> edges;
    for (Vertex v = 1; v < 70; ++v) {
      edges.push_back({static_cast<Vertex>(random.below(v)), v, double(random.below(50))});
    }
    const Graph tree = graph_of(70, edges, false);
    EXPECT_EQ(eccentricity_bound(tree, kInfinity), verifier::longest_distance(tree));
  }

  EXPECT_EQ(eccentricity_bound(path(1001, false, 3), 3000), 3000);
  EXPECT_EQ(eccentricity_bound(path(1001, true, 3), 3000), 3000) << "components of one vertex";
  EXPECT_EQ(eccentricity_bound(path(2, false, 7), 7), 7);
}

TEST(EccentricityBound, ASecondCentreIsTriedWhereTheFirstIsNotEnough) {
  // A ring of 100 whose vertex 0 has most arcs, and a path of 60 from vertex 50.
  GraphBuilder builder(162, false);
  for (Vertex v = 0; v < 100; ++v) builder.add_edge(v, (v + 1) % 100, 1);
  for (Vertex v = 100; v < 160; ++v) builder.add_edge(v == 100 ? 50 : v - 1, v, 1);
  builder.add_edge(0, 160, 1);
  builder.add_edge(0, 161, 1);
  const Graph graph = std::move(builder).build();
  const double longest = verifier::longest_distance(graph);
  const double first = eccentricity_bound(graph, kInfinity);
  EXPECT_LT(eccentricity_bound(graph, first - 1), first);
  EXPECT_EQ(eccentricity_bound(graph, longest / 2), first) << "in vain";
  const std::vector<double> limits = {longest / 2, first - 1};
  EXPECT_EQ(eccentricity_bound(graph, limits), eccentricity_bound(graph, first - 1));
}

TEST(EccentricityBound, AddsUpAlongTheCondensation) {
  // Two cycles of three, joined by two arcs of which the lighter one counts, and one more vertex
  // after them.
  const Graph graph = graph_of(7, {{0, 1, 1},
                                   {1, 2, 1},
                                   {2, 0, 1},
                                   {3, 4, 5},
                                   {4, 5, 5},
                                   {5, 3, 5},
                                   {0, 3, 100},
                                   {1, 3, 20},
                                   {4, 6, 9}});
  const double bound = eccentricity_bound(graph, kInfinity);
  EXPECT_EQ(verifier::longest_distance(graph), 2 + 20 + 5 + 9);
  EXPECT_EQ(bound, 4 + 20 + 20 + 9);
}

TEST(EccentricityBound, OfADirectedCycleIsLessThanTwiceAround) {
  const Graph graph = generate({.kind = GraphKind::cycle, .vertices = 500, .directed = true});
  const double longest = verifier::longest_distance(graph);
  const double bound = eccentricity_bound(graph, kInfinity);
  EXPECT_GE(bound, longest);
  EXPECT_LE(bound, 2 * longest);
}

TEST(EccentricityBound, HeavyArcsThatNoShortestPathTakesDoNotCount) {
  EXPECT_EQ(
      eccentricity_bound(
          graph_of(3, {{0, 1, 2}, {0, 1, 1e9}, {1, 2, 3}, {0, 2, 1e12}, {2, 2, 1e15}}, false), 5),
      5);
}

TEST(EccentricityBound, NegativeWeightsHaveNone) {
  EXPECT_EQ(eccentricity_bound(graph_of(2, {{0, 1, -1}}), kInfinity), kInfinity);
  EXPECT_EQ(eccentricity_bound(Graph(), kInfinity), 0);
}

TEST(EccentricityBound, SumsThatOverflowAreNoBound) {
  const Graph graph = graph_of(3, {{0, 1, 1e308}, {1, 2, 1e308}, {2, 0, 1e308}});
  EXPECT_EQ(eccentricity_bound(graph, kInfinity), kInfinity);
}

TEST(EccentricityBound, IsCancelled) {
  Cancellation cancellation;
  cancellation.request();
  const Control control{.cancellation = &cancellation};
  EXPECT_ERROR(interrupted, eccentricity_bound(path(9, false), 1, control));
}

// Bounds of dense graphs compared with all distances of the textbook algorithm.
TEST(HopBound, HoldsAndDoesNotDependOnThreads) {
  for (const bool directed : {false, true}) {
    for (const bool real : {false, true}) {
      for (const std::int64_t arcs : {60, 300, 2500}) {
        const Graph graph = random_graph(
            {.n = 50, .arcs = arcs, .greatest = 100, .real = real, .directed = directed});
        const double longest = verifier::longest_distance(graph);
        const double bound = hop_bound(graph, longest, 1);
        EXPECT_GE(bound, longest);
        for (const int threads : {2, 7}) EXPECT_EQ(hop_bound(graph, longest, threads), bound);
        if (arcs == 2500) {
          EXPECT_LE(bound, 4 * longest);
        }
      }
    }
  }
}

TEST(HopBound, EndsOnceItIsEnough) {
  const Graph graph = random_graph({.n = 50, .arcs = 5000, .greatest = 100, .directed = false});
  EXPECT_LE(hop_bound(graph, 200, 2), 200);
  EXPECT_GT(hop_bound(graph, 200, 2), hop_bound(graph, verifier::longest_distance(graph), 2))
      << "further hops find shorter ways";
}

Graph path(std::int64_t n) {
  GraphBuilder builder(n, false);
  for (Vertex v = 0; v + 1 < n; ++v) builder.add_edge(v, v + 1, 1);
  return std::move(builder).build();
}

TEST(HopBound, ReachesAsFarAsItsHops) {
  const std::int64_t n = kMostHops + 2;  // the centre is the second vertex
  EXPECT_GE(hop_bound(path(n), 100, 2), kMostHops + 1);
  EXPECT_EQ(hop_bound(path(n + 1), 100, 2), kInfinity);
  EXPECT_EQ(hop_bound(graph_of(3, {{0, 1, 1}}), 100, 2), kInfinity) << "no way back";
}

TEST(HopBound, IsInfiniteWhereItDoesNotLook) {
  EXPECT_EQ(hop_bound(graph_of(2, {{0, 1, -1}, {1, 0, 1}}), 100, 1), kInfinity);
  EXPECT_EQ(hop_bound(Graph(), 100, 1), 0);
  EXPECT_EQ(hop_bound(graph_of(1, {}), 100, 1), 0);
}

TEST(HopBound, OfAMatrix) {
  const auto values =
      std::make_shared<std::vector<float>>(std::vector<float>{0, 5, 9, 1, 0, 1, 2, 7, 0});
  for (const bool by_columns : {false, true}) {
    GraphBuilder builder(3);
    builder.set_matrix({.type = ValueType::f32,
                        .n = 3,
                        .by_columns = by_columns,
                        .data = values->data(),
                        .owner = values});
    const Graph graph = std::move(builder).build();
    ASSERT_NE(graph.matrix(), nullptr);
    if (by_columns) {
      EXPECT_EQ(hop_bound(graph, 8, 2), kInfinity);
    } else {
      EXPECT_GE(hop_bound(graph, 8, 2), verifier::longest_distance(graph));
      EXPECT_LE(hop_bound(graph, 8, 2), 14);
    }
  }
}

TEST(HopBound, IsCancelled) {
  Cancellation cancellation;
  cancellation.request();
  const Control control{.cancellation = &cancellation};
  EXPECT_ERROR(interrupted, hop_bound(path(9), 1, 2, control));
}

}  // namespace
}  // namespace apsp::eccentricity_bound_test
