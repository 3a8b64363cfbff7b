#include "graph/vertex_states.hpp"

#include <queue>
#include <random>

#include "support/test.hpp"
#include "support/textbook.hpp"

namespace apsp::turns_test {
namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();

/// Dijkstra's algorithm over the arc by which each vertex is entered: [n] distances from a vertex.
std::vector<double> by_arcs(const Graph& graph, const TurnRules& rules, Vertex source) {
  using State = std::pair<Vertex, Vertex>;  // the last vertex but one, and the last one
  const Vertex begin = static_cast<Vertex>(graph.vertex_count());
  std::map<std::tuple<Vertex, Vertex, Vertex>, double> listed;
  for (const Turn& turn : rules.turns) listed[{turn.from, turn.via, turn.to}] = turn.cost;
  const auto ways_on = [&](Vertex v) {
    std::set<Vertex> to;
    graph.for_each_arc(v, [&](Vertex w, double) { to.insert(w); });
    return to.size();
  };
  const auto cost = [&](const State& state, Vertex to) {
    const auto& [from, via] = state;
    if (from == begin) return 0.0;
    if (const auto found = listed.find({from, via, to}); found != listed.end()) {
      return found->second;
    }
    if (from != to || from == via || !rules.u_turns) return 0.0;
    return std::isinf(*rules.u_turns) && ways_on(via) == 1 ? 0.0 : *rules.u_turns;
  };
  std::map<State, double> best;
  std::vector<double> distance(begin, kNone);
  using Entry = std::pair<double, State>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  queue.push({0, {begin, source}});
  while (!queue.empty()) {
    const auto [length, state] = queue.top();
    queue.pop();
    if (!best.emplace(state, length).second) continue;
    distance[state.second] = std::min(distance[state.second], length);
    graph.for_each_arc(state.second, [&](Vertex to, double weight) {
      const double turn = cost(state, to);
      if (turn < kNone) queue.push({length + turn + weight, {state.second, to}});
    });
  }
  return distance;
}

struct Case {
  Graph graph;
  TurnRules rules;
};

Case random_case(std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto below = [&](std::uint32_t bound) { return static_cast<Vertex>(random() % bound); };
  const Vertex n = 1 + below(9);
  GraphBuilder builder(n, below(2) == 0);
  for (std::uint32_t i = below(3 * n + 1); i > 0; --i) {
    builder.add_edge(below(n), below(n), below(8));
  }
  Case made{std::move(builder).build(), {}};
  std::set<std::tuple<Vertex, Vertex, Vertex>> known;
  made.graph.visit_all([&](Vertex u, Vertex v, double) {
    made.graph.for_each_arc(v, [&](Vertex w, double) {
      if (below(3) != 0 || !known.insert({u, v, w}).second) return;
      made.rules.turns.push_back({u, v, w, below(3) == 0 ? kNone : below(5)});
    });
  });
  if (below(3) == 0) made.rules.u_turns = below(2) == 0 ? kNone : below(4);
  return made;
}

TEST(Turns, StatesHaveTheDistancesOfASearchOverArcs) {
  for (std::uint32_t seed = 0; seed < 2000; ++seed) {
    const auto [graph, rules] = random_case(seed);
    const Graph states = with_turns(graph, rules);
    const graph::VertexStates found(states);
    const auto n = static_cast<std::size_t>(graph.vertex_count());
    const std::size_t all = static_cast<std::size_t>(states.vertex_count());
    const std::vector<double> closed = verifier::floyd_warshall(states, Semiring::min_plus);
    for (Vertex s = 0; s < n; ++s) {
      const std::vector<double> expected = by_arcs(graph, rules, s);
      for (Vertex t = 0; t < n; ++t) {
        ASSERT_EQ(closed[s * all + found.end(t)], expected[t])
            << "seed " << seed << ": " << s << " " << t;
      }
    }
  }
}

TEST(VertexStates, AnswerForGraphsWithAndWithoutTurns) {
  const auto lightest = [](const graph::VertexStates& of, const Graph& graph, Vertex u, Vertex v) {
    double least = kNone;
    of.for_each_arc_between(graph, u, v, [&](Vertex head, double weight) {
      EXPECT_EQ(of.vertex_of(head), v);
      least = std::min(least, weight);
    });
    return least;
  };
  int with_states = 0;
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    const auto [graph, rules] = random_case(seed);
    const Graph turned = with_turns(graph, rules);
    const graph::VertexStates plain(graph), states(turned);
    EXPECT_FALSE(plain.has_turns());
    with_states += states.has_turns();
    ASSERT_EQ(states.vertices(), graph.vertex_count());
    for (Vertex u = 0; u < graph.vertex_count(); ++u) {
      EXPECT_EQ(plain.vertex_of(u), u);
      EXPECT_EQ(plain.end(u), u);
      EXPECT_EQ(states.vertex_of(states.end(u)), u);
      EXPECT_EQ(states.is_end(states.end(u)), states.end(u) != u);
      for (Vertex v = 0; v < graph.vertex_count(); ++v) {
        if (u == v) continue;
        EXPECT_EQ(lightest(states, turned, u, v), lightest(plain, graph, u, v)) << "seed " << seed;
      }
    }
  }
  EXPECT_GT(with_states, 100);
}

/// A crossing 0 of four streets from 1 (south), 2 (west), 3 (north), 4 (east).
Graph crossing() {
  GraphBuilder builder(5, false);
  for (Vertex v = 1; v < 5; ++v) builder.add_edge(0, v, 10);
  return std::move(builder).build();
}

TEST(Turns, AreExpandedAsByHand) {
  const Graph graph = with_turns(crossing(), {.turns = {{1, 0, 2, kNone}, {1, 0, 3, 4}}});
  const TurnStates states = *TurnStates::of(graph);
  ASSERT_EQ(graph.vertex_count(), 7);
  EXPECT_EQ(graph.name(5), "->0");
  EXPECT_EQ(graph.name(6), "1->0");
  EXPECT_EQ(states.vertices(), 5);
  EXPECT_EQ(states.end(0), 5u);
  EXPECT_EQ(states.end(1), 1u);
  EXPECT_EQ(states.place(6), 0u);
  std::map<std::pair<Vertex, Vertex>, double> arcs;
  graph.visit_all([&](Vertex u, Vertex v, double weight) { arcs[{u, v}] = weight; });
  const std::map<std::pair<Vertex, Vertex>, double> expected = {
      {{0, 1}, 10}, {{0, 2}, 10}, {{0, 3}, 10}, {{0, 4}, 10}, {{0, 5}, 0},
      {{1, 6}, 10}, {{2, 0}, 10}, {{3, 0}, 10}, {{4, 0}, 10}, {{6, 1}, 10},
      {{6, 3}, 14}, {{6, 4}, 10}, {{6, 5}, 0}};
  EXPECT_EQ(arcs, expected);
  EXPECT_EQ(states.places(std::vector<Vertex>{1, 6, 3}), (std::vector<Vertex>{1, 0, 3}));
  EXPECT_EQ(states.places(std::vector<Vertex>{1, 6, 5}), (std::vector<Vertex>{1, 0}));
}

TEST(Turns, WithEqualCostsShareAState) {
  TurnRules rules;
  for (Vertex from = 1; from < 5; ++from) {
    for (Vertex to = 1; to < 5; ++to) rules.turns.push_back({from, 0, to, 3});
  }
  EXPECT_EQ(with_turns(crossing(), rules).vertex_count(), 5 + 1 + 1);
  rules.u_turns = kNone;  // the table comes first
  EXPECT_EQ(with_turns(crossing(), rules).vertex_count(), 5 + 1 + 1);
}

TEST(Turns, CostByTheirAngle) {
  TurnRules rules{.angles = {{45, 3}, {-45, 1}, {-100, 9}}};
  rules.positions = Coordinates{{0, 0, -1, 0, 1}, {0, -1, 0, 1, 0}, false};
  const Graph graph = with_turns(crossing(), rules);
  const TurnStates states = *TurnStates::of(graph);
  const auto cost = [&](Vertex from, Vertex to) {
    double found = kNone;
    graph.for_each_arc(from, [&](Vertex state, double) {
      graph.for_each_arc(state, [&](Vertex next, double weight) {
        if (states.place(next) == to) found = std::min(found, weight - 10);
      });
    });
    return found;
  };
  EXPECT_EQ(cost(1, 3), 0);  // straight on
  EXPECT_EQ(cost(1, 2), 3);  // to the left
  EXPECT_EQ(cost(1, 4), 1);  // to the right
  EXPECT_EQ(cost(1, 1), 0);  // back
}

TEST(Turns, OfOtherGraphsAreRefused) {
  const auto kind = [](TurnRules rules) {
    return error_of([&] { with_turns(crossing(), rules); }).kind();
  };
  EXPECT_EQ(kind({.turns = {{1, 2, 3, 0}}}), ErrorKind::usage);   // no such arcs
  EXPECT_EQ(kind({.turns = {{1, 0, 7, 0}}}), ErrorKind::usage);   // no such vertex
  EXPECT_EQ(kind({.turns = {{1, 0, 2, -1}}}), ErrorKind::usage);  // below 0
  EXPECT_EQ(kind({.turns = {{1, 0, 2, std::nan("")}}}), ErrorKind::usage);
  EXPECT_EQ(kind({.turns = {{1, 0, 2, 1}, {1, 0, 2, 2}}}), ErrorKind::usage);
  EXPECT_EQ(kind({.u_turns = -1}), ErrorKind::usage);
  EXPECT_EQ(kind({.angles = {{90, 1}}}), ErrorKind::usage);  // no positions
  EXPECT_EQ(kind({.angles = {{0, 1}}, .positions = Coordinates{}}), ErrorKind::usage);
  const Graph states = with_turns(crossing(), {.u_turns = kNone});
  EXPECT_EQ(error_of([&] { with_turns(states, {.u_turns = 1}); }).kind(), ErrorKind::usage);
}

TEST(Turns, ThatCostNothingLeaveTheGraphItsVertices) {
  const Graph graph = with_turns(crossing(), {.turns = {{1, 0, 2, 0}}});
  EXPECT_EQ(graph.vertex_count(), 5);
  EXPECT_FALSE(TurnStates::of(graph).has_value());
  GraphBuilder named(2);
  named.set_labels({"A", "B->A"});
  EXPECT_FALSE(TurnStates::of(std::move(named).build()).has_value());
}

}  // namespace
}  // namespace apsp::turns_test
