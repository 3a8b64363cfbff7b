// Files of clusters: those of tests/machines are read whole, and what is wrong is named.
#include "cluster/cluster.hpp"

#include <gtest/gtest.h>

#include "base/json.hpp"
#include "support/error_of.hpp"

namespace apsp::cluster {
namespace {

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
  machine["cluster"]["nodes"] = 1000000;
  EXPECT_EQ(error_with("gpus_per_node", 1000000).kind(), ErrorKind::input) << "beyond 32 bits";
  machine["cluster"].erase("link_seconds");
  EXPECT_NE(
      std::string(error_of([&] { cluster_from_json(machine, "m"); }).what()).find("link_seconds"),
      std::string::npos);
}

}  // namespace
}  // namespace apsp::cluster
