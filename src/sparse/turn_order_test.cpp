// Orders of turn states: permutations, alike for any number of processes, and nearly as good as
// METIS's order of all states.
#include "sparse/turn_order.hpp"

#include "sparse/tree.hpp"
#include "support/random_graph.hpp"
#include "support/test.hpp"

namespace apsp::sparse::turn_order_test {
namespace {

/// Every turn of the graph that leads on costs 3, or one in two.
TurnRules turn_rules(const Graph& graph, bool all, std::optional<double> u_turns) {
  TurnRules rules{.turns = {}, .u_turns = u_turns};
  std::int64_t next = 0;
  graph.visit_all([&](Vertex u, Vertex v, double) {
    graph.for_each_arc(v, [&](Vertex w, double) {
      if (u != w && (all || ++next % 2 == 0)) rules.turns.push_back({u, v, w, 3});
    });
  });
  return rules;
}

std::int64_t entries(const Tree& tree) { return tree.upper_entries() + tree.diagonal_entries(); }

TEST(TurnOrder, NeedsFewMoreEntriesThanMetis) {
  constexpr double kMore = 1.15;
  for (const bool directed : {false, true}) {
    const Graph graph =
        generate({.kind = GraphKind::roads, .vertices = 1500, .directed = directed});
    for (const bool all : {true, false}) {
      const Graph turned = with_turns(graph, turn_rules(graph, all, directed ? 1.0 : 0.0));
      const Pattern pattern = pattern_of(turned);
      const TurnStates states = *TurnStates::of(turned);
      const Tree found(pattern, turn_order(turned, pattern, states));
      const Tree metis(pattern, nested_dissection(pattern));
      EXPECT_LT(static_cast<double>(entries(found)), kMore * static_cast<double>(entries(metis)))
          << directed << all;
    }
  }
}

TEST(TurnOrder, HoldsEveryStateOnce) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const auto n = static_cast<std::int64_t>(2 + seed % 30);
    const Graph graph = random_graph({.n = n,
                                      .arcs = n * static_cast<std::int64_t>(1 + seed % 4),
                                      .directed = seed % 3 > 0,
                                      .seed = seed});
    const Graph turned = with_turns(graph, turn_rules(graph, seed % 2 == 0, 1.0));
    const auto states = TurnStates::of(turned);
    if (!states) continue;
    const Pattern pattern = pattern_of(turned);
    const Order order = turn_order(turned, pattern, *states);  // throws unless it is a permutation
    EXPECT_EQ(std::ssize(order.vertex_at), turned.vertex_count());
    EXPECT_GT(order.peak_bytes, 0);
    EXPECT_EQ(order.vertex_at, turn_order(turned, pattern, *states, {.workers = 2}).vertex_at);
  }
}

}  // namespace
}  // namespace apsp::sparse::turn_order_test
