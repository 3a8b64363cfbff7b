#include "eccentricities/bounds.hpp"

#include "support/graph_of.hpp"
#include "support/random_graph.hpp"
#include "support/test.hpp"
#include "support/textbook.hpp"

namespace apsp::eccentricities::bounds_test {
namespace {

/// All distances of a strongly connected graph, as rows from and to each vertex.
struct AllRows {
  explicit AllRows(const Graph& graph) : n(static_cast<std::size_t>(graph.vertex_count())) {
    from = verifier::floyd_warshall(graph, Semiring::min_plus);
    to.resize(n * n);
    for (std::size_t i = 0; i < n * n; ++i) to[i] = from[i % n * n + i / n];
  }
  Searched of(Vertex v) const {
    return {v, std::span(from).subspan(v * n, n), std::span(to).subspan(v * n, n)};
  }
  double eccentricity(Vertex v) const { return *std::ranges::max_element(of(v).from); }

  std::size_t n;
  std::vector<double> from, to;
};

/// A random graph with a cycle through all vertices.
Graph strong_graph(std::uint64_t seed, bool directed) {
  const std::int64_t n = 2 + static_cast<std::int64_t>(seed % 17);
  const Graph some =
      random_graph(n, 2 * n, 0, 1 + double(seed % 5), {.directed = directed, .seed = seed});
  std::vector<Edge> edges;
  some.visit_all([&](Vertex from, Vertex to, double w) { edges.push_back({from, to, w}); });
  for (Vertex v = 0; v < n; ++v) edges.push_back({v, static_cast<Vertex>((v + 1) % n), 9.0});
  return graph_of(n, edges, directed);
}

TEST(EccentricityBounds, AlwaysHoldAndDecideInTheEnd) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const Graph graph = strong_graph(seed, seed % 2 == 0);
    const AllRows rows(graph);
    double diameter = 0, radius = 1e9;
    for (Vertex v = 0; v < rows.n; ++v) {
      diameter = std::max(diameter, rows.eccentricity(v));
      radius = std::min(radius, rows.eccentricity(v));
    }
    const Goal goal{.diameter = seed % 3 != 1,
                    .radius = seed % 3 != 2,
                    .all = seed % 7 == 0,
                    .sets = seed % 5 < 2};
    Bounds bounds(graph.vertex_count(), graph.symmetric(), goal, 0, 2);
    std::vector<Vertex> round{static_cast<Vertex>(seed % rows.n)};
    std::size_t searches = 0;
    while (!round.empty()) {
      std::vector<Searched> found;
      for (const Vertex v : round) found.push_back(rows.of(v));
      searches += round.size();
      ASSERT_LE(searches, rows.n) << "seed " << seed;
      bounds.add(found);
      bounds.tighten();
      ASSERT_LE(bounds.diameter().least, diameter);
      ASSERT_GE(bounds.diameter().most, diameter) << "seed " << seed;
      ASSERT_LE(bounds.radius().least, radius) << "seed " << seed;
      ASSERT_GE(bounds.radius().most, radius);
      round = bounds.next(1 + seed % 4);
    }
    if (goal.diameter) {
      EXPECT_EQ(bounds.diameter().least, bounds.diameter().most);
    }
    if (goal.radius) {
      EXPECT_EQ(bounds.radius().least, bounds.radius().most);
    }
    for (Vertex v = 0; v < rows.n; ++v) {
      const double known = bounds.known()[v];
      if (goal.all || !std::isnan(known)) {
        EXPECT_EQ(known, rows.eccentricity(v)) << "seed " << seed;
      }
    }
  }
}

}  // namespace
}  // namespace apsp::eccentricities::bounds_test
