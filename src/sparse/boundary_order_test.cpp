// Orders of the boundary algorithm; factor_rows_test.cpp has the distances by them.
#include "sparse/order.hpp"

#include "sparse/tree.hpp"
#include "support/graph_of.hpp"
#include "support/random_graph.hpp"
#include "support/test.hpp"

namespace apsp::sparse::boundary_order_test {
namespace {

Tree tree_of(const Pattern& pattern, std::int64_t parts) {
  BoundaryOrder found = boundary_order(pattern, parts);
  return {pattern, std::move(found.order), std::move(found.first)};
}

/// Two levels: nothing is above the root, and the row structure of parts is only in the root.
void expect_two_levels(const Pattern& pattern, const Tree& tree) {
  ASSERT_EQ(tree.vertices(), pattern.vertices());
  Position covered = 0;
  for (SupernodeId s = 0; s < tree.supernodes(); ++s) {
    EXPECT_EQ(tree.first(s), covered);
    EXPECT_GT(tree.width(s), 0);
    covered += tree.width(s);
    std::set<Position> upper;
    for (Position p = tree.first(s); p < tree.first(s + 1); ++p) {
      for (const Vertex v : pattern.of(tree.order().vertex_at[static_cast<std::size_t>(p)])) {
        if (tree.supernode_of(tree.order().position_of[v]) != s) {
          upper.insert(tree.order().position_of[v]);
        }
      }
    }
    if (tree.parent(s) >= 0) {
      EXPECT_EQ(tree.parent(s), tree.supernodes() - 1);
      EXPECT_EQ(upper, std::set<Position>(tree.upper(s).begin(), tree.upper(s).end()));
    }
    // A sweep goes down from the root right to those that hang from it.
    EXPECT_EQ(tree.slot(s), tree.parent(s) < 0 ? 0 : tree.width(tree.parent(s)));
    EXPECT_TRUE(tree.parent(s) >= 0 || s + 1 == tree.supernodes() || tree.slot(s) == 0);
    if (s > 0 && tree.parent(s) < 0 && s + 1 < tree.supernodes()) {
      EXPECT_LT(tree.parent(s - 1), 0) << "a part without boundary stands below the root";
    }
  }
  EXPECT_EQ(covered, tree.vertices());
}

TEST(BoundaryOrder, MakesATreeOfTwoLevels) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const auto n = static_cast<std::int64_t>(seed % 41);
    const Pattern pattern =
        pattern_of(random_graph({.n = n,
                                 .arcs = n * static_cast<std::int64_t>(seed % 5) / 2,
                                 .directed = seed % 2 == 0,
                                 .seed = seed}));
    for (const std::int64_t parts : {std::int64_t{1}, std::int64_t{2}, std::int64_t{3}, n / 4 + 1,
                                     n / 2 + 1, n - 1, n, n + 7, std::int64_t{1} << 50}) {
      if (parts >= 1) expect_two_levels(pattern, tree_of(pattern, parts));
    }
  }
}

TEST(BoundaryOrder, OfOnePartIsOneSupernode) {
  const Tree tree = tree_of(pattern_of(random_graph({.n = 30, .arcs = 60})), 1);
  EXPECT_EQ(tree.supernodes(), 1);
  EXPECT_EQ(tree.width(0), 30);
  EXPECT_EQ(tree.elimination_relaxations(), 27'000);
}

TEST(BoundaryOrder, OfAPathCutsItIntoStretches) {
  std::vector<Edge> edges;
  for (Vertex v = 0; v + 1 < 1000; ++v) edges.push_back({v, v + 1, 1});
  const Tree tree = tree_of(pattern_of(graph_of(1000, edges, false)), 10);
  EXPECT_EQ(tree.supernodes(), 11);
  EXPECT_EQ(tree.width(10), 18);  // both ends of nine cuts
  for (SupernodeId s = 0; s < 10; ++s) EXPECT_LE(tree.structure_size(s), 2);
  // Boundaries of a part stand together.
  for (SupernodeId s = 0; s < 10; ++s) {
    const auto upper = tree.upper(s);
    EXPECT_EQ(upper.back() - upper.front() + 1, std::ssize(upper));
  }
}

TEST(BoundaryOrder, LeavesPartsThatNothingCutsAlone) {
  // Two triangles, and a vertex by itself.
  const std::vector<Edge> edges = {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}};
  const Tree tree = tree_of(pattern_of(graph_of(7, edges, false)), 2);
  expect_two_levels(pattern_of(graph_of(7, edges, false)), tree);
  EXPECT_ERROR(defect, boundary_order(Pattern(), 0));
  EXPECT_EQ(tree_of(Pattern(), 3).supernodes(), 0);
}

}  // namespace
}  // namespace apsp::sparse::boundary_order_test
