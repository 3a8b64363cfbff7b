// Factors that a device, here the strict one, has had a part in.
#include "engine/row_sources.hpp"

#include <gtest/gtest.h>
#include <apsp/graph.hpp>

#include <cstring>

#include "planner/find_plan.hpp"
#include "planner/plan.hpp"
#include "support/factor_of.hpp"
#include "support/invented_devices.hpp"
#include "support/mesh.hpp"

namespace apsp::engine {
namespace {

TEST(PlannedRows, HaveTheSameFactorWhereADeviceClosesWideSupernodes) {
  const Graph graph =
      generate({.kind = GraphKind::rmat, .vertices = 700, .edges = 8000, .directed = false});
  SolveOptions options;
  options.algorithm = Algorithm::nested_dissection;
  options.device = Device::cuda;
  options.keep = Keep::statistics;
  planner::Plan plan = planner::find_plan(graph, options, planner::one_device);
  ASSERT_TRUE(plan.rows() && plan.on_device);
  planner::SweepsOnDevice& sweeps = *std::get<planner::RowsByFactor>(plan.rows()->by).on_device;
  EXPECT_EQ(sweeps.closed_from, 0) << "too narrow";
  const auto here = planned_rows(graph, plan, {}).factor;
  const sparse::Tree& tree = *plan.rows()->tree();
  sweeps.closed_from = tree.width(tree.supernodes() - 1);
  sweeps.closed_tile = 16;
  EXPECT_GT(sweeps.closed_from, 60);
  const auto there = planned_rows(graph, plan, {}).factor;
  const auto bytes = static_cast<std::size_t>(tree.diagonal_entries() * size_of(plan.type));
  EXPECT_EQ(std::memcmp(here->all_closed(), there->all_closed(), bytes), 0);

  plan.on_device->bytes_allowed = 1000;  // someone else has taken the remainder
  EXPECT_THROW(planned_rows(graph, plan, {}), Error);
}

TEST(PlannedRows, HaveTheSameFactorWhereADeviceTakesFronts) {
  for (const bool directed : {false, true}) {
    const Graph graph = mesh(8, directed);
    SolveOptions options;
    options.algorithm = Algorithm::nested_dissection;
    options.device = Device::cuda;
    options.keep = Keep::factor;
    options.statistics = false;
    options.threads = 2;
    planner::Plan plan = planner::find_plan(graph, options, planner::one_device);
    ASSERT_TRUE(plan.rows() && plan.on_device);
    EXPECT_FALSE(plan.rows()->uses.computes_rows);
    planner::SweepsOnDevice& sweeps = *std::get<planner::RowsByFactor>(plan.rows()->by).on_device;
    EXPECT_TRUE(sweeps.fronts.empty()) << "too small";
    const auto here = planned_rows(graph, plan, {});
    ASSERT_TRUE(here.made_on);
    const sparse::Tree& tree = *plan.rows()->tree();
    for (sparse::SupernodeId s = 0; s < tree.supernodes(); ++s) {
      if (tree.width(s) >= 8) sweeps.fronts.push_back(s);
    }
    EXPECT_GT(sweeps.fronts.size(), 3);
    sweeps.closed_tile = 16;
    const auto there = planned_rows(graph, plan, {});
    sparse::expect_same_bytes(*here.factor, *there.factor);
    EXPECT_GT(there.made_on->seconds, 0);
    EXPECT_EQ(there.made_on->name, "NVIDIA H200");
  }
}

}  // namespace
}  // namespace apsp::engine
