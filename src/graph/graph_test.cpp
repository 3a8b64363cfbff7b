#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <apsp/error.hpp>
#include <apsp/graph.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "base/random.hpp"
#include "support/graph_of.hpp"

namespace apsp {
namespace {

using testing::ElementsAre;

TEST(GraphBuilder, NoVertices) {
  const Graph graph = GraphBuilder(0).build();
  EXPECT_EQ(graph.vertex_count(), 0);
  EXPECT_EQ(graph.arc_count(), 0);
  EXPECT_EQ(Graph().vertex_count(), 0);
}

TEST(GraphBuilder, SortsRowsAndKeepsParallelArcsAndLoops) {
  const Graph graph = graph_of(3, {{2, 1, 7}, {0, 2, 5}, {0, 1, 4}, {0, 1, -3}, {1, 1, 2}});
  EXPECT_THAT(graph.offsets(), ElementsAre(0, 3, 4, 5));
  EXPECT_THAT(graph.targets(), ElementsAre(1, 1, 2, 1, 1));
  EXPECT_THAT(graph.weights(), ElementsAre(-3, 4, 5, 2, 7));
  EXPECT_EQ(graph.loop_count(), 1);
  EXPECT_EQ(graph.edge_count(), 5);
  EXPECT_EQ(graph.weight_facts().least, -3);
  EXPECT_EQ(graph.weight_facts().greatest, 7);
  EXPECT_TRUE(graph.weight_facts().integral);
  EXPECT_FALSE(graph.weight_facts().unit);
}

TEST(GraphBuilder, KnowsInWhichOrderParallelArcsWereGiven) {
  const Graph graph = graph_of(
      3, {{0, 1, 7}, {0, 2, 1}, {0, 1, 2}, {1, 0, 4}, {0, 1, 2}, {0, 1, 5}, {2, 2, 3}}, false);
  EXPECT_TRUE(graph.knows_given_order());
  EXPECT_THAT(graph.weights_as_given(0, 1), ElementsAre(7, 2, 4, 2, 5));
  EXPECT_THAT(graph.weights_as_given(1, 0), ElementsAre(7, 2, 4, 2, 5));
  EXPECT_THAT(graph.weights_as_given(0, 2), ElementsAre(1));
  EXPECT_THAT(graph.weights_as_given(2, 2), ElementsAre(3));
  EXPECT_THAT(graph.weights_as_given(1, 2), ElementsAre());
  GraphBuilder other(2);
  other.add_edge(0, 1, 2);
  other.forget_order();
  EXPECT_FALSE(std::move(other).build().knows_given_order());
}

/// By one thread or several, with rows that are sorted by ranks or by comparing.
TEST(GraphBuilder, KnowsTheOrderOfParallelArcsOfManyEdges) {
  constexpr Vertex kMany = 300;
  for (const int edges : {1'000, 200'000}) {
    base::SplitMix64 random(3);
    std::vector<std::vector<double>> given(std::size_t{kMany} * kMany);
    GraphBuilder builder(kMany);
    for (int i = 0; i < edges; ++i) {
      const auto from = static_cast<Vertex>(random.below(kMany));
      const auto to = static_cast<Vertex>(random.below(edges < 10'000 ? 3 : kMany));
      const auto weight = static_cast<double>(random.below(1000));
      builder.add_edge(from, to, weight);
      given[from * kMany + to].push_back(weight);
    }
    builder.set_threads(5);
    const Graph graph = std::move(builder).build();
    for (Vertex u = 0; u < kMany; ++u) {
      for (Vertex v = 0; v < kMany; ++v) {
        ASSERT_EQ(graph.weights_as_given(u, v), given[u * kMany + v]) << u << ' ' << v;
      }
    }
  }
}

/// Rows of many arcs are sorted by digits, and so are many real weights of one pair.
TEST(GraphBuilder, KnowsTheOrderOfManyParallelArcs) {
  for (const double unit : {1.0, 0.1, 0x1p31}) {
    base::SplitMix64 random(5);
    std::vector<std::vector<double>> given(9);
    GraphBuilder builder(3);
    for (int i = 0; i < 30'000; ++i) {
      const auto pair = static_cast<std::size_t>(random.below(9));
      const double weight = unit * (static_cast<double>(random.below(900)) - (unit < 1 ? 450 : 0));
      builder.add_edge(static_cast<Vertex>(pair / 3), static_cast<Vertex>(pair % 3), weight);
      given[pair].push_back(weight);
    }
    const Graph graph = std::move(builder).build();
    for (std::size_t pair = 0; pair < given.size(); ++pair) {
      const auto u = static_cast<Vertex>(pair / 3), v = static_cast<Vertex>(pair % 3);
      ASSERT_EQ(graph.weights_as_given(u, v), given[pair]) << unit;
      std::vector<double> rising;
      graph.for_each_arc_between(u, v, [&](double weight) { rising.push_back(weight); });
      std::sort(given[pair].begin(), given[pair].end());
      ASSERT_EQ(rising, given[pair]) << unit;
    }
  }
}

TEST(WeightFactsOfAGraph, LongestPathIsNotRoundedBelowTwoToThe53) {
  const Graph graph = graph_of(4, {{0, 1, 0x1p53}, {1, 2, 1}, {2, 3, 1}});
  EXPECT_GE(graph.weight_facts().longest_path, 0x1p53);
  EXPECT_EQ(graph_of(3, {{0, 1, 0x1p53 - 3}, {1, 2, 2}}).weight_facts().longest_path, 0x1p53 - 1);
}

TEST(GraphBuilder, AnUndirectedEdgeIsTwoArcsAndALoopOne) {
  const Graph graph = graph_of(2, {{1, 0, 0.5}, {1, 1, 2}}, false);
  EXPECT_THAT(graph.targets(), ElementsAre(1, 0, 1));
  EXPECT_EQ(graph.edge_count(), 2);
  EXPECT_EQ(graph.arc_count(), 3);
  EXPECT_FALSE(graph.weight_facts().integral);
}

TEST(GraphBuilder, RefusesWhatIsNoGraph) {
  GraphBuilder out_of_range(2);
  out_of_range.add_edge(0, 2);
  EXPECT_THROW(std::move(out_of_range).build(), Error);
  GraphBuilder not_finite(2);
  not_finite.add_edge(0, 1, std::numeric_limits<double>::infinity());
  EXPECT_THROW(std::move(not_finite).build(), Error);
  EXPECT_THROW(GraphBuilder(std::int64_t{1} << 40), Error);
  GraphBuilder twice(2);
  twice.set_labels({"a", "a"});
  EXPECT_THROW(std::move(twice).build(), Error);
}

ArcArrays arrays(const std::vector<Vertex>& targets, const std::vector<double>& weights) {
  ArcArrays arcs;
  arcs.targets = std::shared_ptr<Vertex[]>(new Vertex[targets.size()]);
  arcs.weights = std::shared_ptr<double[]>(new double[weights.size()]);
  std::copy(targets.begin(), targets.end(), const_cast<Vertex*>(arcs.targets.get()));
  std::copy(weights.begin(), weights.end(), const_cast<double*>(arcs.weights.get()));
  return arcs;
}

TEST(GraphBuilder, TakesRowsThatAreSorted) {
  GraphBuilder builder(3);
  const ArcArrays arcs = arrays({1, 1, 2, 1}, {-3, 4, 5, 0.5});
  builder.set_rows({0, 3, 4, 4}, arcs);
  const Graph graph = std::move(builder).build();
  EXPECT_EQ(graph.targets().data(), arcs.targets.get());  // nothing was copied
  EXPECT_EQ(graph.loop_count(), 1);
  EXPECT_EQ(graph.weight_facts().least, -3);
  EXPECT_EQ(graph.weight_facts().greatest, 5);
  EXPECT_EQ(graph.weight_facts().longest_path, 5.5);
  EXPECT_FALSE(graph.weight_facts().integral);
  EXPECT_FALSE(graph.symmetric());
}

TEST(GraphBuilder, RefusesRowsThatAreNone) {
  const auto build = [](bool directed, std::vector<std::int64_t> offsets, const ArcArrays& arcs) {
    GraphBuilder builder(2, directed);
    builder.set_rows(std::move(offsets), arcs);
    return std::move(builder).build();
  };
  EXPECT_NO_THROW(build(true, {0, 2, 2}, arrays({0, 1}, {1, 1})));
  EXPECT_THROW(build(true, {0, 2, 2}, arrays({1, 0}, {1, 1})), Error);
  EXPECT_THROW(build(true, {0, 2, 2}, arrays({1, 1}, {2, 1})), Error);
  EXPECT_THROW(build(true, {0, 1, 1}, arrays({2}, {1})), Error);
  EXPECT_THROW(build(true, {0, 1, 1}, arrays({1}, {std::numeric_limits<double>::quiet_NaN()})),
               Error);
  EXPECT_THROW(build(true, {0, 1}, arrays({1}, {1})), Error);
  EXPECT_NO_THROW(build(false, {0, 1, 2}, arrays({1, 0}, {1, 1})));
  EXPECT_THROW(build(false, {0, 1, 2}, arrays({1, 0}, {1, 2})), Error);
  EXPECT_THROW(build(false, {0, 1, 1}, arrays({1}, {1})), Error);
}

TEST(Graph, NamesAndFindsVertices) {
  GraphBuilder numbered(3);
  numbered.set_first_id(1);
  const Graph one_based = std::move(numbered).build();
  EXPECT_EQ(one_based.name(0), "1");
  EXPECT_EQ(one_based.find("3"), Vertex{2});
  EXPECT_EQ(one_based.find("0"), std::nullopt);
  EXPECT_EQ(one_based.find("4"), std::nullopt);
  EXPECT_EQ(one_based.find("x"), std::nullopt);

  GraphBuilder labelled(3);
  labelled.set_labels({"Rome", "Oslo", "Bern"});
  const Graph cities = std::move(labelled).build();
  EXPECT_EQ(cities.name(1), "Oslo");
  EXPECT_EQ(cities.find("Bern"), Vertex{2});
  EXPECT_EQ(cities.find("1"), std::nullopt);
}

TEST(Graph, DigestTellsGraphsApart) {
  const auto digest = [](double weight, bool directed) {
    return graph_of(2, {{0, 1, weight}}, directed).digest();
  };
  EXPECT_EQ(digest(1, true), digest(1, true));
  EXPECT_NE(digest(1, true), digest(2, true));
  EXPECT_NE(digest(1, true), digest(1, false));
}

TEST(Graph, TellsMinusZeroAsZero) {
  for (const bool first : {false, true}) {
    const Graph graph = graph_of(2, {{0, 1, first ? -0.0 : 0.0}, {1, 0, first ? 0.0 : -0.0}}, true);
    EXPECT_FALSE(std::signbit(graph.weight_facts().least));
    EXPECT_FALSE(std::signbit(graph.weight_facts().greatest));
  }
}

}  // namespace
}  // namespace apsp
