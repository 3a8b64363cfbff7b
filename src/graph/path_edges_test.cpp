#include "graph/distance_bounds.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "base/random.hpp"
#include "graph/negative_cycle.hpp"
#include "support/graph_of.hpp"
#include "support/random_graph.hpp"

namespace apsp {
namespace {

constexpr std::int64_t kEnough = 167;

std::int64_t edges_found(const Graph& graph, double sign = 1) {
  return path_edges(graph, {.sign = sign}, kEnough);
}

/// The path 0 – 1 – … – n − 1 in one direction or both.
Graph chain(std::int64_t n, bool directed, bool backwards = false, double weight = 0.1) {
  std::vector<Edge> edges;
  for (Vertex v = 0; v + 1 < n; ++v) {
    edges.push_back(backwards ? Edge{v + 1, v, weight} : Edge{v, v + 1, weight});
  }
  return graph_of(n, edges, directed);
}

/// A complete graph with weight(u, v) for u ≠ v.
template <class T, class Weight>
Graph dense_graph(std::int64_t n, bool by_columns, Weight&& weight) {
  const auto values = std::make_shared<std::vector<T>>(static_cast<std::size_t>(n * n), T(0));
  for (std::int64_t i = 0; i < n * n; ++i) {
    const std::int64_t line = i / n, place = i % n;
    if (line == place) continue;
    (*values)[static_cast<std::size_t>(i)] =
        static_cast<T>(by_columns ? weight(place, line) : weight(line, place));
  }
  GraphBuilder builder(n);
  builder.set_matrix({.type = sizeof(T) == 4 ? ValueType::f32 : ValueType::f64,
                      .n = n,
                      .by_columns = by_columns,
                      .data = values->data(),
                      .owner = values});
  return std::move(builder).build();
}

TEST(PathEdges, OfFewVerticesAreThoseOfAPathThroughAll) {
  EXPECT_EQ(edges_found(Graph()), 0);
  EXPECT_EQ(edges_found(graph_of(1, {})), 0);
  EXPECT_EQ(edges_found(graph_of(168, {})), 167);
}

TEST(PathEdges, OfAChainAreMoreThanEnough) {
  for (const bool directed : {false, true}) {
    for (const bool backwards : {false, true}) {
      EXPECT_GT(edges_found(chain(5000, directed, backwards)), kEnough);
      // One-way chains: a search finds only the vertices after its source.
      EXPECT_GE(path_edges(chain(5000, directed, backwards), {}, 4998), directed ? 2500 : 4999);
    }
  }
  EXPECT_GT(edges_found(chain(5000, true, false, -0.1), -1), kEnough) << "longest paths";
}

TEST(PathEdges, OfAnyComponentCount) {
  // 400 pairs, and a chain of 300 among them.
  std::vector<Edge> edges;
  for (Vertex v = 0; v < 800; v += 2) edges.push_back({v, v + 1, 0.5});
  for (Vertex v = 800; v + 1 < 1100; ++v) edges.push_back({v, v + 1, 0.5});
  EXPECT_GT(edges_found(graph_of(1100, edges, false)), kEnough);
}

TEST(PathEdges, ThatAreShortcutsAreFew) {
  // A chain whose first vertex has an arc to each.
  std::vector<Edge> edges;
  for (Vertex v = 0; v + 1 < 3000; ++v) edges.push_back({v, v + 1, 1.5});
  for (Vertex v = 1; v < 3000; ++v) edges.push_back({0, v, 0.25});
  EXPECT_LE(edges_found(graph_of(3000, edges, false)), 2);
}

TEST(PathEdges, OfRandomGraphsAreFew) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Graph sparse =
        random_graph({.n = 3000, .arcs = 20000, .greatest = 100, .real = true, .seed = seed});
    EXPECT_LE(edges_found(sparse), 60);
  }
}

TEST(PathEdges, OfRandomMatricesAreFew) {
  base::SplitMix64 random(7);
  for (const std::int64_t n : {169, 200, 400, 1000}) {
    for (int i = 0; i < 8; ++i) {
      const Graph graph =
          dense_graph<float>(n, i % 2 == 1, [&](auto, auto) { return 0.01 + random.uniform(); });
      ASSERT_NE(graph.matrix(), nullptr);
      EXPECT_LE(edges_found(graph), 100) << n;
    }
  }
}

TEST(PathEdges, OfADenseChainAreMany) {
  // Neighbours are near, and every other arc is a little longer than the way along the chain.
  const auto along = [](std::int64_t u, std::int64_t v) {
    return 0.1 * static_cast<double>(std::abs(u - v)) * (std::abs(u - v) == 1 ? 1 : 1.001);
  };
  for (const bool by_columns : {false, true}) {
    EXPECT_GT(edges_found(dense_graph<double>(200, by_columns, along)), kEnough);
    EXPECT_GT(edges_found(dense_graph<float>(1500, by_columns, along)), kEnough);
  }
}

TEST(PathEdges, OfAMatrixAreFoundWhereFewVerticesReachAny) {
  // 36 of 100 vertices have arcs, and the shortest paths there take every vertex on the way.
  const Graph graph = dense_graph<float>(100, false, [](std::int64_t u, std::int64_t v) {
    const bool there = 27 <= u && u < v && v < 63;
    return there ? static_cast<float>((v - u) * (v - u)) : WeightMatrix::no_arc<float>();
  });
  ASSERT_NE(graph.matrix(), nullptr);
  EXPECT_GT(path_edges(graph, {}, 10), 10);
  EXPECT_GE(path_edges(graph, {}, 0), 1) << "an arc is a path";
}

TEST(PathEdges, OfSignedWeightsFollowTheirPotentials) {
  std::vector<Edge> edges;
  for (Vertex v = 0; v + 1 < 1000; ++v) edges.push_back({v, v + 1, v % 2 == 0 ? 0.75 : -0.5});
  const Graph graph = graph_of(1000, edges);
  const Potentials found = potentials(graph);
  ASSERT_FALSE(found.cycle);
  EXPECT_GT(path_edges(graph, {.sign = 1, .potentials = found.h}, kEnough), kEnough);
}

TEST(PathEdges, OfLongestPathsAreThoseOfTheLongestChain) {
  EXPECT_GT(edges_found(chain(1000, true), -1), kEnough);
  std::vector<Edge> edges;
  for (Vertex v = 1; v < 1000; ++v) edges.push_back({0, v, 0.5});
  EXPECT_EQ(edges_found(graph_of(1000, edges), -1), 1);
}

}  // namespace
}  // namespace apsp
