#include "paths/essential_arcs.hpp"

#include "paths/paths.hpp"
#include "support/graph_of.hpp"
#include "support/random_graph.hpp"
#include "support/test.hpp"
#include "support/vector_store.hpp"

namespace apsp::paths::essential_arcs_test {
namespace {

/// Rows of all sources, from all arcs of the graph.
std::vector<std::int32_t> from_all_arcs(const Graph& graph, const store::VectorStore& matrix) {
  const store::Layout& layout = matrix.layout();
  std::vector<std::int32_t> found;
  for (Vertex s = 0; s < static_cast<Vertex>(layout.n); ++s) {
    const auto row = predecessors(graph, layout.semiring, layout.type, s, read_row(matrix, s));
    found.insert(found.end(), row.begin(), row.end());
  }
  return found;
}

TEST(EssentialArcs, GiveTheTreesOfAllArcs) {
  std::map<Semiring, int> used;
  for (const Semiring semiring : all_semirings()) {
    for (const ValueType type : all_value_types()) {
      if (!supported(semiring, type)) continue;
      for (std::uint64_t seed = 0; seed < 8; ++seed) {
        SCOPED_TRACE(std::string(name(semiring)) + " " + std::string(name(type)) + " " +
                     std::to_string(seed));
        const bool longest = semiring == Semiring::max_plus;
        const bool real = seed % 4 == 3 && (type == ValueType::f32 || type == ValueType::f64);
        const Graph graph = random_graph(
            40 + static_cast<std::int64_t>(seed), 1500, seed % 2 == 0 ? 0.0 : 1.0,
            seed % 4 < 2 ? 5.0 : 5000.0,
            {.real = real, .directed = longest || seed % 3 != 0, .acyclic = longest, .seed = seed});
        store::VectorStore matrix = store::solved(graph, semiring, type);
        used[semiring] += EssentialArcs(graph, matrix, 2, {}).empty() ? 0 : 1;
        write_predecessors(graph, matrix, matrix, 2, {});
        EXPECT_EQ(matrix.predecessor, from_all_arcs(graph, matrix));
      }
    }
  }
  for (const Semiring semiring : {Semiring::min_plus, Semiring::max_min, Semiring::min_max}) {
    EXPECT_GT(used[semiring], 0) << name(semiring);
  }
  EXPECT_EQ(used[Semiring::or_and], 0);
}

/// Arcs w + h(u) − h(v): negative arcs, no negative cycle, and many cycles of weight zero.
Graph with_potentials(std::int64_t n, bool real) {
  std::vector<Edge> edges;
  for (Vertex u = 0; u < n; ++u) {
    for (Vertex v = 0; v < n; ++v) {
      if (u == v) continue;
      const double weight = (u * 7 + v * 3) % 11 + (u % 5) * 2.0 - (v % 5) * 2.0;
      edges.push_back({u, v, real ? weight / 10 : weight});
    }
  }
  return graph_of(n, edges);
}

TEST(EssentialArcs, ServeNegativeWholeWeights) {
  const Graph graph = with_potentials(41, false);
  ASSERT_LT(graph.weight_facts().least, 0);
  for (const ValueType type : {ValueType::i32, ValueType::f32, ValueType::f64}) {
    store::VectorStore matrix = store::solved(graph, Semiring::min_plus, type);
    EXPECT_FALSE(EssentialArcs(graph, matrix, 1, {}).empty());
    write_predecessors(graph, matrix, matrix, 1, {});
    EXPECT_EQ(matrix.predecessor, from_all_arcs(graph, matrix));
  }
}

TEST(EssentialArcs, DoNotServeSparseGraphsAndRoundedSumsOfBothSigns) {
  const Graph sparse = random_graph({.n = 60, .arcs = 300, .least = 1, .greatest = 900});
  const store::VectorStore matrix = store::solved(sparse, Semiring::min_plus, ValueType::i32);
  EXPECT_TRUE(EssentialArcs(sparse, matrix, 1, {}).empty());
  EXPECT_FALSE(
      EssentialArcs::may_pay(with_potentials(41, true), Semiring::min_plus, ValueType::f64));
  EXPECT_TRUE(
      EssentialArcs::may_pay(with_potentials(41, false), Semiring::min_plus, ValueType::f64));
}

TEST(EssentialArcs, AreFewOfRandomWeightsAndFitTheirBytes) {
  const Graph graph = random_graph({.n = 100, .arcs = 9000, .least = 1, .greatest = 1e6});
  const store::VectorStore matrix = store::solved(graph, Semiring::min_plus, ValueType::i32);
  const EssentialArcs arcs(graph, matrix, 2, {});
  EXPECT_GT(arcs.count(), 99);
  EXPECT_LT(arcs.count(), 1500);
  EXPECT_LE(arcs.count() * std::int64_t{sizeof(Arc)}, EssentialArcs::bytes(100, 9000));
  for (Vertex u = 0; u < 100; ++u) {
    double before = 0;
    arcs.for_each_arc(u, 1e5, [&](Vertex, double weight) {
      EXPECT_LE(before, weight);
      EXPECT_LE(weight, 1e5);
      before = weight;
    });
  }
}

TEST(EssentialArcs, DistancesOfAnotherGraphAreRefused) {
  const Graph graph = random_graph({.n = 40, .arcs = 1400, .least = 1, .greatest = 900});
  store::VectorStore matrix = store::solved(graph, Semiring::min_plus, ValueType::i32);
  matrix.as<std::int32_t>()[13 * 40 + 4] -= 1;
  EXPECT_ERROR(input, write_predecessors(graph, matrix, matrix, 2, {}));
}

}  // namespace
}  // namespace apsp::paths::essential_arcs_test
