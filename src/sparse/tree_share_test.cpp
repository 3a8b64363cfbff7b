// Shares of a tree against the tree, and factors of shares against the factor of the whole graph.
#include "sparse/tree_share.hpp"

#include <fmt/format.h>

#include "sparse/eliminate.hpp"
#include "support/factor_of.hpp"
#include "support/graph_of.hpp"
#include "support/mesh.hpp"
#include "support/random_graph.hpp"
#include "support/test.hpp"

namespace apsp::sparse::tree_share_test {
namespace {

std::vector<TreeShare> shares_of(const Tree& tree, int processes) {
  std::vector<TreeShare> shares;
  for (int process = 0; process < processes; ++process) {
    shares.push_back(share_of(tree, processes, process, 4));
  }
  return shares;
}

bool same(kernels::ConstView a, kernels::ConstView b, int size) {
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(a.cols, b.cols);
  const auto bytes = static_cast<std::size_t>(a.rows * a.cols * size);
  return bytes == 0 || std::memcmp(a.data, b.data, bytes) == 0;
}

/// Every vertex is in one share, or in the top of all.
void expect_shares(const Tree& tree, const std::vector<TreeShare>& shares) {
  std::vector<int> below(static_cast<std::size_t>(tree.vertices())), top = below;
  for (const TreeShare& share : shares) {
    std::int64_t top_vertices = 0;
    for (SupernodeId s = 0; s < share.tree->supernodes(); ++s) {
      for (Position p = share.tree->first(s); p < share.tree->first(s + 1); ++p) {
        ++(share.is_top(s) ? top : below)[at(share.tree->order().vertex_at, p)];
      }
      if (share.is_top(s)) {
        EXPECT_EQ(at(share.top_row, s), top_vertices);
        top_vertices += share.tree->width(s);
      }
    }
    EXPECT_EQ(share.top_vertices, top_vertices);
    EXPECT_EQ(share.roots.size(), shares.front().roots.size());
  }
  for (std::size_t v = 0; v < below.size(); ++v) {
    EXPECT_TRUE((below[v] == 1 && top[v] == 0) || (below[v] == 0 && top[v] == std::ssize(shares)))
        << v;
  }
}

/// Each share's supernodes have the values of the whole factor.
void expect_factors(const Graph& graph, int processes, const EliminationOptions& options) {
  const auto tree = dissected(graph);
  const Factor whole = eliminate(graph, tree, options);
  const std::vector<TreeShare> shares = shares_of(*tree, processes);
  expect_shares(*tree, shares);
  std::vector<std::unique_ptr<SharedElimination>> eliminations;
  for (const TreeShare& share : shares) {
    eliminations.push_back(std::make_unique<SharedElimination>(graph, share, options));
  }
  for (std::size_t i = 0; i < shares.front().roots.size(); ++i) {
    const auto owner = static_cast<std::size_t>(shares.front().roots[i].owner);
    const auto update = eliminations[owner]->update(shares[owner].roots[i].id);
    for (std::size_t other = 0; other < shares.size(); ++other) {
      if (other == owner) continue;
      const auto to = eliminations[other]->update(shares[other].roots[i].id);
      ASSERT_EQ(to.size(), update.size());
      std::copy(update.begin(), update.end(), to.begin());
    }
  }
  for (std::size_t process = 0; process < shares.size(); ++process) {
    const Factor factor = eliminations[process]->top();
    const Tree& part = *shares[process].tree;
    for (SupernodeId s = 0; s < part.supernodes(); ++s) {
      if (part.width(s) == 0) continue;
      const Vertex first = at(part.order().vertex_at, part.first(s));
      const SupernodeId of_whole = tree->supernode_of(tree->order().position_of[first]);
      const int size = size_of(options.type);
      EXPECT_TRUE(same(factor.closed(s), whole.closed(of_whole), size)) << s;
      EXPECT_TRUE(same(factor.up(s), whole.up(of_whole), size)) << s;
      EXPECT_TRUE(same(factor.down(s), whole.down(of_whole), size)) << s;
    }
  }
}

TEST(TreeShare, FactorsAreThoseOfTheWholeGraph) {
  for (const int processes : {1, 2, 4, 7}) {
    for (const int threads : {1, 3}) {
      for (const bool directed : {false, true}) {
        SCOPED_TRACE(fmt::format("{} processes, {} threads", processes, threads));
        EliminationOptions options{.type = ValueType::f32, .threads = threads};
        expect_factors(random_graph({.n = 400,
                                     .arcs = 800,
                                     .least = 1,
                                     .greatest = 2,
                                     .real = true,
                                     .directed = directed}),
                       processes, options);
        options.type = ValueType::i32;
        expect_factors(mesh(6, directed), processes, options);
        expect_factors(random_graph({.n = 60, .arcs = 20, .directed = directed}), processes,
                       options);
        expect_factors(graph_of(1, {}, directed), processes, options);
        expect_factors(graph_of(0, {}, directed), processes, options);
      }
    }
  }
}

TEST(TreeShare, TheLargestOfFourHasAtMost45PercentOfAPlanarGraph) {
  const Graph grid = generate({.kind = GraphKind::grid, .vertices = 10000});
  const auto tree = dissected(grid);
  for (const TreeShare& share : shares_of(*tree, 4)) {
    EXPECT_LE(Factor::bytes(*share.tree, ValueType::u16, false),
              0.45 * static_cast<double>(Factor::bytes(*tree, ValueType::u16, false)));
  }
}

}  // namespace
}  // namespace apsp::sparse::tree_share_test
