// The oracles against each other, and against small cases solved by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <apsp/graph.hpp>

#include "support/textbook.hpp"

namespace apsp::verifier {
namespace {

using testing::ElementsAre;

/// 0 → 1 → 2 with parallel arcs and a detour 0 → 2, a loop at 1, an isolated vertex 3.
Graph small_graph() {
  GraphBuilder builder(4);
  for (const Edge& edge : {Edge{0, 1, 2}, {0, 1, 5}, {1, 2, 3}, {0, 2, 9}, {1, 1, 4}}) {
    builder.add_edge(edge.from, edge.to, edge.weight);
  }
  return std::move(builder).build();
}

TEST(Adjacency, FoldsParallelArcsBySemiring) {
  const auto row = [](Semiring semiring) {
    const std::vector<double> all = adjacency(small_graph(), semiring);
    return std::vector(all.begin(), all.begin() + 4);
  };
  EXPECT_THAT(row(Semiring::min_plus), ElementsAre(0, 2, 9, kInfinity));
  EXPECT_THAT(row(Semiring::max_plus), ElementsAre(0, 5, 9, -kInfinity));
  EXPECT_THAT(row(Semiring::max_min), ElementsAre(kInfinity, 5, 9, -kInfinity));
  EXPECT_THAT(row(Semiring::min_max), ElementsAre(-kInfinity, 2, 9, kInfinity));
  EXPECT_THAT(row(Semiring::or_and), ElementsAre(1, 1, 1, 0));
}

TEST(FloydWarshall, ByHand) {
  const auto row = [](Semiring semiring) {
    const std::vector<double> all = floyd_warshall(small_graph(), semiring);
    return std::vector(all.begin(), all.begin() + 4);
  };
  EXPECT_THAT(row(Semiring::min_plus), ElementsAre(0, 2, 5, kInfinity));
  EXPECT_THAT(row(Semiring::max_min), ElementsAre(kInfinity, 5, 9, -kInfinity));
  EXPECT_THAT(row(Semiring::min_max), ElementsAre(-kInfinity, 2, 3, kInfinity));
  EXPECT_THAT(row(Semiring::or_and), ElementsAre(1, 1, 1, 0));
}

TEST(FloydWarshall, LongestPathOfAnAcyclicGraph) {
  GraphBuilder builder(4);
  for (const Edge& edge : {Edge{0, 1, 2}, {1, 2, 3}, {0, 2, 4}, {2, 3, -1}}) {
    builder.add_edge(edge.from, edge.to, edge.weight);
  }
  const std::vector<double> d = floyd_warshall(std::move(builder).build(), Semiring::max_plus);
  EXPECT_THAT(std::vector(d.begin(), d.begin() + 4), ElementsAre(0, 2, 5, 4));
}

TEST(FloydWarshall, NegativeCyclesShowOnTheDiagonal) {
  GraphBuilder builder(3);
  builder.add_edge(0, 1, 2);
  builder.add_edge(1, 0, -3);
  builder.add_edge(2, 2, -1);
  const std::vector<double> d = floyd_warshall(std::move(builder).build(), Semiring::min_plus);
  EXPECT_LT(d[0], 0);
  EXPECT_LT(d[4], 0);
  EXPECT_LT(d[8], 0);
}

TEST(FloydWarshall, NoVertexAndOneVertex) {
  EXPECT_TRUE(floyd_warshall(Graph(), Semiring::min_plus).empty());
  EXPECT_THAT(floyd_warshall(GraphBuilder(1).build(), Semiring::min_plus), ElementsAre(0));
}

TEST(Dijkstra, EqualsFloydWarshall) {
  for (const bool directed : {true, false}) {
    const Graph graph =
        generate({.vertices = 97, .probability = 0.03, .least_weight = 0, .directed = directed});
    const std::vector<double> d = floyd_warshall(graph, Semiring::min_plus);
    for (Vertex s = 0; s < 97; ++s) {
      EXPECT_EQ(dijkstra(graph, s), std::vector(d.begin() + 97 * s, d.begin() + 97 * (s + 1)));
    }
  }
}

TEST(Bfs, CountsHops) {
  const Graph graph = generate({.vertices = 97, .probability = 0.02, .greatest_weight = 1});
  ASSERT_TRUE(graph.weight_facts().unit);
  const std::vector<double> d = floyd_warshall(graph, Semiring::min_plus);
  for (Vertex s = 0; s < 97; ++s) {
    const std::vector<std::int64_t> hops = bfs(graph, s);
    for (Vertex v = 0; v < 97; ++v) {
      EXPECT_EQ(hops[v] < 0 ? kInfinity : static_cast<double>(hops[v]), d[97 * s + v]);
    }
  }
}

}  // namespace
}  // namespace apsp::verifier
