// Paths of intermediate vertices that a GPU has found, where many paths are equally good.
#include <apsp/apsp.hpp>

#include "base/random.hpp"
#include "support/graph_of.hpp"
#include "support/on_gpu.hpp"
#include "support/test.hpp"

namespace apsp::via_test {
namespace {

class ViaOnGpu : public OnGpu {};

/// Each path by way of its intermediate vertices is as long as its distance.
void expect_paths(const Graph& graph, std::optional<ValueType> type) {
  SolveOptions options;
  options.method.algorithm = Algorithm::floyd_warshall;
  options.machine.device = Device::cuda;
  options.method.value_type = type;
  options.question.via = true;
  const Result result = solve(graph, options);
  const auto n = static_cast<Vertex>(graph.vertex_count());
  const Vertex step = 1 + n / 40;
  for (Vertex s = 0; s < n; s += step) {
    for (Vertex t = 0; t < n; ++t) {
      const std::vector<Vertex> path = result.path_by_via(s, t);
      ASSERT_EQ(path.empty(), !result.reachable(s, t)) << s << " to " << t << " of " << n;
      double length = 0;
      for (std::size_t i = 0; i + 1 < path.size(); ++i) {
        double least = INFINITY;
        graph.for_each_arc_between(path[i], path[i + 1],
                                   [&](double weight) { least = std::min(least, weight); });
        length += least;
      }
      if (path.empty()) continue;
      ASSERT_EQ(length, result.distance(s, t)) << s << " to " << t << " of " << n;
    }
  }
}

TEST_F(ViaOnGpu, LeadToTheEndWherePathsCostNothing) {
  for (const Vertex n : {4, 8, 30, 128, 129, 300}) {
    std::vector<Edge> chain;
    for (Vertex v = 0; v + 1 < n; ++v) chain.push_back({v, v + 1, 0.0});
    for (const ValueType type : {ValueType::u16, ValueType::i32, ValueType::f32, ValueType::f64}) {
      expect_paths(graph_of(n, chain, false), type);
    }
  }
}

TEST_F(ViaOnGpu, LeadToTheEndWhereCyclesCostNothing) {
  base::SplitMix64 random(7);
  for (const Vertex n : {5, 20, 90, 200, 400}) {
    std::vector<Edge> edges;
    for (Vertex arc = 0; arc < 4 * n; ++arc) {
      const auto from = static_cast<Vertex>(random.below(n)),
                 to = static_cast<Vertex>(random.below(n));
      // By potentials: negative arcs, no negative cycle.
      const double weight = static_cast<double>(random.below(3)) +
                            static_cast<double>(from * 7 % 11) - static_cast<double>(to * 7 % 11);
      if (from != to) edges.push_back({from, to, weight});
    }
    for (const ValueType type : {ValueType::i32, ValueType::f32, ValueType::f64}) {
      expect_paths(graph_of(n, edges, true), type);
    }
  }
}

}  // namespace
}  // namespace apsp::via_test
