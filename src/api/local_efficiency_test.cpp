// Local efficiency against sums over pairs of neighbours.
#include <apsp/local_efficiency.hpp>

#include "support/graph_of.hpp"
#include "support/random_graph.hpp"
#include "support/test.hpp"
#include "support/textbook.hpp"

namespace apsp::local_efficiency_test {
namespace {

double expected(const Graph& graph, Vertex v, bool weighted) {
  std::map<Vertex, double> length;  // of the edges to neighbours
  graph.for_each_arc(v, [&](Vertex to, double w) { length.emplace(to, w); });
  std::vector<Edge> inside;
  graph.visit_all([&](Vertex from, Vertex to, double w) {
    if (length.contains(from) && length.contains(to))
      inside.push_back({from, to, weighted ? std::cbrt(w) : 1});
  });
  const Graph part = graph_of(graph.vertex_count(), inside);
  const std::vector<double> d = verifier::floyd_warshall(part, Semiring::min_plus);
  double sum = 0;
  for (const auto& [a, to_a] : length) {
    for (const auto& [b, to_b] : length) {
      const double apart = d[a * static_cast<std::size_t>(graph.vertex_count()) + b];
      if (a != b) sum += 1 / apart / (weighted ? std::cbrt(to_a * to_b) : 1);
    }
  }
  const auto k = static_cast<double>(length.size());
  return k < 2 ? 0 : sum / (k * (k - 1));
}

TEST(LocalEfficiency, IsThatOfItsDefinition) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const std::int64_t n = 1 + static_cast<std::int64_t>(seed % 17);
    const Graph graph = random_graph(n, n * static_cast<std::int64_t>(seed % 5), 1, 6,
                                     {.directed = false, .seed = seed});
    for (const bool weighted : {false, true}) {
      const auto found = local_efficiency(graph, {.weighted = weighted, .threads = 2});
      for (Vertex v = 0; v < n; ++v) {
        EXPECT_NEAR(found[v], expected(graph, v, weighted), 1e-13) << seed << ' ' << v;
      }
    }
  }
}

TEST(LocalEfficiency, OfManyNeighboursWithFewEdgesOrMany) {
  const Vertex n = 150;
  for (const std::uint64_t share : {0, 1, 40}) {  // percent, beside a wheel
    base::SplitMix64 random(share);
    std::vector<Edge> edges;
    for (Vertex v = 1; v < n; ++v) {
      edges.push_back({0, v, 1});
      if (v > 1) edges.push_back({v - 1, v, 1});
      for (Vertex u = 1; u < v; ++u) {
        if (random.below(100) < share) edges.push_back({u, v, 1});
      }
    }
    const Graph graph = graph_of(n, edges, false);
    const auto found = local_efficiency(graph);
    for (const Vertex v : {Vertex{0}, Vertex{7}}) {
      EXPECT_NEAR(found[v], expected(graph, v, false), 1e-13) << share;
    }
    EXPECT_NEAR(local_efficiency(graph, {.weighted = true})[0], found[0], 1e-13);
  }
}

TEST(LocalEfficiency, RefusesDirectionsAndWeightsOfZero) {
  const Graph directed = graph_of(3, {{0, 1, 1}, {1, 2, 1}});
  EXPECT_EQ(error_of([&] { local_efficiency(directed); }).kind(), ErrorKind::usage);
  const Graph zero = graph_of(3, {{0, 1, 0}, {1, 2, 1}}, false);
  EXPECT_EQ(error_of([&] { local_efficiency(zero, {.weighted = true}); }).kind(), ErrorKind::usage);
  EXPECT_EQ(local_efficiency(zero).size(), 3U);
  EXPECT_EQ(error_of([&] { local_efficiency(zero, {.memory = 1}); }).kind(),
            ErrorKind::does_not_fit);
  EXPECT_TRUE(local_efficiency(graph_of(0, {}, false)).empty());
}

}  // namespace
}  // namespace apsp::local_efficiency_test
