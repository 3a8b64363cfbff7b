// Guesses of an order beside the order that is found.
#include "planner/findings.hpp"

#include <apsp/graph.hpp>
#include <apsp/io.hpp>

#include "base/random.hpp"
#include "planner/elimination_model.hpp"
#include "planner/find_plan.hpp"
#include "planner/plan.hpp"
#include "sparse/order.hpp"
#include "sparse/small_degrees.hpp"
#include "sparse/tree.hpp"
#include "support/invented_devices.hpp"
#include "support/test.hpp"

namespace apsp::planner::findings_test {
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

// Plans by samples beside the plans that a solve makes.

constexpr std::int64_t kAll = 0;  // graphs of any size are sampled

struct Sampled {
  std::string name;
  Graph graph;
  bool tells;  // samples tell enough
};

Graph generated(GraphKind kind, std::int64_t vertices, bool directed) {
  GenerateOptions options{.kind = kind, .vertices = vertices, .directed = directed};
  options.probability = 4.0 / static_cast<double>(vertices);
  if (kind == GraphKind::rmat) options.edges = 4 * vertices;
  return generate(options);
}

/// A ring on which each vertex knows three on either side, a tenth of them elsewhere instead.
Graph small_world(std::int64_t n) {
  base::SplitMix64 random(5);
  GraphBuilder builder(n, false);
  for (std::int64_t v = 0; v < n; ++v) {
    for (std::int64_t step = 1; step <= 3; ++step) {
      const auto elsewhere = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(n)));
      const std::int64_t to = random.uniform() < 0.1 ? elsewhere : (v + step) % n;
      if (to != v) builder.add_edge(static_cast<Vertex>(v), static_cast<Vertex>(to), 1);
    }
  }
  return std::move(builder).build();
}

/// A grid of side³.
Graph cube(std::int64_t side) {
  GraphBuilder builder(side * side * side, false);
  for (std::int64_t v = 0; v < side * side * side; ++v) {
    for (const std::int64_t step : {std::int64_t{1}, side, side * side}) {
      const bool ends = v / step % side == side - 1;
      if (!ends) builder.add_edge(static_cast<Vertex>(v), static_cast<Vertex>(v + step), 1);
    }
  }
  return std::move(builder).build();
}

std::vector<Sampled> many_graphs() {
  return {{"roads", generated(GraphKind::roads, 40000, true), true},
          {"roads both ways", generated(GraphKind::roads, 40000, false), true},
          {"grid", generated(GraphKind::grid, 40000, false), true},
          {"geometric", generated(GraphKind::geometric, 40000, false), true},
          {"R-MAT", generated(GraphKind::rmat, 10000, true), false},
          {"uniform", generated(GraphKind::gnp, 10000, false), false},
          {"small world", small_world(10000), false},
          {"mesh in space", cube(24), false},
          {"path", generated(GraphKind::path, 10000, false), false},
          {"star", generated(GraphKind::star, 10000, false), false},
          {"dense", generated(GraphKind::dense, 300, true), false}};
}

SolveOptions statistics_alone() {
  SolveOptions options;
  options.storage.keep = Keep::statistics;
  options.machine.device = Device::cpu;
  options.machine.threads = 2;
  options.machine.memory = std::int64_t{1} << 34;
  return options;
}

TEST(Estimates, ChooseTheAlgorithmOfTheExactPlanAndItsMemory) {
  for (const auto& [name, graph, tells] : many_graphs()) {
    const Plan exact = find_plan(graph, statistics_alone(), no_device, {});
    const Plan found = find_plan({graph, statistics_alone(), FindDevices(no_device), {}, kAll});
    EXPECT_EQ(found.algorithm, exact.algorithm) << name;
    EXPECT_EQ(found.type, exact.type) << name;
    EXPECT_FALSE(exact.estimated()) << name;
    EXPECT_EQ(found.estimates != nullptr, tells) << name;
    const double times = static_cast<double>(found.bytes) / static_cast<double>(exact.bytes);
    EXPECT_GT(times, 0.95) << name;
    EXPECT_LT(times, 1.2) << name;
  }
}

TEST(Estimates, OfAFactorAreNearItsCounts) {
  SolveOptions options = statistics_alone();
  options.method.algorithm = Algorithm::nested_dissection;
  for (const auto& [name, graph, tells] : many_graphs()) {
    if (!tells) continue;
    const Plan exact = find_plan(graph, options, no_device, {});
    const Plan found = find_plan({graph, options, FindDevices(no_device), {}, kAll});
    ASSERT_TRUE(found.estimated()) << name;
    const auto times = [&](const auto& count) { return count(found) / count(exact); };
    const double entries =
        times([](const Plan& plan) { return double(plan.rows()->tree()->upper_entries()); });
    EXPECT_GT(entries, 0.8) << name;
    EXPECT_LT(entries, 1.6) << name;
    const double seconds = times([](const Plan& plan) { return plan.rows()->seconds(); });
    EXPECT_GT(seconds, 0.7) << name;
    EXPECT_LT(seconds, 1.6) << name;
    const double ordering =
        times([](const Plan& plan) { return double(plan.rows()->costs.ordering_bytes); });
    EXPECT_GT(ordering, 0.9) << name;
    EXPECT_LT(ordering, 1.2) << name;
  }
}

TEST(Estimates, LeaveSmallGraphsAndEverySolveToTheOrder) {
  const Graph graph = generated(GraphKind::roads, 20000, true);
  EXPECT_FALSE(find_plan({graph, statistics_alone(), FindDevices(no_device), {}, kLeastEstimated})
                   .estimated());
  EXPECT_FALSE(make_plan(graph, statistics_alone(), no_device).estimated());
}

TEST(Estimates, OfTheLongestDistanceHoldTheBoundThatSearchesProve) {
  for (const auto& [name, graph, tells] : many_graphs()) {
    if (!tells) continue;
    const auto found = estimates_of(graph, kAll);
    ASSERT_TRUE(found && found->longest) << name;
    const double proved = choose_value_type(graph, Semiring::min_plus, {}).distance_bound;
    EXPECT_LT(found->longest->least, proved) << name;
    EXPECT_GT(2 * found->longest->most, proved) << name;
  }
}

TEST(Estimates, OfDistancesDecideOnlyWhereBothBoundsAgree) {
  const Graph graph = generated(GraphKind::roads, 20000, true);
  const auto type_by = [&](double least, double most) {
    return choose_value_type(graph, Semiring::min_plus, {}, 1, {}, LongestDistance{least, most});
  };
  const ValueChoice proved = choose_value_type(graph, Semiring::min_plus, {});
  EXPECT_EQ(type_by(10, 20).type, ValueType::u16);
  EXPECT_TRUE(type_by(10, 20).estimated);
  EXPECT_EQ(type_by(1e5, 1e6).type, ValueType::i32);
  EXPECT_EQ(type_by(10, 1e6).distance_bound, proved.distance_bound);
  EXPECT_FALSE(type_by(10, 1e6).estimated);
}

}  // namespace
}  // namespace apsp::planner::findings_test
