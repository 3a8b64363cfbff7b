// Radius and centre of a graph of several components are those of the largest one, by every engine.
#include <apsp/apsp.hpp>

#include "api/solve.hpp"
#include "graph/components.hpp"
#include "support/graph_of.hpp"
#include "support/invented_devices.hpp"
#include "support/random_graph.hpp"
#include "support/same_statistics.hpp"
#include "support/test.hpp"

namespace apsp::islands_test {
namespace {

/// The figures of the largest component are those of its subgraph, solved by itself.
void expect_islands(const Graph& graph, const Result& result) {
  const Statistics& found = result.statistics();
  const auto largest = graph::largest_of_several(graph);
  ASSERT_EQ(found.component.has_value(), largest.has_value());
  if (!largest) return;
  const Statistics part = solve(largest_component(graph)).statistics();
  EXPECT_EQ(part.component.has_value(), false);
  EXPECT_EQ(found.component->components, largest->components);
  EXPECT_EQ(found.component->vertices, part.vertices);
  EXPECT_EQ(found.component->pairs, part.pairs);
  EXPECT_EQ(found.radius, part.radius);
  EXPECT_EQ(found.component->diameter, part.diameter);
  ASSERT_EQ(found.component->mean.has_value(), part.mean.has_value());
  if (!part.mean) return;
  EXPECT_NEAR(*found.component->mean, *part.mean, 1e-12 * *part.mean);
  EXPECT_EQ(found.radius_pair->from, largest->vertices[part.radius_pair->from]);
  EXPECT_EQ(found.radius_pair->to, largest->vertices[part.radius_pair->to]);
  EXPECT_EQ(found.component->diameter_pair->from, largest->vertices[part.diameter_pair->from]);
  EXPECT_EQ(found.component->diameter_pair->to, largest->vertices[part.diameter_pair->to]);
  EXPECT_GE(*found.diameter, *part.diameter);
}

/// The same edges with halves of their weights: real ones, whose sums no type rounds.
Graph with_halves(const Graph& graph) {
  std::vector<double> weights;
  graph.visit_all([&](Vertex from, Vertex to, double weight) {
    if (graph.directed() || from <= to) weights.push_back(weight / 2);
  });
  return with_weights(graph, weights);
}

std::vector<Graph> islands() {
  std::vector<Graph> graphs;
  for (const bool directed : {false, true}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      graphs.push_back(
          random_graph(90, directed ? 150 : 60, 1, 9, {.directed = directed, .seed = seed}));
      graphs.push_back(with_halves(graphs.back()));
    }
  }
  graphs.push_back(random_graph({.n = 60, .arcs = 90, .least = 1, .acyclic = true}));
  graphs.push_back(graph_of(4, {}));
  return graphs;
}

TEST(Islands, HaveTheRadiusOfTheLargestByEveryEngine) {
  for (const Graph& graph : islands()) {
    for (const Algorithm algorithm :
         {Algorithm::floyd_warshall, Algorithm::johnson, Algorithm::nested_dissection}) {
      for (const Keep keep : {Keep::automatic, Keep::statistics}) {
        SCOPED_TRACE(name(algorithm));
        SolveOptions options{.method = {.algorithm = algorithm}};
        options.storage.keep = keep;
        options.machine.threads = 3;
        expect_islands(graph, solve(graph, options));
      }
    }
  }
}

TEST(Islands, OfADeviceAreThoseOfTheCpu) {
  for (const Graph& graph : islands()) {
    if (graph.arc_count() == 0) continue;
    for (const Algorithm algorithm : {Algorithm::johnson, Algorithm::nested_dissection}) {
      SolveOptions options{.method = {.algorithm = algorithm}};
      options.storage.keep = Keep::statistics;
      const Statistics here = solve(graph, options).statistics();
      options.machine.device = Device::cuda;
      statistics::expect_same(api::solve_among(planner::one_device, graph, options).statistics(),
                              here);
    }
  }
}

TEST(Islands, HaveStatisticsOfTheLargestAlone) {
  for (const Graph& graph : islands()) {
    for (const Keep keep : {Keep::matrix, Keep::factor}) {
      SolveOptions options{.storage = {.keep = keep}};
      if (keep == Keep::factor) options.method.algorithm = Algorithm::nested_dissection;
      const Result result = solve(graph, options);
      const Statistics found = result.component_statistics();
      const auto largest = graph::largest_of_several(graph);
      const Statistics part = solve(largest_component(graph)).statistics();
      EXPECT_EQ(found.vertices, part.vertices);
      EXPECT_EQ(found.reachable_pairs, part.reachable_pairs);
      EXPECT_TRUE(found.connected);
      EXPECT_EQ(found.radius, part.radius);
      EXPECT_EQ(found.diameter, part.diameter);
      EXPECT_EQ(found.median, part.median);
      ASSERT_EQ(found.eccentricity.size(), static_cast<std::size_t>(graph.vertex_count()));
      for (Vertex v = 0; v < found.eccentricity.size(); ++v) {
        EXPECT_EQ(std::isnan(found.eccentricity[v]), largest->holds[v] == 0);
      }
      for (std::size_t i = 0; i < largest->vertices.size(); ++i) {
        EXPECT_EQ(found.eccentricity[largest->vertices[i]], part.eccentricity[i]);
        EXPECT_NEAR(found.closeness[largest->vertices[i]], part.closeness[i], 1e-9);
      }
    }
  }
}

TEST(Islands, BoundTheRadiusBySourcesOfTheLargest) {
  // 0 → 1 → 2 → 0 is the largest component; 3 reaches it, and 4 is reached from it.
  const Graph graph = graph_of(5, {{0, 1, 1}, {1, 2, 1}, {2, 0, 1}, {3, 0, 1}, {2, 4, 9}});
  const Statistics all = solve(graph).statistics();
  EXPECT_EQ(all.radius, 2);
  EXPECT_EQ(all.radius_pair->from, 0u);
  EXPECT_EQ(all.radius_pair->to, 2u);
  EXPECT_EQ(all.diameter, 12);
  EXPECT_EQ(all.component->diameter, 2);
  EXPECT_EQ(all.component->mean, 1.5);
  EXPECT_EQ(all.unreachable_pairs(), 7);
  const Statistics some = solve(graph, {.question = {.sources = {3, 1}}}).statistics();
  EXPECT_EQ(some.radius_at_most, 2);
  EXPECT_EQ(some.radius_pair->from, 1u);
  EXPECT_FALSE(solve(graph, {.question = {.sources = {3}}}).statistics().radius_at_most);
}

TEST(LargestComponent, KeepsNamesAndTheOrderOfVertices) {
  GraphBuilder builder(5, false);
  builder.add_edge(1, 4, 2.5);
  builder.add_edge(4, 3, 1);
  builder.add_edge(0, 2, 1);
  builder.add_edge(4, 4, 7);
  builder.set_labels({"a", "b", "c", "d", "e"});
  const Graph part = largest_component(std::move(builder).build());
  EXPECT_EQ(part.vertex_count(), 3);
  EXPECT_EQ(part.edge_count(), 3);
  EXPECT_FALSE(part.directed());
  EXPECT_EQ(part.name(0), "b");
  EXPECT_EQ(part.name(1), "d");
  EXPECT_EQ(part.name(2), "e");
  ASSERT_EQ(part.remarks().size(), 1u);
  const Graph numbered = largest_component(graph_of(4, {{2, 3, 1}, {3, 2, 1}}));
  EXPECT_EQ(numbered.name(0), "2");
}

}  // namespace
}  // namespace apsp::islands_test
