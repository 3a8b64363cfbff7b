// Guesses of an order beside the order that is found.
#include "planner/findings.hpp"

#include <gtest/gtest.h>
#include <apsp/graph.hpp>
#include <apsp/io.hpp>

#include <algorithm>

#include "planner/elimination_model.hpp"
#include "planner/find_plan.hpp"
#include "planner/plan.hpp"
#include "sparse/order.hpp"
#include "sparse/small_degrees.hpp"
#include "sparse/tree.hpp"
#include "support/invented_devices.hpp"

namespace apsp::planner {
namespace {

TEST(OrderingEstimate, OfHubsIsAsWideAsTheOrdersDensePart) {
  for (const std::int64_t edges : {32000, 64000}) {
    const Graph graph = generate({.kind = GraphKind::rmat, .vertices = 5000, .edges = edges});
    const sparse::Pattern pattern = sparse::pattern_of(graph);
    const sparse::Tree tree(pattern, sparse::nested_dissection(pattern));
    std::int64_t widest = 0;
    for (sparse::SupernodeId s = 0; s < tree.supernodes(); ++s) {
      widest = std::max<std::int64_t>(widest, tree.width(s));
    }
    const double guess = estimate_ordering(graph).widest;
    EXPECT_GT(guess, 0.7 * static_cast<double>(widest)) << edges << " edges";
    EXPECT_LT(guess, 1.4 * static_cast<double>(widest)) << edges << " edges";
    EXPECT_LT(least_relaxations(estimate_ordering(graph), 5000),
              tree.elimination_relaxations() +
                  5000.0 * static_cast<double>(widest) * static_cast<double>(widest));
  }
}

TEST(OrderingEstimate, WithoutHubsIsTheOneOfMetis) {
  const Graph grid = generate({.kind = GraphKind::grid, .vertices = 2500});
  EXPECT_EQ(estimate_ordering(grid).widest, 0);
  EXPECT_EQ(least_relaxations(estimate_ordering(grid), 2500), 0);
  EXPECT_GT(estimate_ordering(grid).seconds, 0);
}

Graph roads() { return read_graph(APSP_SOURCE_DIR "/tests/data/liechtenstein_roads.gr.gz"); }

/// The same roads, each with another length on the way back, or one way only.
Graph directed(const Graph& graph, bool one_way) {
  GraphBuilder builder(graph.vertex_count());
  for (Vertex v = 0; v < static_cast<Vertex>(graph.vertex_count()); ++v) {
    graph.for_each_arc(v, [&](Vertex to, double weight) {
      if (v < to || !one_way) builder.add_edge(v, to, v < to ? weight : weight + 1);
    });
  }
  return std::move(builder).build();
}

TEST(OrderingEstimate, OfRoadsCountsWhatIsLeftAfterTheirSmallDegrees) {
  const Graph whole = roads();
  for (const Graph& graph : {whole, directed(whole, false), directed(whole, true)}) {
    const sparse::SmallDegrees small = sparse::eliminate_small_degrees(sparse::pattern_of(graph));
    const double left = ordering_seconds(static_cast<double>(small.rest.size()),
                                         static_cast<double>(small.core.neighbours.size()) / 2);
    const double all = ordering_seconds(static_cast<double>(graph.vertex_count()),
                                        static_cast<double>(graph.arc_count()) / 2);
    const double guess = estimate_ordering(graph).seconds;
    EXPECT_GE(guess, left);
    EXPECT_LT(guess, 2 * left);
    EXPECT_LT(guess, 0.6 * all) << "METIS does not see all vertices";
  }
}

TEST(OrderingEstimate, OfATreeIsNextToNothing) {
  const Graph path = generate({.kind = GraphKind::path, .vertices = 10'000, .directed = false});
  EXPECT_LT(estimate_ordering(path).seconds, 0.003);
  EXPECT_EQ(estimate_ordering(Graph()).seconds, 0);
}

/// A grid whose edges are chains of hops, as those of roads are.
Graph grid_of_chains(Vertex side, Vertex hops) {
  const std::int64_t edges = 2 * std::int64_t{side} * (side - 1);
  GraphBuilder builder(std::int64_t{side} * side + edges * (hops - 1), false);
  Vertex next = side * side;
  const auto chain = [&](Vertex from, Vertex to) {
    for (Vertex i = 1; i < hops; ++i, from = next++) builder.add_edge(from, next, 1);
    builder.add_edge(from, to, 1);
  };
  for (Vertex v = 0; v < side * side; ++v) {
    if ((v + 1) % side != 0) chain(v, v + 1);
    if (v + side < side * side) chain(v, v + side);
  }
  return std::move(builder).build();
}

TEST(OrderingEstimate, OfRoadsKeepsHopelessSearchesFromBeingMeasured) {
  const Graph graph = grid_of_chains(60, 8);
  RateSource rates;
  double worth = 0;
  rates.breadth_first = [&](const RateQuery& asked) {
    worth += asked.guess;
    return std::optional<BreadthFirstRates>();
  };
  rates.search = [&](const RateQuery& asked) {
    worth += asked.guess;
    return std::optional<SearchRates>();
  };
  rates.sample = [](auto&&...) -> std::optional<double> {
    ADD_FAILURE() << "searches that cannot win are tried out";
    return std::nullopt;
  };
  const Plan plan = find_plan(
      graph, {.machine = {.threads = 2}, .storage = {.keep = Keep::statistics}}, no_device, rates);
  EXPECT_EQ(plan.algorithm, Algorithm::nested_dissection);
  EXPECT_EQ(worth, 0) << "seconds that figures of searches are worth";
}

}  // namespace
}  // namespace apsp::planner
