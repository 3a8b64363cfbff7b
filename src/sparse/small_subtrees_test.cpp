// Subtrees ordered anew: every vertex once, never more entries, and fewer on real shapes.
#include "sparse/small_subtrees.hpp"

#include <apsp/graph.hpp>
#include <apsp/io.hpp>

#include "sparse/tree.hpp"
#include "support/graph_of.hpp"
#include "support/random_graph.hpp"
#include "support/test.hpp"

namespace apsp::sparse::small_subtrees_test {
namespace {

/// Entries of the factor, by the symbolic elimination.
std::int64_t entries_of(const Pattern& pattern, Order order) {
  std::vector<Position> parents = parents_of(pattern, order);
  order = postordered(order, parents);
  std::int64_t entries = 0;
  for (const Position size : structure_sizes(pattern, order, parents)) entries += size;
  return entries;
}

/// Of a whole graph.
Order reordered(const Pattern& pattern, const Order& order) {
  const std::vector<Vertex> all = natural_order(pattern.vertices()).vertex_at;
  return order_of(with_small_subtrees_reordered(pattern, all, pattern, order.vertex_at));
}

TEST(SmallSubtrees, MakeNoGraphsFactorLarger) {
  for (const int seed : {1, 2, 3}) {
    for (const std::int64_t n : {0, 1, 2, 3, 10, 63, 64, 65, 127, 128, 129, 300}) {
      const Pattern pattern = pattern_of(
          random_graph({.n = n, .arcs = 3 * n / 2, .seed = static_cast<std::uint64_t>(seed)}));
      const Order order = natural_order(n);
      const std::int64_t before = entries_of(pattern, order);
      EXPECT_LE(entries_of(pattern, reordered(pattern, order)), before) << n;
    }
  }
}

TEST(SmallSubtrees, OfAStarAreEliminatedFromItsLeaves) {
  // The middle first joins its neighbours: 3 entries of 4 vertices, whatever the order; 2 and 3 of
  // a star, whose middle first joins all.
  const Pattern star =
      pattern_of(generate({.kind = GraphKind::star, .vertices = 100, .directed = false}));
  EXPECT_EQ(entries_of(star, natural_order(100)), 99 * 100 / 2);
  EXPECT_EQ(entries_of(star, reordered(star, natural_order(100))), 99);
}

TEST(SmallSubtrees, CountWhatIsAboveThem) {
  // A path 0 1 2 of a part; 0 and 2 have three neighbours above each, outside of the part. Least
  // deficiency eliminates 1 first.
  GraphBuilder builder(9, false);
  builder.add_edge(0, 1, 1);
  builder.add_edge(1, 2, 1);
  for (Vertex above = 3; above < 6; ++above) {
    builder.add_edge(0, above, 1);
    builder.add_edge(2, above + 3, 1);
  }
  const Pattern all = pattern_of(std::move(builder).build());
  const Pattern part = pattern_of(graph_of(3, {{0, 1, 1}, {1, 2, 1}}, false));
  const std::vector<Vertex> vertices = {0, 1, 2};
  const std::vector<Vertex> found = with_small_subtrees_reordered(part, vertices, all, {0, 1, 2});
  // 0: 4 entries, 1: 4 and 2: 6; 1 first: 2, then 4 and 6; 0 and 2 first: 4, 4 and 6.
  EXPECT_EQ(found.front(), 1u);
}

TEST(SmallSubtrees, MakeFactorsOfRoadsSmaller) {
  const Pattern pattern =
      pattern_of(generate({.kind = GraphKind::roads, .vertices = 5'000, .directed = false}));
  const Order order = natural_order(pattern.vertices());
  EXPECT_LT(static_cast<double>(entries_of(pattern, reordered(pattern, order))),
            0.999 * static_cast<double>(entries_of(pattern, order)));
}

}  // namespace
}  // namespace apsp::sparse::small_subtrees_test
