// Minimum degree against elimination by hand, on sets.
#include "sparse/minimum_degree.hpp"

#include "sparse/order.hpp"
#include "sparse/tree.hpp"
#include "support/elimination_by_hand.hpp"
#include "support/graph_of.hpp"
#include "support/random_graph.hpp"
#include "support/test.hpp"

namespace apsp::sparse::minimum_degree_test {
namespace {

/// Edges of the factor by an order whose every vertex has the least degree.
std::size_t entries_by_hand(Neighbours graph) {
  std::set<Vertex> left;
  for (Vertex v = 0; v < graph.size(); ++v) left.insert(v);
  std::size_t entries = 0;
  while (!left.empty()) {
    const Vertex v = *std::min_element(left.begin(), left.end(), [&](Vertex a, Vertex b) {
      return graph[a].size() < graph[b].size();
    });
    left.erase(v);
    entries += eliminate_by_hand(graph, v);
  }
  return entries;
}

Pattern pattern_of_random(std::int64_t n, std::int64_t arcs, std::uint64_t seed) {
  return pattern_of(random_graph({.n = n, .arcs = arcs, .seed = seed}));
}

/// Half of the vertices are joined with each other often, the others with few of them.
Pattern with_hubs(std::int64_t n) {
  base::SplitMix64 random(4);
  std::vector<Edge> edges;
  const auto hub = [&] {
    return static_cast<Vertex>(random.below(static_cast<std::uint64_t>(n) / 4));
  };
  for (std::int64_t i = 0; i < 30 * n; ++i) edges.push_back({hub(), hub()});
  for (std::int64_t v = n / 4; v < n; ++v) {
    for (int i = 0; i < 3; ++i) edges.push_back({static_cast<Vertex>(v), hub()});
  }
  return pattern_of(graph_of(n, edges));
}

TEST(MinimumDegree, EliminatesAllButWhatIsDenseInTheEnd) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const auto n = static_cast<std::int64_t>(seed % 53);
    const Pattern pattern = pattern_of_random(n, n * static_cast<std::int64_t>(seed % 7) / 3, seed);
    const MinimumDegree found = minimum_degree(pattern, 0.5);
    EXPECT_TRUE(std::is_sorted(found.rest.begin(), found.rest.end()));
    Neighbours graph = neighbours_of(pattern);
    auto left = static_cast<double>(n);
    for (const Vertex v : found.eliminated) {
      EXPECT_LE(static_cast<double>(eliminate_by_hand(graph, v)), std::max(2.0, 0.5 * left));
      --left;
    }
    std::vector<Vertex> all = found.eliminated;
    all.insert(all.end(), found.rest.begin(), found.rest.end());
    EXPECT_EQ(std::ssize(order_of(std::move(all)).vertex_at), n);
  }
}

TEST(MinimumDegree, MakesFactorsAboutAsSmallAsByHand) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Pattern pattern = pattern_of_random(150, 260, seed);
    const MinimumDegree found = minimum_degree(pattern, 1);
    std::vector<Vertex> all = found.eliminated;
    all.insert(all.end(), found.rest.begin(), found.rest.end());
    Neighbours graph = neighbours_of(pattern);
    std::size_t entries = 0;
    for (const Vertex v : all) entries += eliminate_by_hand(graph, v);
    EXPECT_LE(static_cast<double>(entries),
              1.15 * static_cast<double>(entries_by_hand(neighbours_of(pattern))));
  }
}

TEST(MinimumDegree, LeavesHubsToTheEnd) {
  const Pattern pattern = with_hubs(400);
  EXPECT_GT(share_of_hubs(pattern), 0.5);
  const MinimumDegree found = minimum_degree(pattern, 0.5);
  EXPECT_GE(std::ssize(found.rest), 90);
  EXPECT_LT(std::ssize(found.rest), 130);
  EXPECT_LT(*std::max_element(found.rest.begin(), found.rest.end()), 130u);
}

TEST(MinimumDegree, OrdersGraphsOfHubsWithTheRestAsOneSupernode) {
  const Pattern pattern = with_hubs(400);
  const Tree tree(pattern, nested_dissection(pattern));
  EXPECT_GE(tree.width(tree.supernodes() - 1), 90);
}

TEST(MinimumDegree, FindsNoHubsInAGrid) {
  std::vector<Edge> edges;
  for (Vertex i = 0; i < 400; ++i) {
    if (i % 20 != 19) edges.push_back({i, i + 1});
    if (i + 20 < 400) edges.push_back({i, i + 20});
  }
  EXPECT_EQ(share_of_hubs(pattern_of(graph_of(400, edges))), 0);
}

}  // namespace
}  // namespace apsp::sparse::minimum_degree_test
