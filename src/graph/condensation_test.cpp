#include "graph/components.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/graph_of.hpp"
#include "support/random_graph.hpp"
#include "support/textbook.hpp"

namespace apsp::graph {
namespace {

using testing::ElementsAre;

TEST(Condensation, HoldsTheVerticesOfEachComponent) {
  const Graph graph = graph_of(5, {{0, 2, 1}, {2, 0, 1}, {2, 1, 7}, {3, 4, 1}, {4, 3, 1}});
  const Condensation condensation(graph);
  ASSERT_EQ(condensation.count(), 3U);
  EXPECT_THAT(condensation.vertices(condensation.of(2)), ElementsAre(0, 2));
  EXPECT_THAT(condensation.vertices(condensation.of(1)), ElementsAre(1));
  EXPECT_THAT(condensation.vertices(condensation.of(3)), ElementsAre(3, 4));
}

TEST(Condensation, TakesTheLightestArcBetweenTwoAndTheLongestWay) {
  // {0, 1} → {2, 3} by 9 and by 4, {0, 1} → {4} by 1, {4} → {2, 3} by 2.
  const Graph graph = graph_of(
      5, {{0, 1, 1}, {1, 0, 1}, {2, 3, 1}, {3, 2, 1}, {0, 2, 9}, {1, 3, 4}, {0, 4, 1}, {4, 2, 2}});
  const Condensation condensation(graph);
  EXPECT_EQ(condensation.longest_path({10, 100, 0}), 10 + 4 + 100);
  EXPECT_EQ(condensation.longest_path({10, 100, 5}), 10 + 1 + 5 + 2 + 100);
  EXPECT_EQ(Condensation(Graph()).longest_path({}), 0);
}

TEST(Condensation, BoundsTheDistancesOfAcyclicGraphs) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Graph graph = random_graph({.n = 40, .arcs = 90, .acyclic = true, .seed = seed});
    EXPECT_GE(Condensation(graph).longest_path(std::vector<double>(40, 0)),
              verifier::longest_distance(graph));
  }
}

}  // namespace
}  // namespace apsp::graph
