// Predecessors of rows that come from a GPU that is none: those of the CPU, to the last byte.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <apsp/apsp.hpp>

#include <cstring>
#include <utility>

#include "api/solve.hpp"
#include "api/stored_result.hpp"
#include "planner/find_plan.hpp"
#include "planner/plan.hpp"
#include "support/error_of.hpp"
#include "support/graph_of.hpp"
#include "support/invented_devices.hpp"
#include "support/predecessors_of.hpp"
#include "support/random_graph.hpp"
#include "support/solved_on_device.hpp"
#include "support/temporary_folder.hpp"
#include "support/types_of.hpp"

namespace apsp {
namespace {

SolveOptions with_predecessors(Algorithm algorithm, std::int64_t device_memory = 0) {
  SolveOptions options = statistics_by(algorithm, Device::cuda, device_memory);
  options.question.predecessors = true;
  options.method.tile = 32;
  return options;
}

/// Where sums are exact, both planes are the CPU's. Where they round, the host finds predecessors
/// of what the device has found, and they must be trees.
void expect_trees(const Graph& graph, SolveOptions options, bool on_device,
                  const planner::FindDevices& find = planner::one_device) {
  const TemporaryFolder folder;
  options.storage.output = folder / "there.zarr";
  EXPECT_EQ(planner::find_plan(graph, options, find).rows()->uses.finds_predecessors, on_device);
  const Result there = api::solve_among(find, graph, options);
  EXPECT_EQ(there.report().device, Device::cuda);
  EXPECT_TRUE(
      api::verify_stored(options.storage.output, graph, options.question.semiring, {}).passed);
  if (!on_device && !graph.weight_facts().integral) return;
  const std::string found = std::exchange(options.storage.output, folder / "here.zarr");
  options.machine.device = Device::cpu;
  options.machine.device_ordinals.clear();
  const Result here = solve(graph, options);
  EXPECT_EQ(predecessors_of(found), predecessors_of(options.storage.output));
  expect_same_distances(open_result(found, graph), open_result(options.storage.output, graph));
  statistics::expect_same(there.statistics(), here.statistics());
}

TEST(DevicePredecessors, OfSweepsAreThoseOfTheCpu) {
  for (const ValueType type : types_of(Semiring::min_plus)) {
    for (const bool directed : {false, true}) {
      for (const std::int64_t n : {1, 31, 32, 33, 130}) {
        if (n < 130 && n > 1 && type != ValueType::u16) continue;
        SolveOptions options = with_predecessors(Algorithm::nested_dissection);
        options.method.value_type = type;
        expect_trees(random_graph({.n = n,
                                   .arcs = n * 2,
                                   .least = 1,
                                   .greatest = 9,
                                   .directed = directed,
                                   .seed = 41}),
                     options, true);
      }
    }
  }
}

TEST(DevicePredecessors, OfTheBoundaryAlgorithmAreThoseOfTheCpu) {
  expect_trees(random_graph({.n = 150, .arcs = 300, .greatest = 9, .seed = 42}),
               with_predecessors(Algorithm::boundary), true);
}

TEST(DevicePredecessors, OfBreadthFirstSearchesAreThoseOfTheCpu) {
  for (const ValueType type : types_of(Semiring::min_plus)) {
    for (const std::int64_t n : {1, 127, 129, 270}) {
      SolveOptions options = with_predecessors(Algorithm::breadth_first);
      options.method.value_type = type;
      expect_trees(random_graph({.n = n, .arcs = n * 5 / 4, .least = 1, .greatest = 1, .seed = 43}),
                   options, true);
    }
  }
}

TEST(DevicePredecessors, AreNoCirclesWhereWeightsAreZero) {
  for (const double greatest : {0.0, 1.0}) {
    for (const bool directed : {false, true}) {
      for (const ValueType type : {ValueType::u16, ValueType::f32}) {
        SolveOptions options = with_predecessors(Algorithm::nested_dissection);
        options.method.value_type = type;
        expect_trees(random_graph({.n = 140,
                                   .arcs = 420,
                                   .least = 0,
                                   .greatest = greatest,
                                   .directed = directed,
                                   .seed = 44}),
                     options, true);
      }
    }
  }
}

TEST(DevicePredecessors, OfNegativeWeightsAreThoseOfTheCpu) {
  const Graph graph =
      random_graph({.n = 150, .arcs = 400, .least = 0, .greatest = 9, .potential = 20, .seed = 45});
  ASSERT_LT(graph.weight_facts().least, 0);
  SolveOptions options = with_predecessors(Algorithm::nested_dissection);
  options.method.value_type = ValueType::i32;
  expect_trees(graph, options, true);
}

TEST(DevicePredecessors, AreFoundByTheHostWhereSumsRound) {
  const Graph graph = generate({.kind = GraphKind::grid, .vertices = 225, .real_weights = true});
  for (const ValueType type : {ValueType::f32, ValueType::f64}) {
    SolveOptions options = with_predecessors(Algorithm::nested_dissection);
    options.method.value_type = type;
    expect_trees(graph, options, false);
  }
}

TEST(DevicePredecessors, OfDijkstrasSearchesAreFoundByTheHost) {
  const Graph graph = random_graph({.n = 150, .arcs = 500, .greatest = 30, .seed = 46});
  for (const Semiring semiring : {Semiring::min_plus, Semiring::max_min, Semiring::min_max}) {
    SolveOptions options = with_predecessors(Algorithm::johnson);
    options.question.semiring = semiring;
    expect_trees(graph, options, false);
  }
}

TEST(DevicePredecessors, OfSeveralGpusAndLittleMemoryAreThoseOfOne) {
  constexpr auto two = planner::several_devices<2>;
  for (const bool hops : {false, true}) {
    const Graph graph = random_graph(
        {.n = 300, .arcs = 700, .least = 1, .greatest = hops ? 1.0 : 40.0, .seed = 47});
    SolveOptions options =
        with_predecessors(hops ? Algorithm::breadth_first : Algorithm::nested_dissection);
    const TemporaryFolder folder;
    options.storage.output = folder / "plan.zarr";
    const planner::Plan plan = planner::find_plan(graph, options, planner::one_device);
    options.machine.device_memory = plan.on_device->bytes * 2 / 3;
    EXPECT_LE(planner::find_plan(graph, options, planner::one_device).on_device->bytes,
              options.machine.device_memory);
    expect_trees(graph, options, true);
    options.machine.device_ordinals = {kAllGpus};
    expect_trees(graph, options, true, two);
  }
}

TEST(DevicePredecessors, ComeToACallerWithTheDistances) {
  const Graph graph = random_graph({.n = 130, .arcs = 300, .greatest = 9, .seed = 48});
  SolveOptions options = with_predecessors(Algorithm::nested_dissection);
  const TemporaryFolder folder;
  options.storage.output = folder / "out.zarr";
  std::vector<std::int32_t> came(130 * 130, -2);
  options.consumer.on_rows = [&](const RowBlock& block) {
    ASSERT_NE(block.predecessors, nullptr);
    for (std::size_t i = 0; i < block.sources.size(); ++i) {
      std::memcpy(came.data() + block.sources[i] * 130,
                  block.predecessors + static_cast<std::int64_t>(i) * block.stride,
                  130 * sizeof(std::int32_t));
    }
  };
  solve_on_device(graph, options);
  EXPECT_EQ(came, predecessors_of(options.storage.output));
}

/// Where the matrix stays in memory, the host finds them as it does for Floyd-Warshall.
TEST(DevicePredecessors, OfAMatrixInMemoryAreFoundAfterwards) {
  const Graph graph = random_graph({.n = 130, .arcs = 300, .greatest = 9, .seed = 49});
  SolveOptions options = with_predecessors(Algorithm::nested_dissection);
  options.storage.keep = Keep::matrix;
  expect_trees(graph, options, false);
  const planner::Plan plan = planner::find_plan(graph, options, planner::one_device);
  EXPECT_TRUE(plan.on_device);
  options.storage.output.clear();
  expect_matrix_of_cpu(graph, options);
}

TEST(DevicePredecessors, AreInThePlan) {
  const Graph graph =
      random_graph({.n = 2000, .arcs = 5000, .least = 1, .greatest = 9, .seed = 50});
  const TemporaryFolder folder;
  for (const Algorithm algorithm : {Algorithm::nested_dissection, Algorithm::johnson}) {
    SolveOptions options = with_predecessors(algorithm);
    options.storage.output = folder / "out.zarr";
    const planner::Plan with = planner::find_plan(graph, options, planner::one_device);
    options.question.predecessors = false;
    const planner::Plan without = planner::find_plan(graph, options, planner::one_device);
    EXPECT_GT(with.bytes, without.bytes);
    if (algorithm == Algorithm::johnson) continue;
    EXPECT_GT(with.on_device->bytes, without.on_device->bytes);
    EXPECT_GT(with.on_device->seconds, without.on_device->seconds);
  }
}

}  // namespace
}  // namespace apsp
