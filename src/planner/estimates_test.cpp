// Plans by samples beside the plans that a solve makes.
#include "planner/findings.hpp"

#include <gtest/gtest.h>
#include <apsp/graph.hpp>

#include <string>
#include <vector>

#include "base/random.hpp"
#include "planner/choice.hpp"
#include "planner/find_plan.hpp"
#include "planner/plan.hpp"
#include "support/invented_devices.hpp"

namespace apsp::planner {
namespace {

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
    const Plan found = find_plan(graph, statistics_alone(), no_device, {}, kAll);
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
    const Plan found = find_plan(graph, options, no_device, {}, kAll);
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
  EXPECT_FALSE(find_plan(graph, statistics_alone(), no_device, {}, kLeastEstimated).estimated());
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
}  // namespace apsp::planner
