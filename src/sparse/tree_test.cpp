// The elimination tree against elimination done by hand: join the later neighbours of each vertex.
#include "sparse/tree.hpp"

#include <unistd.h>

#include <csignal>

#include "base/random.hpp"
#include "sparse/eliminate.hpp"
#include "support/graph_of.hpp"
#include "support/random_graph.hpp"
#include "support/test.hpp"
#include "system/threads.hpp"

namespace apsp::sparse::tree_test {
namespace {

using Columns = std::vector<std::set<Position>>;

/// The later positions that the elimination of each joins.
Columns eliminated_by_hand(const Pattern& pattern, const Order& order) {
  Columns later(order.vertex_at.size());
  for (std::size_t p = 0; p < later.size(); ++p) {
    for (const Vertex v : pattern.of(order.vertex_at[p])) {
      if (order.position_of[v] > static_cast<Position>(p)) later[p].insert(order.position_of[v]);
    }
  }
  for (const auto& joined : later) {
    for (const Position a : joined) {
      for (const Position b : joined) {
        if (b > a) later[static_cast<std::size_t>(a)].insert(b);
      }
    }
  }
  return later;
}

Order shuffled_order(std::int64_t n, std::uint64_t seed) {
  std::vector<Vertex> vertices = natural_order(n).vertex_at;
  base::SplitMix64 random(seed);
  for (std::size_t i = vertices.size(); i > 1; --i) {
    std::swap(vertices[i - 1], vertices[random.below(i)]);
  }
  return order_of(std::move(vertices));
}

struct Case {
  Pattern pattern;
  Order order;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const auto n = static_cast<std::int64_t>(seed % 37);
    const Graph graph = random_graph({.n = n,
                                      .arcs = n * static_cast<std::int64_t>(seed % 5) / 2,
                                      .directed = seed % 2 == 0,
                                      .seed = seed});
    const Pattern pattern = pattern_of(graph);
    all.push_back({pattern, shuffled_order(n, seed)});
    all.push_back({pattern, nested_dissection(pattern)});
    all.push_back({pattern, natural_order(n)});
  }
  return all;
}

TEST(Pattern, HoldsNeighboursOfBothDirectionsOnce) {
  const Graph graph = graph_of(4, {{0, 1}, {1, 0}, {0, 1}, {2, 2}, {3, 0}});
  const Pattern pattern = pattern_of(graph);
  ASSERT_EQ(pattern.vertices(), 4);
  EXPECT_EQ(std::vector<Vertex>(pattern.of(0).begin(), pattern.of(0).end()),
            (std::vector<Vertex>{1, 3}));
  EXPECT_EQ(pattern.degree(1), 1);
  EXPECT_EQ(pattern.degree(2), 0);
  EXPECT_EQ(pattern.degree(3), 1);
}

TEST(Order, HoldsEveryVertexOnce) {
  EXPECT_EQ(order_of({2, 0, 1}).position_of, (std::vector<Position>{1, 2, 0}));
  EXPECT_ERROR(defect, order_of({0, 0}));
  EXPECT_ERROR(defect, order_of({0, 2}));
}

volatile std::sig_atomic_t terminations = 0;

TEST(Order, LetsATerminationWaitForMetis) {
  const Pattern pattern = pattern_of(random_graph({.n = 20'000, .arcs = 40'000}));
  const auto before = std::signal(SIGTERM, [](int) { terminations = terminations + 1; });
  std::atomic<bool> done{false};
  std::thread sender;
  {
    const system::BlockedSignals blocked;  // in the sender too
    sender = std::thread([&] {
      while (!done) {
        kill(getpid(), SIGTERM);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    });
  }
  while (terminations == 0) std::this_thread::yield();
  EXPECT_EQ(nested_dissection(pattern).vertex_at.size(), 20'000u);
  done = true;
  sender.join();
  const int arrived = terminations;
  std::raise(SIGTERM);
  EXPECT_GT(terminations, arrived);  // the handler is still the one that was set
  std::signal(SIGTERM, before);
}

TEST(EliminationTree, CountsWhatEliminationByHandJoins) {
  for (const Case& c : cases()) {
    std::vector<Position> parents = parents_of(c.pattern, c.order);
    const Order order = postordered(c.order, parents);
    const Columns columns = eliminated_by_hand(c.pattern, order);
    const std::vector<Position> counts = structure_sizes(c.pattern, order, parents);
    for (std::size_t p = 0; p < columns.size(); ++p) {
      EXPECT_EQ(counts[p], std::ssize(columns[p]));
      EXPECT_EQ(parents[p], columns[p].empty() ? -1 : *columns[p].begin());
    }
  }
}

TEST(EliminationTree, PostorderMakesEachSubtreeARun) {
  for (const Case& c : cases()) {
    std::vector<Position> parents = parents_of(c.pattern, c.order);
    postordered(c.order, parents);
    std::vector<Position> size(parents.size(), 1), first(parents.size());
    for (std::size_t p = 0; p < parents.size(); ++p) first[p] = static_cast<Position>(p);
    for (std::size_t p = 0; p < parents.size(); ++p) {
      EXPECT_EQ(static_cast<Position>(p) - first[p] + 1, size[p]);
      if (parents[p] < 0) continue;
      const auto parent = static_cast<std::size_t>(parents[p]);
      ASSERT_GT(parent, p);
      size[parent] += size[p];
      first[parent] = std::min(first[parent], first[p]);
    }
  }
}

/// Own vertices but the first, and the upper ones, are what eliminating the first one joins.
void expect_columns(const Tree& tree, const Columns& columns, bool relaxed) {
  std::int64_t entries = 0;
  for (SupernodeId s = 0; s < tree.supernodes(); ++s) {
    std::set<Position> all(tree.upper(s).begin(), tree.upper(s).end());
    EXPECT_TRUE(std::is_sorted(tree.upper(s).begin(), tree.upper(s).end()));
    for (Position p = tree.first(s + 1) - 1; p >= tree.first(s); --p) {
      EXPECT_EQ(tree.supernode_of(p), s);
      const auto& column = columns[static_cast<std::size_t>(p)];
      if (relaxed) {
        EXPECT_TRUE(std::includes(all.begin(), all.end(), column.begin(), column.end()));
      } else {
        EXPECT_EQ(all, column);
      }
      all.insert(p);
    }
    const std::set<Position> upper(tree.upper(s).begin(), tree.upper(s).end());
    EXPECT_EQ(upper.empty() ? -1 : tree.supernode_of(*upper.begin()), tree.parent(s));
    entries += tree.width(s) * tree.structure_size(s);
  }
  EXPECT_EQ(entries, tree.upper_entries());
}

TEST(Tree, SupernodesHoldTheColumnsOfEliminationByHand) {
  for (const Case& c : cases()) {
    const Tree tree(c.pattern, c.order, false);
    expect_columns(tree, eliminated_by_hand(c.pattern, tree.order()), false);
    const Tree wide(c.pattern, c.order);
    expect_columns(wide, eliminated_by_hand(c.pattern, wide.order()), true);
    EXPECT_LE(wide.supernodes(), tree.supernodes());
  }
}

TEST(Tree, SlotsNumberThePathFromTheRoot) {
  for (const Case& c : cases()) {
    const Tree tree(c.pattern, c.order);
    for (SupernodeId s = 0; s < tree.supernodes(); ++s) {
      std::vector<Position> path;  // from s up
      for (SupernodeId a = s; a >= 0; a = tree.parent(a)) {
        for (Position p = tree.first(a + 1) - 1; p >= tree.first(a); --p) path.push_back(p);
      }
      std::reverse(path.begin(), path.end());
      EXPECT_LE(std::ssize(path), tree.height());
      ASSERT_EQ(path[static_cast<std::size_t>(tree.slot(s))], tree.first(s));
      for (std::size_t i = 0; i < tree.upper(s).size(); ++i) {
        EXPECT_EQ(path[static_cast<std::size_t>(tree.upper_slots(s)[i])], tree.upper(s)[i]);
      }
    }
  }
}

TEST(Subtrees, AreDisjointAndHoldAllWithThoseAbove) {
  const Pattern pattern = pattern_of(random_graph({.n = 400, .arcs = 500, .directed = false}));
  const Tree tree(pattern, nested_dissection(pattern), false);
  for (const int threads : {1, 2, 7}) {
    const Subtrees subtrees = subtrees_of(tree, threads);
    std::vector<int> times(static_cast<std::size_t>(tree.supernodes()));
    for (const SupernodeId s : subtrees.above) ++times[static_cast<std::size_t>(s)];
    for (const Subtree& subtree : subtrees.apart) {
      for (SupernodeId s = subtree.first; s <= subtree.last; ++s) {
        ++times[static_cast<std::size_t>(s)];
        if (s < subtree.last) {
          EXPECT_LE(tree.parent(s), subtree.last);
        }
      }
    }
    EXPECT_TRUE(std::all_of(times.begin(), times.end(), [](int count) { return count == 1; }));
    EXPECT_TRUE(std::is_sorted(subtrees.above.begin(), subtrees.above.end()));
    EXPECT_GE(std::ssize(subtrees.apart), threads);
  }
}

TEST(Tree, RunsOfSiblingsAreSubtreesOfOneParent) {
  const Graph graph = random_graph({.n = 300, .arcs = 420, .directed = false, .seed = 4});
  const Pattern pattern = pattern_of(graph);
  const Tree tree(pattern, nested_dissection(pattern));
  for (const std::int64_t most : {1, 7, 40, 300, 1000}) {
    std::vector<bool> covered(static_cast<std::size_t>(tree.supernodes()));
    SupernodeId behind = tree.supernodes();
    for (const Siblings& run : runs_of_siblings(tree, most)) {
      ASSERT_LT(run.last, behind);
      behind = run.first;
      EXPECT_LE(tree.first(run.last + 1) - tree.first(run.first), most);
      for (SupernodeId s = run.first; s <= run.last; ++s) {
        covered[static_cast<std::size_t>(s)] = true;
        const SupernodeId parent = tree.parent(s);
        EXPECT_TRUE(parent == tree.parent(run.last) || (parent > s && parent <= run.last));
      }
    }
    for (SupernodeId s = 0; s < tree.supernodes(); ++s) {
      if (covered[static_cast<std::size_t>(s)] || tree.parent(s) < 0) continue;
      EXPECT_FALSE(covered[static_cast<std::size_t>(tree.parent(s))]);
    }
  }
}

}  // namespace
}  // namespace apsp::sparse::tree_test
