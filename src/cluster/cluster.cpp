#include "cluster/cluster.hpp"

#include <apsp/error.hpp>
#include <cmath>

#include "base/json.hpp"
#include "store/file_system.hpp"

namespace apsp::cluster {
namespace {

using nlohmann::json;

class ClusterFigures {
 public:
  ClusterFigures(const json& figures, const std::string& file) : figures_(figures), file_(file) {}

  double positive(const char* name) const {
    const auto found = figures_.find(name);
    if (found == figures_.end()) throw wrong(name, "is missing");
    if (!found->is_number() || !(found->get<double>() > 0)) {
      throw wrong(name, "must be a positive number");
    }
    return found->get<double>();
  }
  int count(const char* name) const {
    const double value = positive(name);
    if (value != std::floor(value) || value > 1e6) throw wrong(name, "must be a whole number");
    return static_cast<int>(value);
  }

 private:
  Error wrong(const char* name, const char* what) const {
    return Error::malformed({.file = file_},
                            "\"" + std::string(name) + "\" of the cluster " + what +
                                "; tests/machines/summit.json shows what a machine is");
  }
  const json& figures_;
  const std::string& file_;
};

}  // namespace

Cluster cluster_from_json(const json& machine, const std::string& file) {
  if (!machine.is_object() || !machine.contains("cluster") || !machine["cluster"].is_object()) {
    throw Error::malformed(
        {.file = file},
        "the object \"cluster\", which describes nodes, GPUs and links, is missing");
  }
  const ClusterFigures figures(machine["cluster"], file);
  Cluster cluster;
  cluster.name = machine.contains("machine") && machine["machine"].is_string()
                     ? machine["machine"].get<std::string>()
                     : file;
  cluster.nodes = figures.count("nodes");
  cluster.gpus_per_node = figures.count("gpus_per_node");
  cluster.relaxations = figures.positive("relaxations_per_second");
  cluster.blocks_at_once = figures.count("blocks_at_once");
  cluster.block_rows = figures.count("block_rows");
  cluster.block_columns = figures.count("block_columns");
  const bool told = machine["cluster"].contains("pivot_seconds");
  cluster.pivot_seconds = told ? figures.positive("pivot_seconds") : 0;
  cluster.launch_seconds = figures.positive("launch_seconds");
  cluster.gpu_memory_rate = figures.positive("gpu_memory_bytes_per_second");
  cluster.gpu_bytes = figures.positive("gpu_bytes");
  cluster.host_bytes = figures.positive("host_bytes");
  cluster.link_rate = figures.positive("link_bytes_per_second");
  cluster.link_seconds = figures.positive("link_seconds");
  cluster.host_link_rate = figures.positive("host_link_bytes_per_second");
  cluster.cards = figures.count("network_cards");
  cluster.card_rate = figures.positive("card_bytes_per_second");
  cluster.card_seconds = figures.positive("card_seconds");
  cluster.host_memory_rate = figures.positive("host_memory_bytes_per_second");
  constexpr std::int64_t kMostGpus = 1'000'000'000;  // so that counts fit 32 bits
  if (std::int64_t{cluster.nodes} * cluster.gpus_per_node > kMostGpus) {
    throw Error::malformed({.file = file}, "a cluster has a billion GPUs at most");
  }
  if (cluster.gpus_per_node % cluster.cards != 0) {
    throw Error::malformed({.file = file},
                           "every network card must serve as many GPUs as the others");
  }
  return cluster;
}

Cluster read_cluster(const std::string& file) {
  const json machine = base::parsed_json(store::posix_file_system().read_text(file));
  if (machine.is_discarded()) throw Error::malformed({.file = file}, "this is not JSON");
  return cluster_from_json(machine, file);
}

}  // namespace apsp::cluster
