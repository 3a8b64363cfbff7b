#include "graph/components.hpp"

#include <apsp/graph.hpp>

#include "support/test.hpp"

namespace apsp::components_test {
namespace {

Graph build(std::int64_t n, bool directed, std::initializer_list<std::pair<Vertex, Vertex>> pairs) {
  GraphBuilder builder(n, directed);
  for (const auto& [from, to] : pairs) builder.add_edge(from, to);
  return std::move(builder).build();
}

TEST(WeakComponents, AreNumberedByLeastVertex) {
  const Components c = weak_components(build(7, true, {{5, 1}, {4, 2}, {2, 4}, {6, 5}, {3, 3}}));
  EXPECT_EQ(c.count, 4);
  EXPECT_THAT(c.of, ElementsAre(0, 1, 2, 3, 2, 1, 1));
}

TEST(WeakComponents, NoVertexAndOneVertex) {
  EXPECT_EQ(weak_components(Graph()).count, 0);
  EXPECT_THAT(weak_components(build(1, true, {})).of, ElementsAre(0));
}

TEST(StrongComponents, FollowDirections) {
  // 0 → 1 → 2 → 0, 2 → 3 → 4 → 3, and the vertex 5 with a loop.
  const Components c =
      strong_components(build(6, true, {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}, {4, 3}, {5, 5}}));
  EXPECT_EQ(c.count, 3);
  EXPECT_THAT(c.of, ElementsAre(0, 0, 0, 1, 1, 2));
}

TEST(StrongComponents, AreTheWeakOnesOfAnUndirectedGraph) {
  const Graph graph = generate({.vertices = 300, .probability = 0.004, .directed = false});
  const Components weak = weak_components(graph);
  EXPECT_GT(weak.count, 10);
  EXPECT_EQ(strong_components(graph).of, weak.of);
}

TEST(StrongComponents, ALongPathNeedsNoDeepStack) {
  EXPECT_EQ(strong_components(generate({.kind = GraphKind::path, .vertices = 200000})).count,
            200000);
  EXPECT_EQ(strong_components(generate({.kind = GraphKind::cycle, .vertices = 200000})).count, 1);
}

std::vector<bool> reachable_from(const Graph& graph, Vertex source) {
  std::vector<bool> seen(static_cast<std::size_t>(graph.vertex_count()), false);
  std::vector<Vertex> open = {source};
  seen[source] = true;
  while (!open.empty()) {
    const Vertex v = open.back();
    open.pop_back();
    for (const Vertex to : graph.targets(v)) {
      if (!seen[to]) open.push_back(to);
      seen[to] = true;
    }
  }
  return seen;
}

TEST(StrongComponents, AreMutualReachability) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Graph graph = generate({.vertices = 23, .probability = 0.06, .seed = seed});
    std::vector<std::vector<bool>> reach;
    for (Vertex v = 0; v < 23; ++v) reach.push_back(reachable_from(graph, v));
    const Components c = strong_components(graph);
    for (Vertex u = 0; u < 23; ++u) {
      for (Vertex v = 0; v < 23; ++v) {
        EXPECT_EQ(c.of[u] == c.of[v], reach[u][v] && reach[v][u]) << seed << ' ' << u << ' ' << v;
      }
    }
  }
}

TEST(LargestOfSeveral, IsEmptyForOneComponentAndElseTheLargest) {
  for (const double probability : {0.02, 0.08, 0.9}) {  // the last: dense, and seen to be one
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
      const Graph graph = generate({.vertices = 50, .probability = probability, .seed = seed});
      const Components all = strong_components(graph);
      const auto found = graph::largest_of_several(graph);
      ASSERT_EQ(found.has_value(), all.count > 1);
      if (!found) continue;
      const std::vector<std::int64_t> sizes = all.sizes();
      EXPECT_EQ(found->components, all.count);
      EXPECT_EQ(found->size(), *std::max_element(sizes.begin(), sizes.end()));
      for (const Vertex v : found->vertices) {
        EXPECT_EQ(all.of[v], all.of[found->vertices.front()]);
        EXPECT_EQ(found->holds[v], 1);
      }
    }
  }
  // Dense, and no arc leads back to vertex 0.
  GraphBuilder builder(40, true);
  for (Vertex u = 0; u < 40; ++u) {
    for (Vertex v = 1; v < 40; ++v) builder.add_edge(u, v);
  }
  const auto found = graph::largest_of_several(std::move(builder).build());
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->size(), 39);
  EXPECT_FALSE(graph::largest_of_several(Graph()));
}

}  // namespace
}  // namespace apsp::components_test
