// Estimated elimination trees: that they are trees, and how near to those of whole graphs.
#include "sparse/tree_samples.hpp"

#include <apsp/graph.hpp>

#include "support/graph_of.hpp"
#include "support/test.hpp"

namespace apsp::sparse::tree_samples_test {
namespace {

Graph generated(GraphKind kind, std::int64_t vertices, bool directed = false) {
  GenerateOptions options{.kind = kind, .vertices = vertices, .directed = directed};
  options.probability = 4.0 / static_cast<double>(vertices);
  return generate(options);
}

Tree exact(const Graph& graph) {
  const Pattern pattern = pattern_of(graph);
  return {pattern, nested_dissection(pattern)};
}

TEST(TreeSamples, PromiseATreeOfAllVertices) {
  const Graph graph = generated(GraphKind::roads, 30000);
  const auto samples = TreeSamples::of(graph);
  ASSERT_TRUE(samples);
  const Tree tree = samples->tree();
  EXPECT_EQ(tree.vertices(), graph.vertex_count());
  std::int64_t roots = 0;
  for (SupernodeId s = 0; s < tree.supernodes(); ++s) {
    const auto upper = tree.upper(s);
    EXPECT_TRUE(std::is_sorted(upper.begin(), upper.end(), std::less_equal<>()));
    if (upper.empty()) {
      ++roots;
      continue;
    }
    EXPECT_GE(upper.front(), tree.first(s + 1));
    EXPECT_LT(upper.back(), tree.vertices());
    const SupernodeId parent = tree.parent(s);
    for (const Position p : upper) {
      const bool joined =
          p < tree.first(parent + 1) ||
          std::binary_search(tree.upper(parent).begin(), tree.upper(parent).end(), p);
      ASSERT_TRUE(joined) << "what a supernode joins is its parent, or what its parent joins";
    }
  }
  EXPECT_EQ(roots, 1);
}

TEST(TreeSamples, CountNearlyWhatTheOrderCounts) {
  for (const GraphKind kind : {GraphKind::roads, GraphKind::grid, GraphKind::geometric}) {
    const Graph graph = generated(kind, 40000);
    const Tree tree = exact(graph);
    const auto samples = TreeSamples::of(graph);
    ASSERT_TRUE(samples) << name(kind);
    const Tree promised = samples->tree();
    const auto times = [&](double found, double counted) { return found / counted; };
    const double entries = times(static_cast<double>(promised.upper_entries()),
                                 static_cast<double>(tree.upper_entries()));
    EXPECT_GT(entries, 0.85) << name(kind);
    EXPECT_LT(entries, 1.6) << name(kind);
    const double supernodes = times(promised.supernodes(), tree.supernodes());
    EXPECT_GT(supernodes, 0.85) << name(kind);
    EXPECT_LT(supernodes, 1.2) << name(kind);
    const OrderSizes sizes = order_sizes(pattern_of(graph));
    EXPECT_EQ(samples->sizes().neighbours, sizes.neighbours) << name(kind);
    EXPECT_NEAR(times(static_cast<double>(samples->sizes().core_vertices),
                      static_cast<double>(sizes.core_vertices)),
                1, 0.1)
        << name(kind);
  }
}

TEST(TreeSamples, AreTheSameWhicheverWayArcsLead) {
  const Graph both = generated(GraphKind::roads, 30000);
  GraphBuilder builder(both.vertex_count());
  both.visit_all([&](Vertex from, Vertex to, double weight) {
    if (from < to) builder.add_edge(from, to, weight);
  });
  const auto samples = TreeSamples::of(both), one_way = TreeSamples::of(std::move(builder).build());
  ASSERT_TRUE(samples && one_way);
  EXPECT_TRUE(samples->both_ways());
  EXPECT_FALSE(one_way->both_ways());
  EXPECT_EQ(one_way->tree().upper_entries(), samples->tree().upper_entries());
}

TEST(TreeSamples, AreRefusedWhereTheyTellTooLittle) {
  for (const GraphKind kind : {GraphKind::gnp, GraphKind::rmat, GraphKind::star, GraphKind::path}) {
    EXPECT_FALSE(TreeSamples::of(generated(kind, 10000, kind == GraphKind::rmat))) << name(kind);
  }
  GraphBuilder pairs(10000, false);
  for (Vertex v = 0; v < 10000; v += 2) pairs.add_edge(v, v + 1);
  EXPECT_FALSE(TreeSamples::of(std::move(pairs).build())) << "components are smaller than regions";
  EXPECT_FALSE(TreeSamples::of(Graph()));
}

}  // namespace
}  // namespace apsp::sparse::tree_samples_test
