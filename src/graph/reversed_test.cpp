#include "graph/derived_graphs.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "support/random_graph.hpp"

namespace apsp::graph {
namespace {

TEST(Reversed, TurnsEveryArcRound) {
  GraphBuilder builder(4);
  builder.add_edge(0, 2, 5);
  builder.add_edge(0, 2, -3);
  builder.add_edge(3, 2, 1);
  builder.add_edge(1, 1, 7);
  const Graph back = reversed(std::move(builder).build());
  EXPECT_EQ(std::vector<Vertex>(back.targets().begin(), back.targets().end()),
            (std::vector<Vertex>{1, 0, 0, 3}));
  EXPECT_EQ(std::vector<double>(back.weights().begin(), back.weights().end()),
            (std::vector<double>{7, -3, 5, 1}));
  EXPECT_EQ(back.out_degree(2), 3);
  EXPECT_EQ(back.weight_facts().least, -3);
}

TEST(Reversed, TwiceIsTheGraphItself) {
  const Graph graph = random_graph({.n = 60, .arcs = 200, .least = 1, .greatest = 9});
  EXPECT_EQ(reversed(reversed(graph)).digest(), graph.digest());
  EXPECT_EQ(reversed(Graph()).vertex_count(), 0);
}

}  // namespace
}  // namespace apsp::graph
