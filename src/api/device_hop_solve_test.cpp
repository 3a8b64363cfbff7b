// Breadth-first searches on a GPU that is none: what a strict device has found is what the CPU has,
// to the last bit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <apsp/apsp.hpp>

#include "api/solve_among.hpp"
#include "support/invented_devices.hpp"
#include "support/output_of_cpu.hpp"
#include "support/random_graph.hpp"
#include "support/same_statistics.hpp"
#include "support/solved_on_device.hpp"
#include "support/types_of.hpp"

namespace apsp {
namespace {

using testing::HasSubstr;

SolveOptions of_hops(Device device = Device::cuda) {
  return statistics_by(Algorithm::breadth_first, device);
}

Graph graph_of_hops(std::int64_t n, std::int64_t arcs, bool directed, std::uint64_t seed) {
  return random_graph(
      {.n = n, .arcs = arcs, .least = 1, .greatest = 1, .directed = directed, .seed = seed});
}

TEST(DeviceHopSolve, HasTheStatisticsAndRowsOfTheCpuInEveryType) {
  for (const ValueType type : types_of(Semiring::min_plus)) {
    for (const bool directed : {false, true}) {
      for (const std::int64_t n : {1, 130, 270}) {
        const Graph graph = graph_of_hops(n, n * 5 / 4, directed, 31);
        for (const Keep keep : {Keep::statistics, Keep::matrix}) {
          SolveOptions options = of_hops();
          options.value_type = type;
          options.keep = keep;
          const Result there = solve_on_device(graph, options);
          EXPECT_EQ(there.report().device, Device::cuda);
          EXPECT_THAT(there.report().plan, HasSubstr("bfs"));
          EXPECT_THAT(there.report().plan, HasSubstr("NVIDIA H200 (cuda:0)"));
          options.device = Device::cpu;
          const Result here = solve(graph, options);
          statistics::expect_same(there.statistics(), here.statistics());
          if (keep == Keep::statistics) continue;
          EXPECT_TRUE(there.verify().passed);
          for (Vertex s = 0; s < static_cast<Vertex>(n); ++s) {
            ASSERT_EQ(there.distances_from(s), here.distances_from(s)) << "from " << s;
          }
        }
      }
    }
  }
}

TEST(DeviceHopSolve, WritesTheOutputOfTheCpu) {
  SolveOptions options = of_hops();
  options.tile = 32;
  expect_output_of_cpu(graph_of_hops(130, 200, true, 14), options, solve_on_device);
}

TEST(DeviceHopSolve, TakesSomeTargets) {
  const Graph graph = graph_of_hops(300, 700, true, 16);
  SolveOptions options = of_hops();
  options.tile = 32;
  options.targets = {7, 250, 3, 299, 100};
  expect_output_of_cpu(graph, options, solve_on_device);
  options.sources = {9, 7, 298};
  expect_output_of_cpu(graph, options, solve_on_device);
}

TEST(DeviceHopSolve, TakesSomeSourcesAndLittleMemory) {
  const Graph graph = graph_of_hops(400, 900, false, 15);
  SolveOptions options = of_hops();
  const Result whole = solve_on_device(graph, options);
  options.device_memory = whole.report().on_device->bytes / 2;
  const Result less = solve_on_device(graph, options);
  EXPECT_LE(less.report().on_device->bytes, options.device_memory);
  statistics::expect_same(less.statistics(), whole.statistics());
  options = of_hops();
  options.sources = {100, 3, 77, 5};
  options.keep = Keep::matrix;
  const Result there = solve_on_device(graph, options);
  options.device = Device::cpu;
  const Result here = solve(graph, options);
  for (const Vertex s : options.sources) {
    ASSERT_EQ(there.distances_from(s), here.distances_from(s)) << "from " << s;
  }
  statistics::expect_same(there.statistics(), here.statistics());
}

TEST(DeviceHopSolve, SeveralGpusFindWhatOneFinds) {
  const auto three = [] {
    return planner::invented_devices(
        {planner::invented_h200(0), planner::invented_h200(1), planner::invented_h200(2)});
  };
  const Graph graph = graph_of_hops(600, 1500, true, 16);
  for (const Keep keep : {Keep::statistics, Keep::matrix}) {
    SolveOptions options = of_hops();
    options.keep = keep;
    const Result whole = solve_on_device(graph, options);
    options.device_memory = whole.report().on_device->bytes / 2;
    options.device_ordinals = {kAllGpus};
    const Result several = api::solve_among(three, graph, options);
    EXPECT_EQ(several.report().on_device->peers.size(), 2);
    statistics::expect_same(several.statistics(), whole.statistics());
    if (keep == Keep::statistics) continue;
    expect_same_distances(several, whole);
  }
}

}  // namespace
}  // namespace apsp
