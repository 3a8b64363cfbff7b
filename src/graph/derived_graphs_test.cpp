// Graphs with other weights against graphs that are built with them.
#include "graph/derived_graphs.hpp"

#include "base/random.hpp"
#include "support/graph_of.hpp"
#include "support/random_graph.hpp"
#include "support/test.hpp"

namespace apsp::derived_graphs_test {
namespace {

constexpr double kRemoved = std::numeric_limits<double>::infinity();

/// Edges in the order of `visit_all`; undirected ones once, from their lesser end.
std::vector<Edge> edges_of(const Graph& graph) {
  std::vector<Edge> edges;
  graph.visit_all([&](Vertex from, Vertex to, double weight) {
    if (graph.directed() || from <= to) edges.push_back({from, to, weight});
  });
  return edges;
}

Graph without_infinite(std::int64_t n, std::vector<Edge> edges, bool directed) {
  std::erase_if(edges, [](const Edge& edge) { return std::isinf(edge.weight); });
  return graph_of(n, edges, directed);
}

TEST(WithWeights, IsTheGraphThatIsBuiltWithThem) {
  base::SplitMix64 random(1);
  for (const bool directed : {false, true}) {
    for (const std::int64_t arcs : {0, 30, 400}) {
      std::vector<Edge> edges = edges_of(
          random_graph({.n = 20, .arcs = arcs, .least = 1, .greatest = 9, .directed = directed}));
      if (arcs > 0) edges.push_back({3, 3, 2});
      edges.insert(edges.end(), edges.begin(), edges.begin() + std::ssize(edges) / 2);  // parallel
      const Graph graph = graph_of(20, edges, directed);
      edges = edges_of(graph);
      std::vector<double> weights;
      for (Edge& edge : edges) {
        edge.weight = random.below(5) == 0 ? kRemoved : static_cast<double>(random.below(100));
        weights.push_back(edge.weight);
      }
      EXPECT_EQ(with_weights(graph, weights).digest(),
                without_infinite(20, edges, directed).digest());
    }
  }
}

TEST(WithWeights, KeepsNamesAndTakesMatrices) {
  GraphBuilder builder(2, false);
  builder.set_labels({"a", "b"});
  builder.add_edge(0, 1, 5);
  const Graph named = with_weights(std::move(builder).build(), std::vector<double>{2});
  EXPECT_EQ(named.name(1), "b");
  EXPECT_FALSE(named.directed());
  const float values[] = {0, 3, 4, 0};
  GraphBuilder of_matrix(2);
  WeightMatrix matrix{.n = 2, .data = values, .owner = nullptr};
  of_matrix.set_matrix(std::move(matrix));
  EXPECT_EQ(with_weights(std::move(of_matrix).build(), std::vector<double>{7, 8}).digest(),
            graph_of(2, {{0, 1, 7}, {1, 0, 8}}).digest());
}

TEST(WithWeights, RefusesAnotherNumberOfThemAndWhatIsNone) {
  const Graph path = graph_of(3, {{0, 1, 1}, {1, 2, 1}}, false);
  const auto refused = [&](const std::vector<double>& weights) {
    EXPECT_ERROR(usage, with_weights(path, weights));
  };
  refused({1});
  refused({1, 2, 3, 4});
  refused({1, std::nan("")});
}

TEST(WithChanges, SetsAddsAndRemovesArcs) {
  base::SplitMix64 random(2);
  for (const bool directed : {false, true}) {
    for (int round = 0; round < 20; ++round) {
      std::map<std::pair<Vertex, Vertex>, double> arcs;
      for (const Edge& edge : edges_of(random_graph(
               15, 60, 1, 9, {.directed = directed, .seed = static_cast<std::uint64_t>(round)}))) {
        arcs[{edge.from, edge.to}] = edge.weight;
      }
      std::vector<Edge> before;
      for (const auto& [ends, weight] : arcs) before.push_back({ends.first, ends.second, weight});
      const Graph graph = graph_of(15, before, directed);
      std::vector<Edge> changes;
      for (int i = 0; i < 12; ++i) {
        const auto from = static_cast<Vertex>(random.below(15));
        const auto to = static_cast<Vertex>(random.below(15));
        const std::pair key =
            directed ? std::pair(from, to) : std::pair(std::min(from, to), std::max(from, to));
        double weight = 50 + i;
        bool there = false;
        graph.for_each_arc_between(from, to, [&](double) { there = true; });
        if (there && random.below(2) == 0) weight = kRemoved;
        changes.push_back({from, to, weight});
        arcs[key] = weight;
      }
      std::vector<Edge> edges;
      for (const auto& [ends, weight] : arcs) edges.push_back({ends.first, ends.second, weight});
      EXPECT_EQ(with_changes(graph, changes).digest(),
                without_infinite(15, edges, directed).digest());
    }
  }
}

std::string digest_after(const Graph& graph, const std::vector<WeightChange>& changes) {
  return with_changes(graph, changes).digest();
}

TEST(WithChanges, NamesOneOfParallelArcsByItsOldWeight) {
  for (const bool directed : {false, true}) {
    const auto graph = [&](const std::vector<Edge>& edges) { return graph_of(3, edges, directed); };
    const Graph roads = graph({{0, 1, 2}, {0, 1, 7}, {1, 2, 3}});
    EXPECT_EQ(digest_after(roads, {{0, 1, 5, 7}}),
              graph({{0, 1, 2}, {0, 1, 5}, {1, 2, 3}}).digest());
    EXPECT_EQ(digest_after(roads, {{0, 1, kRemoved, 2}}), graph({{0, 1, 7}, {1, 2, 3}}).digest());
    EXPECT_EQ(digest_after(roads, {{0, 1, 7, 2}, {0, 1, 2, 7}}), roads.digest());
    EXPECT_EQ(digest_after(roads, {{0, 1, kRemoved, 7}, {0, 1, kRemoved, 2}, {1, 2, 4, 3}}),
              graph({{1, 2, 4}}).digest());
  }
  const Graph either_way = graph_of(2, {{0, 1, 2}, {0, 1, 7}}, false);
  EXPECT_EQ(digest_after(either_way, {{1, 0, 9, 2}}),
            graph_of(2, {{0, 1, 9}, {0, 1, 7}}, false).digest());
}

TEST(WithChanges, TakesAnotherOneOfArcsOfOneWeightForEachChange) {
  const Graph graph = graph_of(2, {{0, 1, 5}, {0, 1, 5}, {1, 1, 4}, {1, 1, 4}}, false);
  EXPECT_EQ(digest_after(graph, {{0, 1, 8, 5}}),
            graph_of(2, {{0, 1, 5}, {0, 1, 8}, {1, 1, 4}, {1, 1, 4}}, false).digest());
  EXPECT_EQ(digest_after(graph, {{0, 1, 8, 5}, {0, 1, 9, 5}}),
            graph_of(2, {{0, 1, 9}, {0, 1, 8}, {1, 1, 4}, {1, 1, 4}}, false).digest());
  EXPECT_EQ(digest_after(graph, {{1, 1, 3, 4}}),
            graph_of(2, {{0, 1, 5}, {0, 1, 5}, {1, 1, 4}, {1, 1, 3}}, false).digest());
}

TEST(WithChanges, RefusesToGuessAmongParallelArcs) {
  const Graph graph = graph_of(2, {{0, 1, 2}, {0, 1, 7}, {1, 0, 3}});
  const auto refused = [&](const std::vector<WeightChange>& changes) {
    const Error error = error_of([&] { with_changes(graph, changes); });
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return std::string(error.what());
  };
  refused({{0, 1, 5}});
  refused({{0, 1, kRemoved}});
  refused({{0, 1, 5, 2}, {0, 1, 5}});
  refused({{0, 1, 5, 3}});
  refused({{0, 1, 5, 2}, {0, 1, 6, 2}});
  refused({{1, 0, 5, 4}});
  refused({{1, 1, 5, 4}});
}

/// The reference is a list of edges in which each change finds the first matching edge.
TEST(WithChanges, OfRandomMultigraphsAreThoseOfAListOfEdges) {
  base::SplitMix64 random(11);
  for (int round = 0; round < 300; ++round) {
    const bool directed = round % 2 == 0;
    std::vector<Edge> edges;
    for (int i = 0; i < 14; ++i) {
      edges.push_back({static_cast<Vertex>(random.below(4)), static_cast<Vertex>(random.below(4)),
                       static_cast<double>(random.below(4))});
    }
    const Graph graph = graph_of(4, edges, directed);
    std::vector<WeightChange> changes;
    std::vector<Edge> after;
    for (Edge edge : edges) {
      if (random.below(3) == 0) {
        const double weight = random.below(3) == 0 ? kRemoved : 10 + static_cast<double>(round);
        const bool turned = !directed && random.below(2) == 0;
        changes.push_back(
            {turned ? edge.to : edge.from, turned ? edge.from : edge.to, weight, edge.weight});
        edge.weight = weight;
      }
      after.push_back(edge);
    }
    EXPECT_EQ(digest_after(graph, changes), without_infinite(4, after, directed).digest());
  }
}

TEST(WithChanges, RefusesWhatCannotBe) {
  const Graph graph = graph_of(3, {{0, 1, 2}});
  const auto refused = [&](const Edge& change) {
    const Error error = error_of([&] { with_changes(graph, std::vector<Edge>{change}); });
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return std::string(error.what());
  };
  refused({0, 3, 1});
  refused({1, 0, kRemoved});
  refused({0, 1, std::nan("")});
}

Graph named(const std::vector<std::string>& names, const std::vector<Edge>& edges) {
  GraphBuilder builder(std::ssize(names));
  builder.set_labels(names);
  for (const Edge& edge : edges) builder.add_edge(edge.from, edge.to, edge.weight);
  return std::move(builder).build();
}

TEST(NumberedAs, MatchesVerticesByName) {
  const Graph like = named({"a", "b", "c"}, {{0, 1, 1}});
  const Graph other = named({"c", "a", "b"}, {{1, 2, 8}, {0, 1, 9}});
  EXPECT_EQ(graph::numbered_as(other, like).digest(),
            named({"a", "b", "c"}, {{0, 1, 8}, {2, 0, 9}}).digest());
  const Graph counted = graph_of(2, {{0, 1, 4}});
  EXPECT_EQ(graph::numbered_as(counted, counted).digest(), counted.digest());
  EXPECT_ERROR(usage, graph::numbered_as(counted, like));
  EXPECT_ERROR(usage, graph::numbered_as(named({"a", "b", "d"}, {}), like));
}

TEST(DifferingArcs, AreThoseWhoseWeightsDifferOrThatOneGraphLacks) {
  const Graph one = graph_of(4, {{0, 1, 2}, {0, 1, 3}, {1, 2, 5}, {2, 3, 1}});
  const Graph other = graph_of(4, {{0, 1, 3}, {0, 3, 4}, {1, 2, 6}, {2, 3, 1}});
  const auto arcs = graph::differing_arcs(one, other);
  ASSERT_EQ(arcs.size(), 3u);
  EXPECT_EQ((std::pair{arcs[0].from, arcs[0].to}), (std::pair<Vertex, Vertex>{0, 1}));
  EXPECT_EQ((std::pair{arcs[1].from, arcs[1].to}), (std::pair<Vertex, Vertex>{0, 3}));
  EXPECT_EQ((std::pair{arcs[2].from, arcs[2].to}), (std::pair<Vertex, Vertex>{1, 2}));
  EXPECT_TRUE(graph::differing_arcs(other, other).empty());
}

}  // namespace
}  // namespace apsp::derived_graphs_test

namespace apsp::graph::derived_graphs_test {
namespace {

TEST(Reversed, TurnsEveryArcRound) {
  const Graph back = graph::reversed(graph_of(4, {{0, 2, 5}, {0, 2, -3}, {3, 2, 1}, {1, 1, 7}}));
  EXPECT_EQ(std::vector<Vertex>(back.targets().begin(), back.targets().end()),
            (std::vector<Vertex>{1, 0, 0, 3}));
  EXPECT_EQ(std::vector<double>(back.weights().begin(), back.weights().end()),
            (std::vector<double>{7, -3, 5, 1}));
  EXPECT_EQ(back.out_degree(2), 3);
  EXPECT_EQ(back.weight_facts().least, -3);
}

TEST(Reversed, TwiceIsTheGraphItself) {
  const Graph graph = random_graph({.n = 60, .arcs = 200, .least = 1, .greatest = 9});
  EXPECT_EQ(graph::reversed(graph::reversed(graph)).digest(), graph.digest());
  EXPECT_EQ(graph::reversed(Graph()).vertex_count(), 0);
}

}  // namespace
}  // namespace apsp::graph::derived_graphs_test
