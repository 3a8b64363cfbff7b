// Betweenness by every engine, against Brandes' algorithm as its paper has it.
#include <apsp/apsp.hpp>

#include "api/betweenness.hpp"

#include "base/random.hpp"
#include "support/graph_of.hpp"
#include "support/invented_devices.hpp"
#include "support/named_graphs.hpp"
#include "support/random_graph.hpp"
#include "support/recorded_progress.hpp"
#include "support/test.hpp"
#include "support/textbook.hpp"

namespace apsp::betweenness_test {
namespace {

std::vector<Vertex> every(std::int64_t n, std::int64_t step = 1) {
  std::vector<Vertex> vertices;
  for (std::int64_t v = n - 1; v >= 0; v -= step) vertices.push_back(static_cast<Vertex>(v));
  return vertices;
}

void expect_near(double found, double expected, const std::string& of) {
  EXPECT_NEAR(found, expected, 1e-11 * std::max(1.0, std::abs(expected))) << of;
}

void expect_sums(const Graph& graph, const Betweenness& found, const std::vector<Vertex>& sources,
                 bool endpoints) {
  const verifier::Betweenness expected = verifier::betweenness(graph, sources, endpoints);
  ASSERT_EQ(found.vertices.size(), expected.vertices.size());
  for (std::size_t v = 0; v < expected.vertices.size(); ++v) {
    expect_near(found.vertices[v], expected.vertices[v], "vertex " + std::to_string(v));
  }
  ASSERT_EQ(found.arcs.size(), found.of_arcs.size());
  const auto share = [&](Vertex u, Vertex v) {
    const auto at = expected.arcs.find({u, v});
    return at == expected.arcs.end() ? 0.0 : at->second;
  };
  std::size_t listed = 0;
  for (std::size_t i = 0; i < found.arcs.size(); ++i) {
    const auto [u, v, weight] = found.arcs[i];
    const bool both = !graph.directed();
    EXPECT_TRUE(both ? u < v : u != v);
    double least = 1e300;
    graph.for_each_arc_between(u, v, [&](double w) { least = std::min(least, w); });
    EXPECT_EQ(weight, least);
    expect_near(found.of_arcs[i], share(u, v) + (both ? share(v, u) : 0.0),
                std::to_string(u) + " → " + std::to_string(v));
    listed += expected.arcs.contains({u, v}) ? 1 : 0;
    if (both) listed += expected.arcs.contains({v, u}) ? 1 : 0;
  }
  EXPECT_EQ(listed, expected.arcs.size());
}

BetweennessOptions sums(bool endpoints = false) {
  BetweennessOptions options{.scale = PairScale::sums, .endpoints = endpoints, .arcs = true};
  return options;
}

TEST(Betweenness, IsThatOfBrandesOnGraphsOfManyShapes) {
  for (const double greatest : {1.0, 4.0, 1000.0}) {
    for (const NamedGraph& of : named_graphs(greatest)) {
      SCOPED_TRACE(of.name + " up to " + std::to_string(greatest));
      const std::int64_t n = of.graph.vertex_count();
      for (const bool endpoints : {false, true}) {
        BetweennessOptions options = sums(endpoints);
        expect_sums(of.graph, betweenness(of.graph, options), every(n), endpoints);
        if (n == 0) continue;
        options.sources = every(n, 3);
        expect_sums(of.graph, betweenness(of.graph, options), options.sources, endpoints);
      }
    }
  }
}

TEST(Betweenness, IsTheSameByEveryEngine) {
  const Graph graph = random_graph({.n = 200, .arcs = 420, .least = 1, .greatest = 3});
  const Betweenness expected = betweenness(graph, sums());
  expect_sums(graph, expected, every(200), false);
  for (const Algorithm algorithm : {Algorithm::floyd_warshall, Algorithm::nested_dissection,
                                    Algorithm::johnson, Algorithm::boundary}) {
    for (const int threads : {1, 3}) {
      BetweennessOptions options = sums();
      options.algorithm = algorithm;
      options.threads = threads;
      const Betweenness found = betweenness(graph, options);
      EXPECT_EQ(found.algorithm, algorithm);
      EXPECT_EQ(found.vertices, expected.vertices);
      EXPECT_EQ(found.of_arcs, expected.of_arcs);
    }
  }
}

TEST(Betweenness, CountsPathsOfLinksByBreadthFirstSearch) {
  const Graph graph = random_graph({.n = 150, .arcs = 500, .least = 1, .greatest = 1});
  BetweennessOptions options = sums();
  options.algorithm = Algorithm::breadth_first;
  expect_sums(graph, betweenness(graph, options), every(150), false);
}

TEST(Betweenness, ComparesRealSumsAsTheyAreRounded) {
  for (const bool directed : {false, true}) {
    const Graph graph = random_graph(
        {.n = 120, .arcs = 400, .least = 0.1, .greatest = 2, .real = true, .directed = directed});
    expect_sums(graph, betweenness(graph, sums()), every(120), false);
  }
  // 0.1 + 0.2 is not 0.3, but 0.25 + 0.5 is 0.75.
  const Graph rounded =
      graph_of(4, {{0, 1, 0.1}, {1, 3, 0.2}, {0, 2, 0.2}, {2, 3, 0.1}, {0, 3, 0.3}});
  EXPECT_EQ(betweenness(rounded, sums()).vertices, (std::vector<double>{0, 0, 0, 0}));
  const Graph exact = graph_of(3, {{0, 1, 0.25}, {1, 2, 0.5}, {0, 2, 0.75}});
  EXPECT_EQ(betweenness(exact, sums()).vertices, (std::vector<double>{0, 0.5, 0}));
}

TEST(Betweenness, TakesDistancesOfEverySize) {
  for (const double greatest : {3e4, 1e8, 1e12}) {
    const Graph graph = random_graph({.n = 80, .arcs = 240, .least = 1, .greatest = greatest});
    expect_sums(graph, betweenness(graph, sums()), every(80), false);
  }
  const Graph wide =
      graph_of(4, {{0, 1, 1e-6}, {1, 2, 1e9}, {2, 3, 1e-6}, {0, 3, 1e9}, {0, 2, 2e9 + 0.5}}, false);
  expect_sums(wide, betweenness(wide, sums()), every(4), false);
}

TEST(Betweenness, NeedsNoRowsInsideOfTrees) {
  const Graph tree = generate({.kind = GraphKind::star, .vertices = 50, .directed = false});
  const Betweenness found = betweenness(tree, sums());
  EXPECT_EQ(found.rows, 0);
  EXPECT_EQ(found.vertices[0], 49 * 48);
  // A triangle; from one corner hangs a path of 30.
  GraphBuilder builder(33, false);
  builder.add_edge(0, 1, 1);
  builder.add_edge(1, 2, 1);
  builder.add_edge(2, 0, 1);
  for (Vertex v = 2; v + 1 < 33; ++v) builder.add_edge(v, v + 1, 2);
  const Graph graph = std::move(builder).build();
  const Betweenness of = betweenness(graph, sums());
  EXPECT_EQ(of.rows, 3);
  expect_sums(graph, of, every(33), false);
}

/// A graph of decimal weights, from which trees hang.
Graph decimals_with_trees(std::uint64_t seed, bool directed) {
  constexpr std::int64_t kCore = 12, kAll = 24;
  base::SplitMix64 random(seed);
  GraphBuilder builder(kAll, directed);
  const auto weight = [&] { return static_cast<double>(1 + random.below(4)) / 10; };
  const auto add = [&](std::uint64_t u, std::uint64_t v) {
    const double w = weight();
    builder.add_edge(static_cast<Vertex>(u), static_cast<Vertex>(v), w);
    if (directed) builder.add_edge(static_cast<Vertex>(v), static_cast<Vertex>(u), w);
  };
  for (int i = 0; i < 20; ++i) add(random.below(kCore), random.below(kCore));
  for (std::uint64_t v = kCore; v < kAll; ++v) add(v, random.below(v));
  return std::move(builder).build();
}

TEST(Betweenness, OfRealWeightsAddsUpFromLeavesOfTrees) {
  // From 3 both paths to 0 are 0.4 long; from 2 they are 0.3 and 0.1 + 0.2.
  const Graph pendant = graph_of(4, {{0, 1, 0.1}, {1, 2, 0.2}, {0, 2, 0.3}, {2, 3, 0.1}}, false);
  EXPECT_EQ(betweenness(pendant).vertices[1], 0.25);
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const Graph graph = decimals_with_trees(seed, seed % 2 == 0);
    SCOPED_TRACE(seed);
    BetweennessOptions options = sums(seed % 3 == 0);
    if (seed % 5 == 0) options.sources = every(24, 3);
    const Betweenness here = betweenness(graph, options);
    expect_sums(graph, here, seed % 5 == 0 ? options.sources : every(24), options.endpoints);
    if (seed % 10 != 0) continue;
    options.device = Device::cuda;
    const Betweenness there = api::betweenness_among(planner::one_device, graph, options);
    EXPECT_TRUE(there.counted_on_device);
    EXPECT_EQ(there.vertices, here.vertices);
    EXPECT_EQ(there.of_arcs, here.of_arcs);
  }
}

TEST(Betweenness, HasTheSameBitsOnAnyNumberOfThreads) {
  const Graph graph =
      generate({.kind = GraphKind::grid, .vertices = 400, .greatest_weight = 3, .directed = false});
  BetweennessOptions options = sums();
  options.threads = 1;
  const Betweenness one = betweenness(graph, options);
  for (const int threads : {2, 5}) {
    options.threads = threads;
    const Betweenness many = betweenness(graph, options);
    EXPECT_EQ(many.vertices, one.vertices);
    EXPECT_EQ(many.of_arcs, one.of_arcs);
  }
}

TEST(Betweenness, IsScaledAsAllPairsOrAsTheirShare) {
  const Graph path = generate({.kind = GraphKind::path, .vertices = 4, .directed = false});
  BetweennessOptions options;
  EXPECT_EQ(betweenness(path, options).vertices, (std::vector<double>{0, 2, 2, 0}));
  options.scale = PairScale::normalized;
  EXPECT_EQ(betweenness(path, options).vertices, (std::vector<double>{0, 4. / 6, 4. / 6, 0}));
  options.endpoints = true;
  const Betweenness ends = betweenness(path, options);
  EXPECT_THAT(ends.vertices,
              testing::Pointwise(testing::DoubleEq(), {0.5, 10. / 12, 10. / 12, 0.5}));
  options = {};
  options.sources = {0, 1};
  options.arcs = true;
  // From 0 two pairs pass through 1; it is no other source's. From 0 and 1 one pair each through 2.
  const Betweenness some = betweenness(path, options);
  EXPECT_EQ(some.vertices, (std::vector<double>{0, 2 * 3. / 2, 2 * 3. / 4, 0}));
  EXPECT_EQ(some.of_arcs, (std::vector<double>{4, 4, 2}));
  options.sources = {1};
  EXPECT_TRUE(std::isnan(betweenness(path, options).vertices[1]));
  const Graph directed = generate({.kind = GraphKind::path, .vertices = 4});
  EXPECT_EQ(betweenness(directed).vertices, (std::vector<double>{0, 2, 2, 0}));
}

TEST(Betweenness, OfADeviceIsThatOfTheCpu) {
  const Graph hops = random_graph({.n = 130, .arcs = 300, .least = 1, .greatest = 1});
  const Graph whole =
      random_graph({.n = 140, .arcs = 320, .least = 1, .greatest = 9, .directed = false});
  const Graph real =
      random_graph({.n = 90, .arcs = 250, .least = 0.5, .greatest = 9, .real = true});
  for (const auto& [graph, algorithm] :
       {std::pair(hops, Algorithm::breadth_first), std::pair(whole, Algorithm::nested_dissection),
        std::pair(whole, Algorithm::johnson), std::pair(real, Algorithm::johnson),
        std::pair(whole, Algorithm::floyd_warshall)}) {
    BetweennessOptions options = sums();
    options.algorithm = algorithm;
    options.device = Device::cpu;
    const Betweenness here = betweenness(graph, options);
    options.device = Device::cuda;
    const Betweenness there = api::betweenness_among(planner::one_device, graph, options);
    EXPECT_EQ(there.device_ordinals, std::vector{0});
    EXPECT_EQ(there.counted_on_device, algorithm != Algorithm::floyd_warshall);
    EXPECT_EQ(there.vertices, here.vertices);
    EXPECT_EQ(there.of_arcs, here.of_arcs);
  }
}

/// Rows fill the stages of a device several times, and two devices add up to the same bits.
TEST(Betweenness, OfDevicesThatTakeManyRowsIsThatOfTheCpu) {
  const Graph graph = random_graph({.n = 2500, .arcs = 4000, .least = 1, .greatest = 3});
  BetweennessOptions options = sums(true);
  options.arcs = false;
  const Betweenness here = betweenness(graph, options);
  constexpr auto two = planner::several_devices<2>;
  const auto small = [] {
    return planner::invented_devices({planner::invented_h200(0, std::int64_t{24} << 20)});
  };
  options.device = Device::cuda;
  EXPECT_EQ(api::betweenness_among(small, graph, options).vertices, here.vertices);
  options.device_ordinals = {0, 1};
  const Betweenness there = api::betweenness_among(two, graph, options);
  EXPECT_EQ(there.device_ordinals, (std::vector{0, 1}));
  EXPECT_EQ(there.vertices, here.vertices);
}

TEST(Betweenness, IsCountedByTheCpuWhereNoRowsStayOnADevice) {
  const Graph graph = random_graph({.n = 300, .arcs = 600, .least = 1, .greatest = 3});
  BetweennessOptions options = sums();
  options.algorithm = Algorithm::floyd_warshall;
  options.device = Device::cuda;
  EXPECT_FALSE(api::betweenness_among(planner::one_device, graph, options).counted_on_device);
  options.device = Device::automatic;
  options.algorithm = Algorithm::automatic;
  EXPECT_EQ(api::betweenness_among(planner::one_device, graph, options).device_ordinals,
            std::vector<int>());
}

TEST(Betweenness, RefusesWhatItCannotCount) {
  const auto error = [](const Graph& graph, const BetweennessOptions& options = {}) {
    return error_of([&] { betweenness(graph, options); });
  };
  const Error zero = error(graph_of(2, {{0, 1, 0}}));
  EXPECT_EQ(zero.kind(), ErrorKind::usage);
  error(graph_of(2, {{0, 1, -2}}));
  BetweennessOptions options{.sources = {1, 1}};
  error(graph_of(2, {{0, 1, 1}}), options);
  options.sources = {2};
  EXPECT_EQ(error(graph_of(2, {{0, 1, 1}}), options).kind(), ErrorKind::usage);
  options = {};
  options.algorithm = Algorithm::nested_dissection;
  error(graph_of(3, {{0, 1, 0.5}, {1, 2, 1}}), options);
  const Error lost = error(graph_of(4, {{0, 1, 1e-9}, {1, 2, 1e9}, {2, 3, 1}}));
  EXPECT_EQ(lost.kind(), ErrorKind::usage);
  options = {};
  options.memory = 1 << 20;
  EXPECT_EQ(error(random_graph({.n = 100000, .arcs = 200000, .least = 1}), options).kind(),
            ErrorKind::does_not_fit);
}

TEST(Betweenness, RefusesMorePathsThanDoublesCount) {
  GraphBuilder builder(3 * 1100 + 1);
  for (Vertex v = 0; v < 3 * 1100; v += 3) {
    builder.add_edge(v, v + 1, 1);
    builder.add_edge(v, v + 2, 1);
    builder.add_edge(v + 1, v + 3, 1);
    builder.add_edge(v + 2, v + 3, 1);
  }
  BetweennessOptions options{.sources = {0}};
  const Graph graph = std::move(builder).build();
  EXPECT_ERROR(usage, betweenness(graph, options));
  options.device = Device::cuda;
  EXPECT_ERROR(usage, api::betweenness_among(planner::one_device, graph, options));
  options.device = Device::automatic;
  options.sources = {3 * 100};
  EXPECT_GT(betweenness(graph, options).vertices[3 * 1099], 0);
}

TEST(Betweenness, TellsProgressAndEndsWhenItIsCancelled) {
  RecordedProgress progress;
  BetweennessOptions options;
  options.control = {&progress, &progress.cancellation};
  options.algorithm = Algorithm::johnson;
  const Graph graph = generate({.kind = GraphKind::grid, .vertices = 400, .directed = false});
  betweenness(graph, options);
  EXPECT_EQ(progress.totals["solving"], 400);
  EXPECT_TRUE(progress.complete());
  progress.cancel_when = [&] { return progress.done > 100; };
  EXPECT_ERROR(interrupted, betweenness(graph, options));
}

}  // namespace
}  // namespace apsp::betweenness_test
