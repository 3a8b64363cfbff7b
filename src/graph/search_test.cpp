// Searches compared with the textbook algorithm.
#include "graph/search.hpp"

#include "support/graph_of.hpp"
#include "support/random_graph.hpp"
#include "support/test.hpp"
#include "support/textbook.hpp"

namespace apsp::graph::search_test {
namespace {

bool everywhere(Vertex) { return true; }

TEST(Search, IsDijkstrasFromEverySource) {
  for (const bool real : {false, true}) {
    const Graph graph = random_graph({.n = 90, .arcs = 300, .greatest = 40, .real = real});
    Search search(graph.vertex_count());
    for (Vertex source = 0; source < 90; ++source) {
      search.run(graph, source, everywhere);
      const std::vector<double> expected = verifier::dijkstra(graph, source);
      double before = 0;
      for (const Vertex v : search.reached()) {
        EXPECT_GE(search.distance(v), before);
        before = search.distance(v);
      }
      for (Vertex v = 0; v < 90; ++v) {
        ASSERT_EQ(search.distance(v), expected[v]) << source << " to " << v;
        if (v == source || expected[v] == Search::kUnreached) continue;
        double last = Search::kUnreached;
        graph.for_each_arc_between(search.parent(v), v,
                                   [&](double weight) { last = std::min(last, weight); });
        ASSERT_EQ(expected[search.parent(v)] + last, expected[v]);
      }
    }
  }
}

TEST(Search, StaysInside) {
  const Graph graph = graph_of(4, {{0, 1, 1}, {1, 2, 1}, {0, 2, 9}, {2, 3, 1}});
  Search search(4);
  search.run(graph, 0, [](Vertex v) { return v != 1; });
  EXPECT_THAT(search.reached(), ElementsAre(0, 2, 3));
  EXPECT_EQ(search.distance(3), 10);
  EXPECT_EQ(search.distance(1), Search::kUnreached);
}

TEST(ReversedArcs, LeadTheOtherWay) {
  const Graph graph = random_graph({.n = 40, .arcs = 150});
  const ReversedArcs reversed(graph);
  Search search(40);
  std::vector<std::vector<double>> from;
  for (Vertex s = 0; s < 40; ++s) from.push_back(verifier::dijkstra(graph, s));
  for (Vertex t = 0; t < 40; ++t) {
    search.run(reversed, t, everywhere);
    for (Vertex s = 0; s < 40; ++s) ASSERT_EQ(search.distance(s), from[s][t]) << s << " to " << t;
  }
}

}  // namespace
}  // namespace apsp::graph::search_test
