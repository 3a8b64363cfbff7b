#include <apsp/loads.hpp>
#include <apsp/turns.hpp>
#include <random>

#include "support/graph_of.hpp"
#include "support/test.hpp"
#include "support/textbook.hpp"

namespace apsp::loads_test {
namespace {

constexpr double kUnreachable = std::numeric_limits<double>::infinity();
using Arcs = std::map<std::pair<Vertex, Vertex>, double>;

Arcs lightest(const Graph& graph) {
  Arcs arcs;
  graph.visit_all([&](Vertex u, Vertex v, double weight) {
    if (u != v && !arcs.contains({u, v})) arcs[{u, v}] = weight;
  });
  return arcs;
}

/// The path of fewest edges among the shortest ones, then with the smallest vertices from its end.
std::vector<Vertex> path(const Arcs& arcs, const std::vector<double>& row, Vertex s, Vertex t) {
  std::vector<int> level(row.size(), -1);
  level[s] = 0;
  for (std::size_t round = 1; round < row.size(); ++round) {
    for (const auto& [ends, weight] : arcs) {
      const auto [u, v] = ends;
      const bool tight = row[u] < kUnreachable && row[u] + weight == row[v];
      if (tight && level[v] < 0 && level[u] == static_cast<int>(round) - 1) {
        level[v] = static_cast<int>(round);
      }
    }
  }
  std::vector<Vertex> back = {t};
  while (back.back() != s) {
    const Vertex v = back.back();
    for (Vertex u = 0; u < row.size(); ++u) {
      const auto arc = arcs.find({u, v});
      if (arc == arcs.end() || level[u] != level[v] - 1 || row[u] + arc->second != row[v]) continue;
      back.push_back(u);
      break;
    }
  }
  std::ranges::reverse(back);
  return back;
}

/// Shares of all shortest paths s … t, by counting them in both directions.
void split(const Arcs& arcs, const std::vector<double>& closed, std::size_t n, Vertex s, Vertex t,
           double volume, Arcs& flows) {
  const auto at = [&](Vertex u, Vertex v) { return closed[u * n + v]; };
  const auto count = [&](Vertex from, Vertex to) {
    std::vector<Vertex> order;
    for (Vertex v = 0; v < n; ++v) {
      if (at(from, v) < kUnreachable) order.push_back(v);
    }
    std::ranges::sort(order, {}, [&](Vertex v) { return at(from, v); });
    std::vector<double> paths(n, 0.0);
    paths[from] = 1;
    for (const Vertex v : order) {
      for (Vertex u = 0; u < n; ++u) {
        const auto arc = arcs.find({u, v});
        if (arc != arcs.end() && at(from, u) + arc->second == at(from, v)) paths[v] += paths[u];
      }
    }
    return paths[to];
  };
  const double all = count(s, t);
  for (const auto& [ends, weight] : arcs) {
    const auto [u, v] = ends;
    if (at(s, u) + weight + at(v, t) != at(s, t)) continue;
    flows[ends] += volume * count(s, u) * count(v, t) / all;
  }
}

Graph random_graph(std::mt19937& random, std::uint32_t least) {
  const auto below = [&](std::uint32_t bound) { return static_cast<Vertex>(random() % bound); };
  const Vertex n = 2 + below(8);
  GraphBuilder builder(n, below(2) == 0);
  for (std::uint32_t i = below(4 * n + 1); i > 0; --i) {
    builder.add_edge(below(n), below(n), least + below(3));  // many ties
  }
  return std::move(builder).build();
}

Demand random_demand(std::mt19937& random, std::int64_t n) {
  Demand demand;
  const std::size_t count = random() % 20;
  for (std::size_t i = 0; i < count; ++i) {
    demand.pairs.push_back({static_cast<Vertex>(random() % static_cast<std::uint64_t>(n)),
                            static_cast<Vertex>(random() % static_cast<std::uint64_t>(n))});
  }
  for (std::size_t i = 0; i < 2 * count; ++i) {
    demand.volumes.push_back(static_cast<double>(random() % 5));
  }
  return demand;
}

TEST(Loads, AreThoseOfThePathsOneByOne) {
  std::mt19937 random(3);
  for (int seed = 0; seed < 500; ++seed) {
    const bool splits = seed % 2 == 0;
    const Graph graph = random_graph(random, splits ? 1 : 0);
    const auto n = static_cast<std::size_t>(graph.vertex_count());
    const Demand demand = random_demand(random, graph.vertex_count());
    const Arcs arcs = lightest(graph);
    LoadOptions options{.split = splits, .threads = 1 + seed % 2};
    if (!splits) {
      for (const auto& [ends, weight] : arcs) options.select.push_back({ends.first, ends.second});
    }
    const Loads found = loads(graph, demand, options);
    const std::vector<double> closed = verifier::floyd_warshall(graph, Semiring::min_plus);
    ASSERT_EQ(found.arcs.size(), arcs.size());
    std::int64_t without_path = 0;
    std::vector<SelectedTrip> selected;
    for (std::size_t c = 0; c < 2 && !demand.pairs.empty(); ++c) {
      Arcs flows;
      double cost = 0, left_out = 0;
      for (std::size_t i = 0; i < demand.pairs.size(); ++i) {
        const auto [s, t] = demand.pairs[i];
        const double volume = demand.volumes[c * demand.pairs.size() + i];
        const double distance = s == t ? 0 : closed[s * n + t];
        const bool used = volume > 0 || demand.volumes[(1 - c) * demand.pairs.size() + i] > 0;
        if (distance == kUnreachable) {
          left_out += volume;
          without_path += used && c == 0;
          continue;
        }
        cost += volume * distance;
        if (s == t || !used) continue;
        if (splits) {
          split(arcs, closed, n, s, t, volume, flows);
          continue;
        }
        const std::vector<double> row(closed.begin() + static_cast<std::ptrdiff_t>(s * n),
                                      closed.begin() + static_cast<std::ptrdiff_t>(s * n + n));
        const std::vector<Vertex> way = path(arcs, row, s, t);
        for (std::size_t k = 1; k < way.size(); ++k) {
          flows[{way[k - 1], way[k]}] += volume;
          if (c > 0) continue;
          const auto at = std::distance(arcs.begin(), arcs.find({way[k - 1], way[k]}));
          selected.push_back({at, static_cast<std::int64_t>(i)});
        }
      }
      EXPECT_EQ(found.costs[c], cost) << seed;
      EXPECT_EQ(found.left_out[c], left_out) << seed;
      for (std::size_t a = 0; a < found.arcs.size(); ++a) {
        const double expected = flows[{found.arcs[a].from, found.arcs[a].to}];
        const double got = found.volumes[c * found.arcs.size() + a];
        ASSERT_NEAR(got, expected, splits ? 1e-12 * (1 + expected) : 0) << seed;
      }
    }
    EXPECT_EQ(found.without_path, without_path) << seed;
    std::ranges::sort(selected);
    EXPECT_EQ(found.selected, selected) << seed;
  }
}

TEST(Loads, OfAResultAreThoseOfItsGraph) {
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    const auto below = [&](std::size_t i) { return static_cast<Vertex>((i * 7 + seed) % 20); };
    GraphBuilder builder(20, seed % 2 == 0);
    for (std::size_t i = 0; i < 50; ++i) {
      const double weight = 1 + below(5 * i) % 4 + (seed % 4 == 3 ? 0.1 * below(i) : 0.0);
      builder.add_edge(below(i * i), below(11 * i + i / 20), weight);
    }
    Graph graph = std::move(builder).build();
    if (seed % 3 == 0) graph = with_turns(graph, {.u_turns = 2});
    Demand demand;
    for (std::size_t i = 0; i < 30; ++i) {
      demand.pairs.push_back({below(i), below(3 * i + 1)});
      demand.volumes.push_back(static_cast<double>(i % 5));
    }
    SolveOptions solving;
    solving.storage.keep = seed % 5 == 0 ? Keep::matrix : Keep::factor;
    if (seed % 7 == 0) solving.question.sources = {0, 3};
    if (solving.question.sources.size() > 0) solving.storage.keep = Keep::matrix;
    const Result result = solve(graph, solving);
    const LoadOptions options{.split = seed % 3 == 1};
    const Loads expected = loads(graph, demand, options), found = loads(result, demand, options);
    EXPECT_EQ(found.volumes, expected.volumes) << seed;
    EXPECT_EQ(found.without_path, expected.without_path) << seed;
    EXPECT_NEAR(found.costs[0], expected.costs[0], seed % 4 == 3 ? 1e-4 : 0) << seed;  // f32
    EXPECT_EQ(found.plan.find("result") != std::string::npos,
              solving.question.sources.empty() && !(options.split && seed % 4 == 3))
        << seed << found.plan;
  }
}

TEST(Loads, OfTurnsAreThoseOfVertices) {
  GraphBuilder builder(4, false);  // 0 - 1 - 2, and 1 - 3 - 2
  builder.add_edge(0, 1, 10);
  builder.add_edge(1, 2, 10);
  builder.add_edge(1, 3, 10);
  builder.add_edge(3, 2, 1);
  const Graph graph = with_turns(std::move(builder).build(), {.turns = {{0, 1, 2, kUnreachable}}});
  const Loads found = loads(graph, {{{0, 2}, {1, 2}}, {5, 3}}, {.select = {{1, 2}, {1, 3}}});
  Arcs flows;
  for (std::size_t i = 0; i < found.arcs.size(); ++i) {
    flows[{found.arcs[i].from, found.arcs[i].to}] = found.volumes[i];
  }
  const Arcs expected = {{{0, 1}, 5}, {{1, 0}, 0}, {{1, 2}, 3}, {{1, 3}, 5},
                         {{2, 1}, 0}, {{2, 3}, 0}, {{3, 1}, 0}, {{3, 2}, 5}};
  EXPECT_EQ(flows, expected);
  EXPECT_EQ(found.costs[0], 5 * 21 + 3 * 10);
  EXPECT_EQ(found.selected, (std::vector<SelectedTrip>{{0, 1}, {1, 0}}));
}

TEST(Loads, OfOtherDemandsAreRefused) {
  const Graph graph = graph_of(3, {{0, 1, 0}, {1, 2, 3}});
  const auto kind = [&](const Demand& demand, const LoadOptions& options = {}) {
    return error_of([&] { loads(graph, demand, options); }).kind();
  };
  EXPECT_EQ(kind({{{0, 2}}, {}}), ErrorKind::usage);
  EXPECT_EQ(kind({{{0, 3}}, {1}}), ErrorKind::usage);
  EXPECT_EQ(kind({{{0, 2}}, {-1}}), ErrorKind::usage);
  EXPECT_EQ(kind({{{0, 2}}, {kUnreachable}}), ErrorKind::usage);
  EXPECT_EQ(kind({{{0, 2}}, {1}}, {.split = true}), ErrorKind::usage);  // a weight of 0
  EXPECT_EQ(kind({{{0, 2}}, {1}}, {.select = {{2, 0}}}), ErrorKind::usage);
  EXPECT_EQ(kind({{{0, 2}}, {1}}, {.select = {{0, 1}, {0, 1}}}), ErrorKind::usage);
  EXPECT_TRUE(loads(graph, {}).volumes.empty());
}

}  // namespace
}  // namespace apsp::loads_test
