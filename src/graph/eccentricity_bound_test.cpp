// Bounds against all distances by the textbook.
#include "graph/eccentricity_bound.hpp"

#include <gtest/gtest.h>
#include <apsp/error.hpp>
#include <apsp/generate.hpp>
#include <apsp/progress.hpp>

#include <limits>

#include "testing/error_of.hpp"
#include "testing/graph_of.hpp"
#include "testing/longest_distance.hpp"
#include "testing/random_graph.hpp"

namespace apsp {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(EccentricityBound, HoldsForGraphsOfEveryKind) {
  for (const bool directed : {false, true}) {
    for (const bool real : {false, true}) {
      for (const bool acyclic : {false, true}) {
        for (const std::int64_t arcs : {0, 40, 70, 150, 600}) {
          for (std::uint64_t seed = 0; seed < 4; ++seed) {
            const Graph graph = random_graph({.n = 60,
                                              .arcs = arcs,
                                              .greatest = 30,
                                              .real = real,
                                              .directed = directed,
                                              .acyclic = acyclic,
                                              .seed = seed});
            const double longest = longest_distance(graph);
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

TEST(EccentricityBound, OfAPathFromItsMiddleIsItsLength) {
  EXPECT_EQ(eccentricity_bound(path(1001, false, 3), 3000), 3000);
  EXPECT_EQ(eccentricity_bound(path(1001, true, 3), 3000), 3000) << "components of one vertex";
  EXPECT_EQ(eccentricity_bound(path(2, false, 7), 7), 7);
}

TEST(EccentricityBound, GivesUpOnceADistanceIsMoreThanEnough) {
  EXPECT_EQ(eccentricity_bound(path(1001, false, 3), 2999), kInfinity);
}

TEST(EccentricityBound, AddsUpAlongTheCondensation) {
  // Two cycles of three, joined by two arcs of which the lighter one counts, and a vertex behind.
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
  EXPECT_EQ(longest_distance(graph), 2 + 20 + 5 + 9);
  EXPECT_EQ(bound, 4 + 20 + 20 + 9);
}

TEST(EccentricityBound, OfADirectedCycleIsLessThanTwiceAround) {
  const Graph graph = generate({.kind = GraphKind::cycle, .vertices = 500, .directed = true});
  const double longest = longest_distance(graph);
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
  EXPECT_EQ(error_of([&] { eccentricity_bound(path(9, false), 1, control); }).kind(),
            ErrorKind::interrupted);
}

}  // namespace
}  // namespace apsp
