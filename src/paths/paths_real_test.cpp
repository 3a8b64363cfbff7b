// Paths over rounded distances: they must be real, simple, and as short as double precision can
// tell, whatever the rounding of the matrix.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "paths/paths.hpp"
#include "support/error_of.hpp"
#include "support/graph_of.hpp"
#include "support/random_graph.hpp"
#include "support/vector_store.hpp"

namespace apsp::paths {
namespace {

constexpr long double kInfinity = std::numeric_limits<long double>::infinity();

/// Bellman-Ford in extended precision, on sign · weight.
std::vector<long double> true_lengths(const Graph& graph, Vertex source, double sign) {
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  std::vector<long double> length(n, kInfinity);
  length[source] = 0;
  for (std::size_t round = 0; round < n; ++round) {
    for (Vertex u = 0; u < n; ++u) {
      for (std::size_t arc = 0; arc < graph.targets(u).size(); ++arc) {
        const Vertex v = graph.targets(u)[arc];
        length[v] = std::min(length[v], length[u] + sign * graph.weights(u)[arc]);
      }
    }
  }
  return length;
}

long double best_arc(const Graph& graph, Vertex u, Vertex v, double sign) {
  long double best = kInfinity;
  for (std::size_t arc = 0; arc < graph.targets(u).size(); ++arc) {
    if (graph.targets(u)[arc] != v) continue;
    best = std::min(best, static_cast<long double>(sign * graph.weights(u)[arc]));
  }
  return best;
}

/// `scale`: what a length's rounding is measured by; 0: the length itself.
void expect_shortest_paths(const Graph& graph, Semiring semiring, ValueType type,
                           double scale = 0) {
  const double sign = semiring == Semiring::max_plus ? -1 : 1;
  const store::VectorStore matrix = store::solved(graph, semiring, type);
  const auto n = static_cast<Vertex>(graph.vertex_count());
  for (Vertex s = 0; s < n; ++s) {
    const std::vector<double> row = read_row(matrix, s);
    const auto predecessor = predecessors(graph, semiring, type, s, row);
    const std::vector<long double> truth = true_lengths(graph, s, sign);
    for (Vertex t = 0; t < n; ++t) {
      const std::vector<Vertex> path = walk_back(predecessor, s, t);
      ASSERT_EQ(path.empty(), std::isinf(row[t]));
      if (path.empty()) continue;
      ASSERT_EQ(path.front(), s);
      ASSERT_EQ(path.back(), t);
      ASSERT_EQ(std::set<Vertex>(path.begin(), path.end()).size(), path.size()) << "not simple";
      long double length = 0;
      for (std::size_t hop = 0; hop + 1 < path.size(); ++hop) {
        length += best_arc(graph, path[hop], path[hop + 1], sign);
      }
      ASSERT_LT(length, kInfinity) << "no such arc";
      const long double magnitude = std::max<long double>(scale, std::abs(truth[t]));
      ASSERT_LE(length - truth[t], 8 * n * 0x1p-53L * magnitude)
          << s << " to " << t << " by " << path.size() - 1 << " edges";
    }
  }
}

TEST(RealPaths, OfRandomWeights) {
  struct Drawn {
    RandomGraph graph;
    Semiring semiring = Semiring::min_plus;
    double scale = 0;
  };
  const Drawn all[] = {
      {{.n = 40, .arcs = 130, .real = true}},
      {{.n = 40, .arcs = 130, .real = true, .directed = false}},
      {{.n = 90, .arcs = 150, .least = 0.9, .greatest = 1.1, .real = true, .directed = false}},
      {{.n = 30, .arcs = 90, .least = 0.1, .real = true, .potential = 20}, Semiring::min_plus, 100},
      {{.n = 30, .arcs = 90, .least = -2, .greatest = 5, .real = true, .acyclic = true},
       Semiring::max_plus,
       100}};
  for (Drawn drawn : all) {
    for (drawn.graph.seed = 0; drawn.graph.seed < 10; ++drawn.graph.seed) {
      const Graph graph = random_graph(drawn.graph);
      expect_shortest_paths(graph, drawn.semiring, ValueType::f32, drawn.scale);
      expect_shortest_paths(graph, drawn.semiring, ValueType::f64, drawn.scale);
    }
  }
}

/// Weights that vanish beside the distances: in f32 1e6 + 1e-3 = 1e6, so half of the graph lies at
/// one rounded distance and arcs back and forth look equally tight.
TEST(RealPaths, MixedMagnitudes) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Graph near = random_graph({.n = 20,
                                     .arcs = 60,
                                     .least = 0.5,
                                     .greatest = 1.5,
                                     .real = true,
                                     .directed = false,
                                     .seed = seed});
    GraphBuilder builder(41, false);
    for (Vertex u = 0; u < 20; ++u) {
      for (std::size_t arc = 0; arc < near.targets(u).size(); ++arc) {
        const Vertex v = near.targets(u)[arc];
        builder.add_edge(u, v, near.weights(u)[arc] * 1e-3);
        builder.add_edge(u + 20, v + 20, near.weights(u)[arc] * 1e-3);
      }
    }
    builder.add_edge(3, 25, 1e6);
    builder.add_edge(7, 29, 1e6 + 0.1);
    builder.add_edge(0, 40, 0.1);
    const Graph graph = std::move(builder).build();
    expect_shortest_paths(graph, Semiring::min_plus, ValueType::f32);
    expect_shortest_paths(graph, Semiring::min_plus, ValueType::f64);
  }
}

TEST(RealPaths, ZeroWeightCyclesAmongRealWeights) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    base::SplitMix64 random(seed);
    GraphBuilder builder(30);
    for (int arc = 0; arc < 120; ++arc) {
      const auto u = static_cast<Vertex>(random.below(30));
      const auto v = static_cast<Vertex>(random.below(30));
      builder.add_edge(u, v, arc % 2 == 0 ? 0 : random.uniform());
    }
    const Graph graph = std::move(builder).build();
    expect_shortest_paths(graph, Semiring::min_plus, ValueType::f32);
    expect_shortest_paths(graph, Semiring::min_plus, ValueType::f64);
  }
}

/// Weights h(u) − h(v): every cycle is zero, or a little below or above by rounding alone, and
/// every path from s to t is equally long. Rows are the rounded true distances.
TEST(RealPaths, CyclesThatAreZeroButForRounding) {
  constexpr Vertex kN = 24;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    base::SplitMix64 random(seed);
    std::vector<double> h;
    for (Vertex v = 0; v < kN; ++v) h.push_back(random.uniform());
    GraphBuilder builder(kN);
    for (Vertex v = 0; v < kN; ++v) {
      for (const Vertex next : {(v + 1) % kN, static_cast<Vertex>(random.below(kN))}) {
        if (v != next) builder.add_edge(v, next, h[v] - h[next]);
      }
    }
    const Graph graph = std::move(builder).build();
    for (const ValueType type : {ValueType::f32, ValueType::f64}) {
      for (Vertex s = 0; s < kN; ++s) {
        std::vector<double> row;
        for (Vertex t = 0; t < kN; ++t) {
          const double d = h[s] - h[t];
          row.push_back(type == ValueType::f32 ? static_cast<float>(d) : d);
        }
        const auto tree = predecessors(graph, Semiring::min_plus, type, s, row);
        for (Vertex t = 0; t < kN; ++t) {
          const std::vector<Vertex> path = walk_back(tree, s, t);
          ASSERT_FALSE(path.empty());
          long double length = 0;
          for (std::size_t hop = 0; hop + 1 < path.size(); ++hop) {
            length += best_arc(graph, path[hop], path[hop + 1], 1);
          }
          ASSERT_NEAR(static_cast<double>(length), h[s] - h[t], 1e-14);
        }
      }
    }
  }
}

/// Layers whose arcs differ by less than f32 can hold: every path looks equally long in the matrix,
/// and the slacks of many arcs are negative.
TEST(RealPaths, DifferencesBelowTheRoundingOfTheMatrixStillDecide) {
  constexpr Vertex kLayers = 9;
  constexpr Vertex kWidth = 4;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    base::SplitMix64 random(seed);
    GraphBuilder builder(kLayers * kWidth, seed % 2 == 0);
    for (Vertex layer = 0; layer + 1 < kLayers; ++layer) {
      for (Vertex i = 0; i < kWidth * kWidth; ++i) {
        builder.add_edge(layer * kWidth + i / kWidth, (layer + 1) * kWidth + i % kWidth,
                         0.5 + (random.uniform() - 0.5) * 1e-8);
      }
    }
    const Graph graph = std::move(builder).build();
    expect_shortest_paths(graph, Semiring::min_plus, ValueType::f32);
    if (graph.directed()) expect_shortest_paths(graph, Semiring::max_plus, ValueType::f32);
  }
}

/// The same distances, moved by a unit in the last place here and there: paths do not change.
TEST(RealPaths, RoundingOfTheMatrixLeavesNoTrace) {
  const Graph graph = random_graph({.n = 40, .arcs = 200, .least = 0.1, .real = true});
  const store::VectorStore matrix = store::solved(graph, Semiring::min_plus, ValueType::f32);
  base::SplitMix64 random(5);
  for (Vertex s = 0; s < 40; ++s) {
    std::vector<double> row = read_row(matrix, s);
    const auto expected = predecessors(graph, Semiring::min_plus, ValueType::f32, s, row);
    for (double& d : row) d *= 1 + (static_cast<double>(random.below(5)) - 2) * 0x1p-24;
    EXPECT_EQ(predecessors(graph, Semiring::min_plus, ValueType::f32, s, row), expected);
  }
}

TEST(RealPaths, DistancesOfAnotherGraphAreRefused) {
  const Graph graph = random_graph({.n = 40, .arcs = 200, .least = 0.1, .real = true});
  const store::VectorStore matrix = store::solved(graph, Semiring::min_plus, ValueType::f32);
  for (const double factor : {0.9, 1.1, std::numeric_limits<double>::infinity()}) {
    std::vector<double> row = read_row(matrix, 3);
    const auto farthest = std::max_element(row.begin(), row.end());
    ASSERT_LT(*farthest, std::numeric_limits<double>::infinity());
    *farthest *= factor;
    const bool lost = std::isinf(*farthest);
    if (lost) *farthest = 0.01;
    EXPECT_ERROR(input, predecessors(graph, Semiring::min_plus, ValueType::f32, 3, row)) << factor;
  }
  const std::vector<double> row = {0, 0.5, 1.5};
  EXPECT_THROW(predecessors(graph_of(3, {{0, 1, 0.5}}), Semiring::min_plus, ValueType::f64, 0, row),
               Error);
}

}  // namespace
}  // namespace apsp::paths
