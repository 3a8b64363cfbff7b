// Solves in a type that holds every distance, but not every sum met on the way nor every weight.
#include <gtest/gtest.h>
#include <apsp/apsp.hpp>

#include <string>
#include <utility>
#include <vector>

#include "api/solve.hpp"
#include "support/error_of.hpp"
#include "support/graph_of.hpp"
#include "support/invented_devices.hpp"
#include "support/random_graph.hpp"
#include "support/textbook.hpp"
#include "support/zigzag.hpp"

namespace apsp {
namespace {

constexpr std::int64_t kMost16 = 32766;
constexpr std::int64_t kMost32 = (1 << 30) - 2;

/// Arcs of every weight that might wrap, and that no shortest path takes.
std::vector<Edge> baits(std::int64_t n) {
  std::vector<Edge> edges;
  double weight = 32767;
  for (std::int64_t u = 0; u + 1 < n; u += 3) {
    for (const std::int64_t v : {u, u + 1, n - 1 - u}) {
      edges.push_back({static_cast<Vertex>(u), static_cast<Vertex>(v), weight});
      weight = weight == 32767 ? 32768 : weight == 32768 ? 65535 : weight + 1;
    }
  }
  return edges;
}

/// Rings of directed arcs, each joined to the next one by an arc, and a vertex apart.
Graph rings(std::int64_t count, std::int64_t length, double weight) {
  std::vector<Edge> edges;
  for (std::int64_t ring = 0; ring < count; ++ring) {
    const std::int64_t first = ring * length;
    for (std::int64_t i = 0; i < length; ++i) {
      edges.push_back(
          {static_cast<Vertex>(first + i), static_cast<Vertex>(first + (i + 1) % length), weight});
    }
    if (ring + 1 == count) continue;
    edges.push_back(
        {static_cast<Vertex>(first), static_cast<Vertex>(first + length + 1), weight + 1});
    edges.push_back({static_cast<Vertex>(first), static_cast<Vertex>(first + length), 65536});
  }
  return graph_of(count * length + 1, edges);
}

void expect_right(const Result& result, const Graph& graph, ValueType type) {
  ASSERT_EQ(result.value_type(), type);
  for (Vertex s = 0; s < graph.vertex_count(); ++s) {
    ASSERT_EQ(result.distances_from(s), verifier::dijkstra(graph, s)) << "from " << s;
  }
  EXPECT_TRUE(result.verify().passed);
}

/// On the CPU by every algorithm, with and without intermediate vertices, and on a device.
void expect_solved(const Graph& graph, ValueType type) {
  SolveOptions options{.method = {.value_type = type, .tile = 16}, .machine = {.threads = 2}};
  for (const Algorithm algorithm :
       {Algorithm::floyd_warshall, Algorithm::nested_dissection, Algorithm::johnson}) {
    options.method.algorithm = algorithm;
    expect_right(solve(graph, options), graph, type);
  }
  options.method.algorithm = Algorithm::floyd_warshall;
  for (const bool via : {false, true}) {
    options.question.via = via;
    options.machine.device = Device::cpu;
    expect_right(solve(graph, options), graph, type);
    options.machine.device = Device::cuda;
    expect_right(api::solve_among(planner::one_device, graph, options), graph, type);
  }
}

TEST(NarrowSolve, TheLongestDistanceIsTheLargestValue) {
  expect_solved(zigzag(70, kMost16), ValueType::u16);
  expect_solved(zigzag(70, kMost16, baits(70)), ValueType::u16);
  const Result result = solve(zigzag(600, kMost16, baits(600)));
  EXPECT_EQ(result.value_type(), ValueType::u16);
  EXPECT_EQ(result.distance(0, 599), kMost16);
  EXPECT_EQ(*result.statistics().diameter, kMost16);
}

TEST(NarrowSolve, OneMoreTakesTheNextType) {
  const Result result = solve(zigzag(600, kMost16 + 1, baits(600)));
  EXPECT_EQ(result.value_type(), ValueType::i32);
  EXPECT_EQ(result.distance(0, 599), kMost16 + 1);
  EXPECT_ERROR(does_not_fit,
               solve(zigzag(70, kMost16 + 1), {.method = {.value_type = ValueType::u16}}));
}

TEST(NarrowSolve, WordsAtTheirLimit) {
  expect_solved(zigzag(70, kMost32, {{0, 69, 0x1p31}, {1, 2, 0x1p32 + 1}, {5, 40, 0x1p30 - 1}}),
                ValueType::i32);
}

TEST(NarrowSolve, RandomGraphsWithHeavyArcs) {
  for (const bool directed : {false, true}) {
    for (const std::int64_t arcs : {50, 90, 400}) {
      const Graph light =
          random_graph({.n = 65, .arcs = arcs, .least = 1, .greatest = 200, .directed = directed});
      GraphBuilder builder(65, directed);
      light.visit_all([&](Vertex from, Vertex to, double weight) {
        if (!directed && from > to) return;
        builder.add_edge(from, to, weight);
        builder.add_edge(from, to, weight + 65535);  // parallel: would wrap to one less
      });
      expect_solved(std::move(builder).build(), ValueType::u16);
    }
  }
}

TEST(NarrowSolve, ACondensation) { expect_solved(rings(6, 11, 250), ValueType::u16); }

TEST(NarrowSolve, PathsAreOfTheGraph) {
  const Graph graph = zigzag(70, kMost16, baits(70));
  const Result result = solve(graph, {.method = {.value_type = ValueType::u16}});
  EXPECT_EQ(result.path(0, 69).size(), 70U);
}

}  // namespace
}  // namespace apsp
