// Distances among the core's vertices, and from eliminated ones to them, against the textbook's.
#include "near/low_degrees.hpp"

#include <apsp/semiring.hpp>

#include "support/graph_of.hpp"
#include "support/random_graph.hpp"
#include "support/test.hpp"
#include "support/textbook.hpp"

namespace apsp::near::low_degrees_test {
namespace {

/// [n, n] from every vertex to those of the core, as the core and the eliminated vertices tell.
std::vector<double> distances_of(const CoreGraph& core, std::int64_t n) {
  const auto size = static_cast<std::size_t>(n);
  std::vector<Vertex> vertex(size);
  for (Vertex v = 0; v < size; ++v) vertex[core.number[v]] = v;
  std::vector<Edge> edges;
  for (Vertex v = 0; v < core.arcs.vertices(); ++v) {
    for (std::uint32_t a = core.arcs.first[v]; a < core.arcs.first[v + 1]; ++a) {
      const WholeArc arc = core.arcs.arcs[a];
      EXPECT_LE(arc.weight, core.arcs.greatest);
      edges.push_back({vertex[v], vertex[arc.to], static_cast<double>(arc.weight)});
    }
  }
  std::vector<double> all = verifier::floyd_warshall(graph_of(n, edges), Semiring::min_plus);
  for (std::size_t turn = core.eliminated.vertices.size(); turn > 0; --turn) {
    const Vertex v = core.eliminated.vertices[turn - 1];
    for (const WholeArc& arc : core.eliminated.arcs_of(turn - 1)) {
      EXPECT_LT(core.number[arc.to], core.number[v]);
      for (std::size_t t = 0; t < size; ++t) {
        all[v * size + t] = std::min(all[v * size + t], arc.weight + all[arc.to * size + t]);
      }
    }
  }
  return all;
}

TEST(LowDegrees, LeaveAllDistancesToTheCoreAsTheyWere) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto n = static_cast<std::int64_t>(seed % 53);
    const Graph graph = random_graph({.n = n,
                                      .arcs = n * static_cast<std::int64_t>(seed % 7) / 3,
                                      .directed = false,
                                      .seed = seed});
    ASSERT_TRUE(may_eliminate(graph));
    std::vector<Vertex> kept;
    for (Vertex v = 0; v < n; v += 5) kept.push_back(v);
    const CoreGraph core = eliminate_low_degrees(graph, kept, {});
    ASSERT_EQ(core.arcs.vertices() + std::ssize(core.eliminated.vertices), n);
    for (const Vertex v : kept) EXPECT_LT(core.number[v], core.arcs.vertices());
    const std::vector<double> expected = verifier::floyd_warshall(graph, Semiring::min_plus);
    const std::vector<double> found = distances_of(core, n);
    for (Vertex v = 0; v < n; ++v) {
      for (Vertex t = 0; t < n; ++t) {
        if (core.number[t] >= core.arcs.vertices()) continue;
        ASSERT_EQ(found[v * static_cast<std::size_t>(n) + t],
                  expected[v * static_cast<std::size_t>(n) + t])
            << seed << ": " << v << " to " << t;
      }
    }
  }
}

TEST(LowDegrees, LeaveNothingOfTreesButWhatIsKept) {
  const Graph path = generate({.kind = GraphKind::path, .vertices = 1000, .directed = false});
  const CoreGraph core = eliminate_low_degrees(path, std::vector<Vertex>{10, 700}, {});
  ASSERT_EQ(core.arcs.vertices(), 2);
  EXPECT_EQ(core.arcs.arcs.size(), 2u) << "one edge, both ways";
  EXPECT_EQ(core.eliminated.vertices.size(), 998u);
}

TEST(LowDegrees, RefuseSumsThatWouldNotBeExact) {
  EXPECT_FALSE(may_eliminate(graph_of(2, {{0, 1, 0.5}}, false)));
  EXPECT_FALSE(may_eliminate(graph_of(3, {{0, 1, 2e9}, {1, 2, 2e9}}, false)));
  EXPECT_FALSE(may_eliminate(graph_of(2, {{0, 1, 1}})));
}

}  // namespace
}  // namespace apsp::near::low_degrees_test
