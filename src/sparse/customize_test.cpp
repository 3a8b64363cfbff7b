// Factors whose weights changed against fresh ones of the same tree: the same bytes.
#include "base/random.hpp"
#include "sparse/eliminate.hpp"
#include "support/factor_of.hpp"
#include "support/graph_of.hpp"
#include "support/random_graph.hpp"
#include "support/test.hpp"
#include "support/types_of.hpp"

namespace apsp::sparse::customize_test {
namespace {

/// The graph with other weights on some arcs, and which these are.
struct Changed {
  Graph graph;
  std::vector<VertexPair> arcs;
};

Changed changed(const Graph& graph, std::int64_t count, bool real, std::uint64_t seed) {
  base::SplitMix64 random(seed);
  std::vector<Edge> edges;
  graph.visit_all([&](Vertex from, Vertex to, double weight) {
    if (graph.directed() || from <= to) edges.push_back({from, to, weight});
  });
  std::map<std::pair<Vertex, Vertex>, double> weights;
  std::vector<VertexPair> arcs;
  for (std::int64_t i = 0; i < count; ++i) {
    const Edge& edge = edges[random.below(edges.size())];
    arcs.push_back({edge.from, edge.to});
    const double weight = static_cast<double>(1 + random.below(60));
    weights[{edge.from, edge.to}] = real ? weight / 7 : weight;
  }
  GraphBuilder builder(graph.vertex_count(), graph.directed());
  for (const Edge& edge : edges) {
    const auto at = weights.find({edge.from, edge.to});
    builder.add_edge(edge.from, edge.to, at == weights.end() ? edge.weight : at->second);
  }
  return {std::move(builder).build(), arcs};
}

void expect_as_fresh(const Graph& graph, std::int64_t count, const EliminationOptions& options,
                     std::uint64_t seed) {
  const bool real = options.type == ValueType::f32 || options.type == ValueType::f64;
  const auto tree = dissected(graph);
  const Factor before = eliminate(graph, tree, options);
  const Changed other = changed(graph, count, real, seed);
  const Factor after = customize(before, other.graph, other.arcs, options);
  expect_same_bytes(after, eliminate(other.graph, tree, options));
  expect_same_bytes(before, eliminate(graph, tree, options));
}

TEST(Customize, LeavesTheBytesOfAFreshFactorInEverySemiringAndType) {
  for (const auto& [graph, semiring, type, seed] : typed_graphs({200}, {0.3, 2, 6}, 50)) {
    for (const std::int64_t count : {1, 3, 20, 400}) {
      expect_as_fresh(graph, count, {.semiring = semiring, .type = type}, seed);
    }
  }
}

TEST(Customize, TakesWideSupernodesAndThreads) {
  for (const bool directed : {false, true}) {
    const Graph graph = random_graph(
        {.n = 900, .arcs = 5000, .least = 1, .greatest = 90, .directed = directed, .seed = 3});
    for (const int threads : {1, 2, 5}) {
      for (const std::int64_t count : {1, 2, 10, 300}) {
        expect_as_fresh(
            graph, count,
            {.type = ValueType::u16, .sign = kernels::Sign::non_negative, .threads = threads},
            static_cast<std::uint64_t>(count));
      }
    }
  }
}

TEST(Customize, TakesGraphsThatBecomeSymmetricOrNoLongerAre) {
  const Graph graph =
      random_graph({.n = 200, .arcs = 500, .least = 1, .greatest = 50, .directed = false});
  GraphBuilder both(200, true), other(200, true);
  VertexPair changed{0, 0};
  graph.visit_all([&](Vertex from, Vertex to, double weight) {
    const bool first = changed.from == changed.to && from != to;
    if (first) changed = {from, to};
    const bool is_changed = from == changed.from && to == changed.to;
    both.add_edge(from, to, weight);
    other.add_edge(from, to, is_changed ? 71 : weight);
  });
  const Graph symmetric = std::move(both).build(), directed = std::move(other).build();
  ASSERT_TRUE(symmetric.symmetric());
  ASSERT_FALSE(directed.symmetric());
  const auto tree = dissected(symmetric);
  const EliminationOptions options{.type = ValueType::i32};
  const Factor of_symmetric = eliminate(symmetric, tree, options);
  const Factor of_directed = eliminate(directed, tree, options);
  const std::vector<VertexPair> arcs = {changed};
  expect_same_bytes(customize(of_symmetric, directed, arcs, options), of_directed);
  expect_same_bytes(customize(of_directed, symmetric, arcs, options), of_symmetric);
}

TEST(Customize, TakesChangesOneAfterAnother) {
  Graph graph =
      random_graph({.n = 300, .arcs = 700, .least = 1, .greatest = 50, .directed = false});
  const auto tree = dissected(graph);
  const EliminationOptions options{.type = ValueType::i32};
  Factor factor = eliminate(graph, tree, options);
  for (std::uint64_t round = 0; round < 30; ++round) {
    const Changed other = changed(graph, static_cast<std::int64_t>(round % 4), false, round);
    factor = customize(factor, other.graph, other.arcs, options);
    graph = other.graph;
  }
  expect_same_bytes(factor, eliminate(graph, tree, options));
}

}  // namespace
}  // namespace apsp::sparse::customize_test
