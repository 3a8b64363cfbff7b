// Whole distances of f64 that sweeps on a GPU keep in 32 bits: results are those of the CPU. The
// GPU is none, but the strict device.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <apsp/apsp.hpp>

#include "support/output_of_cpu.hpp"
#include "support/random_graph.hpp"
#include "support/same_statistics.hpp"
#include "support/solved_on_device.hpp"

namespace apsp {
namespace {

using testing::HasSubstr;
using testing::Not;

SolveOptions swept(Device device) { return statistics_by(Algorithm::nested_dissection, device); }

TEST(WholeSweepSolve, KeepsLongWholeDistancesInThirtyTwoBitsOnTheGpu) {
  constexpr const char* kInHalf = "f64 as u32 on NVIDIA H200 (cuda:0)";
  for (const bool directed : {false, true}) {
    // The longest path may have 2^30 and more, and less than 2^31.
    const Graph graph = random_graph({.n = 130,
                                      .arcs = 260,
                                      .least = 12'000'000,
                                      .greatest = 14'000'000,
                                      .directed = directed,
                                      .seed = 25});
    for (const Keep keep : {Keep::statistics, Keep::matrix}) {
      SolveOptions options = swept(Device::cuda);
      options.keep = keep;
      const Result there = solve_on_device(graph, options);
      EXPECT_THAT(there.report().plan, HasSubstr(kInHalf));
      options.device = Device::cpu;
      const Result here = solve(graph, options);
      EXPECT_EQ(here.value_type(), ValueType::f64);
      EXPECT_THAT(here.report().plan, Not(HasSubstr(kInHalf)));
      statistics::expect_same(there.statistics(), here.statistics());
      if (keep == Keep::statistics) continue;
      for (Vertex s = 0; s < 130; ++s) {
        ASSERT_EQ(there.distances_from(s), here.distances_from(s)) << "from " << s;
      }
    }
    SolveOptions output = swept(Device::cuda);
    output.tile = 32;
    expect_output_of_cpu(graph, output, solve_on_device);
  }
}

TEST(WholeSweepSolve, KeepsOtherDistancesOfF64AsTheyAre) {
  SolveOptions options = swept(Device::cuda);
  options.value_type = ValueType::f64;
  const auto plan_of = [&](const Graph& graph) {
    const Result there = solve_on_device(graph, options);
    SolveOptions on_cpu = options;
    on_cpu.device = Device::cpu;
    statistics::expect_same(there.statistics(), solve(graph, on_cpu).statistics());
    return there.report().plan;
  };
  const auto is_in_half = HasSubstr("as u32");
  const auto with_greatest = [](double greatest) {
    return random_graph({.n = 130, .arcs = 260, .least = 1, .greatest = greatest, .seed = 26});
  };
  EXPECT_THAT(plan_of(with_greatest(100)), is_in_half);
  EXPECT_THAT(plan_of(with_greatest(60e6)), Not(is_in_half)) << "longer than 32 bits";
  GraphBuilder builder(40);
  for (Vertex v = 0; v + 1 < 40; ++v) builder.add_edge(v, v + 1, 0.5 + v);
  EXPECT_THAT(plan_of(std::move(builder).build()), Not(is_in_half)) << "not whole";
}

}  // namespace
}  // namespace apsp
