// Small degrees against elimination by hand, on sets.
#include "sparse/small_degrees.hpp"

#include "sparse/order.hpp"
#include "sparse/tree.hpp"
#include "support/elimination_by_hand.hpp"
#include "support/graph_of.hpp"
#include "support/random_graph.hpp"
#include "support/test.hpp"

namespace apsp::sparse::small_degrees_test {
namespace {

Pattern pattern_of_random(std::int64_t n, std::int64_t arcs, std::uint64_t seed) {
  return pattern_of(random_graph({.n = n, .arcs = arcs, .seed = seed}));
}

Pattern chain(std::int64_t n) {
  std::vector<Edge> edges;
  for (Vertex v = 1; v < static_cast<Vertex>(n); ++v) edges.push_back({v - 1, v});
  return pattern_of(graph_of(n, edges));
}

TEST(SmallDegrees, LeaveWhatEliminationByHandLeaves) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto n = static_cast<std::int64_t>(seed % 53);
    const Pattern pattern = pattern_of_random(n, n * static_cast<std::int64_t>(seed % 7) / 3, seed);
    const SmallDegrees found = eliminate_small_degrees(pattern);
    Neighbours graph = neighbours_of(pattern);
    for (const Vertex v : found.eliminated) {
      EXPECT_LE(graph[v].size(), 2u);
      eliminate_by_hand(graph, v);
    }
    ASSERT_EQ(std::ssize(found.rest), found.core.vertices());
    EXPECT_EQ(std::ssize(found.rest) + std::ssize(found.eliminated), n);
    EXPECT_TRUE(std::is_sorted(found.rest.begin(), found.rest.end()));
    for (std::size_t i = 0; i < found.rest.size(); ++i) {
      std::set<Vertex> left;
      for (const Vertex place : found.core.of(static_cast<Vertex>(i))) {
        left.insert(found.rest[place]);
      }
      EXPECT_EQ(left, graph[found.rest[i]]);
      EXPECT_EQ(found.core.degree(static_cast<Vertex>(i)), std::ssize(left)) << "none twice";
      EXPECT_GE(left.size(), 3u);
    }
  }
}

TEST(SmallDegrees, OfTreesCyclesAndNothingLeaveNothing) {
  std::vector<Edge> star, cycle;
  for (Vertex v = 1; v < 40; ++v) star.push_back({0, v});
  for (Vertex v = 0; v < 40; ++v) cycle.push_back({v, (v + 1) % 40});
  for (const Pattern& pattern : {pattern_of(graph_of(40, star)), pattern_of(graph_of(40, cycle)),
                                 chain(40), chain(2), chain(1), pattern_of(graph_of(0, {}))}) {
    const SmallDegrees found = eliminate_small_degrees(pattern);
    EXPECT_TRUE(found.rest.empty());
    EXPECT_EQ(std::ssize(order_of(found.eliminated).vertex_at), pattern.vertices());
  }
}

TEST(SmallDegrees, OfALongChainMakeALowTree) {
  constexpr std::int64_t kLong = 20'000;
  const Pattern pattern = chain(kLong);
  const Tree tree(pattern, order_of(eliminate_small_degrees(pattern).eliminated), false);
  const std::int64_t entries =
      tree.upper_entries() + (tree.diagonal_entries() - tree.vertices()) / 2;
  EXPECT_LE(entries, 2 * kLong);
  EXPECT_LE(tree.height(), 100);
}

TEST(SmallDegrees, OfAHubCostOneLookAtItsEdges) {
  std::vector<Edge> wheel;  // spokes of two edges between two hubs, and leaves
  constexpr Vertex kSpokes = 200'000;
  for (Vertex v = 0; v < kSpokes; ++v) {
    wheel.push_back({0, v + 2});
    wheel.push_back({1, v + 2});
    wheel.push_back({0, v + 2 + kSpokes});
  }
  const Pattern pattern = pattern_of(graph_of(2 + 2 * std::int64_t{kSpokes}, wheel));
  EXPECT_TRUE(eliminate_small_degrees(pattern).rest.empty());
}

TEST(Order, OfNestedDissectionHoldsVerticesOfSmallDegreesFirst) {
  for (const std::int64_t n : {5, 100, 3000}) {
    const Pattern pattern = pattern_of_random(n, n * 3 / 2, 7);
    const SmallDegrees small = eliminate_small_degrees(pattern);
    const Order order = nested_dissection(pattern);
    ASSERT_GT(std::ssize(small.eliminated), n / 8);
    EXPECT_TRUE(
        std::equal(small.eliminated.begin(), small.eliminated.end(), order.vertex_at.begin()));
  }
}

}  // namespace
}  // namespace apsp::sparse::small_degrees_test
