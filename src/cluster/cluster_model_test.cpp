// The equations against figures of Sao 2021, and against sums done by hand.
#include "cluster/cluster_plan.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace apsp::cluster {
namespace {

constexpr double kSummitFlop = 1 / 6.8e12, kPeakFlop = 1 / 7.8e12;  // s, of the kernel, of a V100
constexpr double kNodeRate = 25e9;                                  // bytes a second

FwCosts summit(double n, int nodes) {
  return {.n = n, .grid = balanced_grid(nodes, 6), .t_f = kSummitFlop, .t_w = 4 / kNodeRate};
}

/// T_comm = 2 (n / b) t_l + t_w (n² / P_r + n² / P_c), §2.7.2, with tiles of b and messages that
/// take t_l to set up; T_fw = T_comp + T_comm, Eq. 1.
double communication_seconds(const FwCosts& c, double b, double t_l) {
  return 2 * c.n / b * t_l + c.t_w * (c.n * c.n / c.grid.p_r() + c.n * c.n / c.grid.p_c());
}
double total_seconds(const FwCosts& c, double b, double t_l) {
  return computation_seconds(c) + communication_seconds(c, b, t_l);
}

TEST(ClusterGrids, AreAsSquareAsNodesAllow) {
  const NodeGrid grid = balanced_grid(256, 6);
  EXPECT_EQ(grid.k_r, 16);
  EXPECT_EQ(grid.k_c, 16);
  EXPECT_EQ(grid.q_r * grid.q_c, 6);
  EXPECT_EQ(grid.p(), 1536);
  // Two rows of nodes and one column: the longer side of a node lies across.
  EXPECT_EQ(balanced_grid(2, 6).p_r(), 4);
  EXPECT_EQ(balanced_grid(2, 6).p_c(), 3);
  EXPECT_EQ(square_side(12), 3);
  EXPECT_EQ(square_side(13), 1);
}

TEST(ClusterGrids, PlainRanksFillRows) {
  const NodeGrid grid = plain_grid(64, 6);  // 16 × 24 ranks
  EXPECT_EQ(grid.p_r(), 16);
  EXPECT_EQ(grid.p_c(), 24);
  EXPECT_EQ(grid.q_r, 1);
  EXPECT_EQ(grid.q_c, 6);
  for (const int nodes : {1, 2, 3, 5, 7, 16, 36, 100}) {
    for (const int ranks : {1, 2, 4, 6, 8, 12}) {
      EXPECT_EQ(plain_grid(nodes, ranks).p(), nodes * ranks);
      EXPECT_EQ(balanced_grid(nodes, ranks).p(), nodes * ranks);
    }
  }
}

TEST(ClusterModel, FollowsThePaperSums) {
  const FwCosts costs = summit(300000, 256);
  EXPECT_NEAR(computation_seconds(costs), 2 * 2.7e16 / (1536 * 6.8e12), 1e-9);
  // 391 steps of two messages, and a row and a column of the grid.
  const double values = 9e10 / 32 + 9e10 / 48;
  EXPECT_NEAR(communication_seconds(costs, 768, 4e-6),
              2 * 300000.0 / 768 * 4e-6 + values * 4 / kNodeRate, 1e-9);
  EXPECT_NEAR(total_seconds(costs, 768, 4e-6),
              computation_seconds(costs) + communication_seconds(costs, 768, 4e-6), 0);
  EXPECT_NEAR(node_communication_seconds(costs), 9e10 * 2 / 16 * 4 / kNodeRate, 1e-9);
}

TEST(ClusterModel, WorkHidesMessagesFromThePaperSizeOn) {
  // Sao 2021, §5.2.2: 120,000 vertices on 64 nodes; at the GPUs' peak, where the 25 GB/s of a node
  // hold both ways.
  FwCosts costs = summit(0, 64);
  costs.t_f = kPeakFlop;
  costs.t_w = 4 / (kNodeRate / 2);
  EXPECT_NEAR(least_overlapping_n(costs), 120e3, 1e3);
  costs.n = least_overlapping_n(costs);
  EXPECT_NEAR(computation_seconds(costs), node_communication_seconds(costs), 1e-9);
}

TEST(ClusterModel, BandwidthIsOfTheBestPlacement) {
  // 64 nodes as 8 × 8: n² / 8 values twice.
  EXPECT_NEAR(effective_bandwidth(196608, 64, 4, 10), 4 * 196608.0 * 196608.0 / 4 / 10, 1);
  EXPECT_NEAR(least_node_values(100, 2), 100 * 100 + 100 * 100 / 2, 0);
}

TEST(ClusterModel, ClosingIsLogarithmicallyManyProducts) {
  EXPECT_NEAR(closing_seconds(1024, 1e-12), 2 * std::pow(1024, 3) * 10 * 1e-12, 1e-15);
}

TEST(ClusterModel, OffloadNeedsThePaperTile) {
  // Sao 2021, §5.3.1: 624 with 50 GB/s and 7.8 Tflop/s, each value going both ways.
  OffloadCosts costs{.t_f = kPeakFlop, .t_hd = 2 * 4 / 50e9, .t_m = 1e-12};
  EXPECT_NEAR(least_offload_tile(costs), 624, 0.5);
  costs.t_m = costs.t_hd;  // the host's memory is read twice and written once
  EXPECT_NEAR(least_offload_tile(costs), 3 * 624, 0.5);
}

TEST(ClusterModel, StreamsHidePartsOfOffload) {
  // Work 2 s, copies 3 s (less the panels), host 9 s.
  const OffloadCosts costs{.m = 1e5, .n = 1e5, .k = 1, .t_f = 1e-10, .t_hd = 3e-10, .t_m = 3e-10};
  const double copies = 3 + 2e5 * 3e-10;
  EXPECT_NEAR(offload_seconds(costs, 1), 2 + copies + 9, 1e-9);
  EXPECT_NEAR(offload_seconds(costs, 2), 9, 1e-9);
  EXPECT_NEAR(offload_seconds(costs, 3), 9, 1e-9);
  OffloadCosts even = costs;
  even.t_m = 1e-10;  // 3 s
  EXPECT_NEAR(offload_seconds(even, 2), 2 + 3, 1e-9);
  EXPECT_NEAR(offload_seconds(even, 3), copies, 1e-9);
}

}  // namespace
}  // namespace apsp::cluster
