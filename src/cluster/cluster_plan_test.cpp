// Predictions of whole solves on invented clusters: what must hold of any machine, and of Summit.
#include "cluster/cluster_plan.hpp"

#include <gtest/gtest.h>

namespace apsp::cluster {
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

}  // namespace
}  // namespace apsp::cluster
