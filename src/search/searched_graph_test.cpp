// The step of near paths that suits a graph.
#include "search/searched_graph.hpp"

#include "support/test.hpp"

#include <apsp/graph.hpp>

namespace apsp::search::searched_graph_test {
namespace {

double mean_weights_of_a_step(const Graph& graph, Direction direction = Direction::kept) {
  double sum = 0, arcs = 0;
  graph.visit_all([&](Vertex, Vertex, double weight) {
    sum += weight;
    ++arcs;
  });
  return searched_graph(graph, Semiring::min_plus, ValueType::i32, direction).step * arcs / sum;
}

TEST(SearchedGraph, StepsAreLongInChainsAndShortWhereArcsFanOut) {
  const Graph path = generate({.kind = GraphKind::path, .vertices = 500, .directed = false});
  const Graph grid = generate({.kind = GraphKind::grid, .vertices = 900, .directed = false});
  EXPECT_NEAR(mean_weights_of_a_step(path), 32, 1e-9);
  EXPECT_NEAR(mean_weights_of_a_step(grid), 8, 1e-9);
}

TEST(SearchedGraph, AStepOfAGraphWithHubsIsShortThoughItsDegreeIsLow) {
  const Graph graph = generate({.kind = GraphKind::rmat, .vertices = 4096, .edges = 3 * 4096});
  for (const Direction direction : {Direction::kept, Direction::reversed}) {
    const double step = mean_weights_of_a_step(graph, direction);
    EXPECT_GT(step, 1.0);
    EXPECT_LT(step, 1.2);
  }
}

TEST(SearchedGraph, AGraphWithoutArcsHasAStep) {
  const Graph graph = GraphBuilder(3).build();
  EXPECT_EQ(searched_graph(graph, Semiring::min_plus, ValueType::i32, Direction::kept).step, 1);
}

}  // namespace
}  // namespace apsp::search::searched_graph_test
