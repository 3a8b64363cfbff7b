// Counts of an elimination by hand, and seconds from them.
#include "planner/elimination_model.hpp"

#include <apsp/graph.hpp>

#include "sparse/order.hpp"
#include "sparse/target_selection.hpp"
#include "support/test.hpp"

namespace apsp::planner::elimination_model_test {
namespace {

EliminationCounts counts_of_graph(const Graph& graph, bool relaxed) {
  const sparse::Pattern pattern = sparse::pattern_of(graph);
  constexpr std::int64_t kBlock = 16;
  return counts_of(sparse::Tree(pattern, sparse::natural_order(graph.vertex_count()), relaxed),
                   kBlock);
}

/// 0 – 1 – 2, and with `closed` an edge 0 – 2.
Graph three(bool closed) {
  GraphBuilder builder(3, false);
  builder.add_edge(0, 1, 1);
  builder.add_edge(1, 2, 1);
  if (closed) builder.add_edge(0, 2, 1);
  return std::move(builder).build();
}

TEST(EliminationCounts, OfAPathOfThree) {
  const EliminationCounts counts = counts_of_graph(three(false), false);
  // The first vertex joins nothing but the second, which is one supernode with the third.
  EXPECT_EQ(counts.vertices, 3);
  EXPECT_EQ(counts.supernodes, 2);
  EXPECT_EQ(counts.all.alone, 3 * 1) << "one entry, from every source";
  EXPECT_EQ(counts.all.together, 0);
  EXPECT_EQ(counts.once.alone, 1) << "the last vertices are swept first";
  EXPECT_EQ(counts.eliminated, 1 * 2 * 2 + 2 * 2 * 2);
  EXPECT_LE(counts.once.alone + counts.once.together, counts.all.alone + counts.all.together);
  EXPECT_GT(counts.upward, 0);
}

TEST(EliminationCounts, OneSupernodeHasNothingAbove) {
  const EliminationCounts counts = counts_of_graph(three(true), false);
  EXPECT_EQ(counts.supernodes, 1);
  EXPECT_EQ(counts.all.alone + counts.all.together, 0);
  EXPECT_EQ(counts.front_entries, 9);
  EXPECT_EQ(counts.eliminated, 27);
  EXPECT_EQ(counts.upward, 27);
}

TEST(EliminationCounts, SweepsToSomeVerticesVisitTheirWaysAlone) {
  const sparse::Pattern pattern = sparse::pattern_of(three(false));
  const sparse::Tree tree(pattern, sparse::natural_order(3), false);
  const EliminationCounts all = counts_of(tree, 16);
  const Vertex last = 2;
  const EliminationCounts one = counts_of(tree, 16, sparse::ways_to(tree, {&last, 1}));
  EXPECT_EQ(all.visited_supernodes, 2);
  EXPECT_EQ(all.visited_vertices, 3);
  EXPECT_EQ(one.visited_supernodes, 1);
  EXPECT_EQ(one.visited_vertices, 2);
  EXPECT_EQ(one.all.alone, 0) << "nothing stands above the root";
  EXPECT_EQ(one.eliminated, all.eliminated);
  EXPECT_EQ(one.front_entries, all.front_entries);
}

EliminationRates unit_rates() {
  EliminationRates rates;
  rates.eliminated = rates.assembled = rates.swept_alone = rates.swept_wide = 1;
  rates.front = rates.supernode = rates.vertex = 1;
  return rates;
}

TEST(EliminationModel, AddsWhatItCounts) {
  EliminationCounts counts;
  counts.vertices = 10;
  counts.supernodes = counts.visited_supernodes = 4;
  counts.visited_vertices = 10;
  counts.front_entries = 30;
  counts.eliminated = 100;
  counts.upward = 7;
  counts.all = {20, 40};
  counts.once = {12, 30};
  EXPECT_DOUBLE_EQ(eliminating_seconds(counts, false, 1, unit_rates()), 4 + 30 + 100);
  EXPECT_DOUBLE_EQ(eliminating_seconds(counts, true, 2, unit_rates()), (4 + 30 + 50) / 2.0);
  EXPECT_DOUBLE_EQ(sweeping_seconds(counts, {10, 1, false}, unit_rates()), 4 + 10 + 20 + 40 + 7);
  EXPECT_DOUBLE_EQ(sweeping_seconds(counts, {10, 1, true}, unit_rates()),
                   (4 + 10) / 2.0 + 12 + 30 + 7);
  EXPECT_DOUBLE_EQ(sweeping_seconds(counts, {5, 2, false}, unit_rates()),
                   (2 * (4 + 10) + 20 + 40 + 7) / 2.0);
}

TEST(EliminationModel, AThreadMayWaitForTheLastBlock) {
  EXPECT_DOUBLE_EQ(unevenness(1, 1), 1);
  EXPECT_DOUBLE_EQ(unevenness(1, 4), 4) << "one block keeps one thread busy";
  EXPECT_DOUBLE_EQ(unevenness(4, 4), 1);
  EXPECT_DOUBLE_EQ(unevenness(5, 4), 1.6);
  EXPECT_NEAR(unevenness(1000, 4), 1, 1e-9);
}

}  // namespace
}  // namespace apsp::planner::elimination_model_test
