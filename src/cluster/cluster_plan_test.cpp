// Predictions of whole solves on invented clusters: what must hold of any machine, and of Summit.
#include "cluster/cluster_plan.hpp"

#include "base/json.hpp"
#include "support/test.hpp"

namespace apsp::cluster::cluster_plan_test {
namespace {

constexpr double kGiga = 1e9;

Cluster summit_like() {
  return {.name = "like Summit",
          .nodes = 256,
          .gpus_per_node = 6,
          .relaxations = 3.4e12,
          .blocks_at_once = 80,
          .block_rows = 128,
          .block_columns = 128,
          .launch_seconds = 5e-6,
          .gpu_bytes = 16 * kGiga,
          .host_bytes = 512 * kGiga,
          .link_rate = 50 * kGiga,
          .link_seconds = 1e-6,
          .host_link_rate = 50 * kGiga,
          .card_rate = 25 * kGiga,
          .card_seconds = 1e-6,
          .host_memory_rate = 340 * kGiga};
}

const dense::Variant& variant(const char* name) { return *dense::find_variant(name); }

double seconds(std::int64_t n, int nodes, const dense::Variant& variant) {
  return predict_on_cluster(summit_like(), {n, nodes, 6}, variant, 768).seconds;
}

TEST(ClusterPlan, SchedulesComeInThePaperOrderWhereMessagesCount) {
  for (const std::int64_t n : {49152, 98304, 147456}) {
    EXPECT_GT(seconds(n, 64, variant("baseline")), seconds(n, 64, variant("pipelined")));
    EXPECT_GE(seconds(n, 64, variant("pipelined")), seconds(n, 64, variant("reordering")));
    EXPECT_GT(seconds(n, 64, variant("reordering")), seconds(n, 64, variant("async")));
  }
}

TEST(ClusterPlan, NoScheduleBeatsItsGpus) {
  for (const dense::Variant& variant : dense::kVariants) {
    for (const int nodes : {1, 4, 64, 256}) {
      for (const std::int64_t n : {10000, 100000, 500000}) {
        const ClusterPrediction found = best_on_cluster(summit_like(), {n, nodes, 6}, variant);
        EXPECT_LE(found.share, 1) << variant.name << nodes << " " << n;
        EXPECT_GE(found.seconds, found.work);
        EXPECT_GE(found.seconds, found.chain);
        EXPECT_EQ(found.grid.p(), nodes * 6);
      }
    }
  }
}

TEST(ClusterPlan, LargeMatricesKeepGpusBusy) {
  EXPECT_GT(predict_on_cluster(summit_like(), {524288, 64, 6}, variant("async"), 768).share, 0.95);
}

TEST(ClusterPlan, OneGpuHasNoMessages) {
  const ClusterPrediction found =
      predict_on_cluster(summit_like(), {32768, 1, 1}, variant("async"), 1024);
  EXPECT_EQ(found.network, 0);
  EXPECT_NEAR(found.seconds, 32768.0 * 32768.0 * 32768.0 / 3.4e12, 0.1 * found.seconds);
}

TEST(ClusterPlan, NoTileIsLargerThanTheMatrix) {
  for (const std::int64_t n : {1, 3, 100}) {
    const auto found = predict_on_cluster(summit_like(), {n, 1, 4}, variant("async"), 1024);
    EXPECT_EQ(found.tile, n);
    EXPECT_LT(found.seconds, 1e-3);
  }
}

TEST(ClusterPlan, MatrixMustFitTheGpus) {
  const Cluster cluster = summit_like();
  const std::int64_t most = largest_on_cluster(cluster, 64, 6, variant("async"));
  const std::int64_t offloaded = largest_on_cluster(cluster, 64, 6, variant("offload"));
  EXPECT_GT(offloaded, most);
  EXPECT_TRUE(best_on_cluster(cluster, {most, 64, 6}, variant("async")).fits);
  EXPECT_FALSE(best_on_cluster(cluster, {most + 1024, 64, 6}, variant("async")).fits);
  EXPECT_TRUE(best_on_cluster(cluster, {offloaded, 64, 6}, variant("offload")).fits);
}

TEST(ClusterPlan, OffloadCostsWhereTilesAreTooThinForTheLink) {
  Cluster cluster = summit_like();
  const auto thin = predict_on_cluster(cluster, {300000, 16, 6}, variant("offload"), 256);
  const auto wide = predict_on_cluster(cluster, {300000, 16, 6}, variant("offload"), 1024);
  EXPECT_GT(thin.seconds, 1.5 * wide.seconds);
}

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
  OffloadCosts costs{.t_f = kPeakFlop, .t_hd = 2 * 4 / 50e9, .t_m = 1e-12, .host_passes = 3};
  EXPECT_NEAR(least_offload_tile(costs), 624, 0.5);
  costs.t_m = costs.t_hd;  // the host's memory is read twice and written once
  EXPECT_NEAR(least_offload_tile(costs), 3 * 624, 0.5);
}

TEST(ClusterModel, StreamsHidePartsOfOffload) {
  // Work 2 s, copies 3 s (less the panels), host 9 s.
  const OffloadCosts costs{
      .m = 1e5, .n = 1e5, .k = 1, .t_f = 1e-10, .t_hd = 3e-10, .t_m = 3e-10, .host_passes = 3};
  const double copies = 3 + 2e5 * 3e-10;
  EXPECT_NEAR(offload_seconds(costs, 1), 2 + copies + 9, 1e-9);
  EXPECT_NEAR(offload_seconds(costs, 2), 9, 1e-9);
  EXPECT_NEAR(offload_seconds(costs, 3), 9, 1e-9);
  OffloadCosts even = costs;
  even.t_m = 1e-10;  // 3 s
  EXPECT_NEAR(offload_seconds(even, 2), 2 + 3, 1e-9);
  EXPECT_NEAR(offload_seconds(even, 3), copies, 1e-9);
}

const std::string kFolder = APSP_SOURCE_DIR "/tests/machines/";

TEST(DescribedCluster, SummitIsReadWhole) {
  const Cluster summit = read_cluster(kFolder + "summit.json");
  EXPECT_EQ(summit.nodes, 4608);
  EXPECT_EQ(summit.gpus_per_node, 6);
  EXPECT_EQ(summit.relaxations, 3.4e12);
  EXPECT_EQ(summit.node_rate(), 12.5e9);
  EXPECT_EQ(summit.pivot_seconds, 0);
  EXPECT_NE(summit.name.find("Summit"), std::string::npos);
  EXPECT_EQ(read_cluster(kFolder + "dgx-h200.json").node_rate(), 400e9);
}

TEST(DescribedCluster, MessagesToOtherSwitchesAreSlower) {
  const Cluster summit = read_cluster(kFolder + "summit.json");
  EXPECT_EQ(summit.rate_among(18), 12.5e9);
  EXPECT_EQ(summit.rate_among(19), 0.577 * 12.5e9);
}

TEST(DescribedCluster, FilesThatDescribeNoneSaySo) {
  const Error other = error_of([] { read_cluster(kFolder + "h200.json"); });
  EXPECT_EQ(other.kind(), ErrorKind::input);
  EXPECT_NE(std::string(other.what()).find("cluster"), std::string::npos);
  EXPECT_ERROR(input_output, read_cluster(kFolder + "none.json"));
  EXPECT_ERROR(input, read_cluster(APSP_SOURCE_DIR "/CMakeLists.txt"));
}

TEST(DescribedCluster, WrongFiguresAreNamed) {
  nlohmann::json machine = {{"cluster",
                             {{"nodes", 2},
                              {"gpus_per_node", 6},
                              {"relaxations_per_second", 1e12},
                              {"blocks_at_once", 80},
                              {"block_rows", 128},
                              {"block_columns", 128},
                              {"launch_seconds", 5e-6},
                              {"gpu_memory_bytes_per_second", 1e12},
                              {"gpu_bytes", 1e10},
                              {"host_bytes", 1e11},
                              {"link_bytes_per_second", 5e10},
                              {"link_seconds", 1e-6},
                              {"host_link_bytes_per_second", 5e10},
                              {"network_cards", 1},
                              {"card_bytes_per_second", 2e10},
                              {"card_seconds", 1e-6},
                              {"host_memory_bytes_per_second", 1e11}}}};
  EXPECT_EQ(cluster_from_json(machine, "m").nodes, 2);
  const auto error_with = [&](const char* name, const nlohmann::json& value) {
    nlohmann::json changed = machine;
    changed["cluster"][name] = value;
    return error_of([&] { cluster_from_json(changed, "m"); });
  };
  for (const nlohmann::json& value : {nlohmann::json(0), nlohmann::json(-1), nlohmann::json("6")}) {
    const Error error = error_with("gpus_per_node", value);
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_NE(std::string(error.what()).find("gpus_per_node"), std::string::npos);
  }
  EXPECT_EQ(error_with("nodes", 1.5).kind(), ErrorKind::input);
  EXPECT_EQ(error_with("network_cards", 4).kind(), ErrorKind::input);
  EXPECT_EQ(error_with("nodes_per_switch", 18).kind(), ErrorKind::input) << "without the share";
  machine["cluster"]["nodes"] = 1000000;
  EXPECT_EQ(error_with("gpus_per_node", 1000000).kind(), ErrorKind::input) << "beyond 32 bits";
  machine["cluster"].erase("link_seconds");
  EXPECT_NE(
      std::string(error_of([&] { cluster_from_json(machine, "m"); }).what()).find("link_seconds"),
      std::string::npos);
}

}  // namespace
}  // namespace apsp::cluster::cluster_plan_test
