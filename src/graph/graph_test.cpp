#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <apsp/error.hpp>
#include <apsp/graph.hpp>

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
  GraphBuilder builder(3);
  builder.add_edge(2, 1, 7);
  builder.add_edge(0, 2, 5);
  builder.add_edge(0, 1, 4);
  builder.add_edge(0, 1, -3);
  builder.add_edge(1, 1, 2);
  const Graph graph = std::move(builder).build();
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

TEST(GraphBuilder, AnUndirectedEdgeIsTwoArcsAndALoopOne) {
  GraphBuilder builder(2, false);
  builder.add_edge(1, 0, 0.5);
  builder.add_edge(1, 1, 2);
  const Graph graph = std::move(builder).build();
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
    GraphBuilder builder(2, directed);
    builder.add_edge(0, 1, weight);
    return std::move(builder).build().digest();
  };
  EXPECT_EQ(digest(1, true), digest(1, true));
  EXPECT_NE(digest(1, true), digest(2, true));
  EXPECT_NE(digest(1, true), digest(1, false));
}

}  // namespace
}  // namespace apsp
