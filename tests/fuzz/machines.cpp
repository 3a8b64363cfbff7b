#include <string>
#include <vector>

#include "base/json.hpp"
#include "cluster/cluster_plan.hpp"
#include "fuzz/checks.hpp"
#include "fuzz/damage.hpp"
#include "rates/rate_cache.hpp"
#include "rates/rate_figures.hpp"
#include "support/temporary_folder.hpp"

namespace apsp::fuzz {
namespace {

constexpr const char* kMachines[] = {"dgx-h200", "summit", "summit-25-each-way", "h200",
                                     "epyc-2-cores-sparse"};

void read_machine(const std::string& file) {
  expect_an_error_at_most([&] {
    const cluster::Cluster cluster = cluster::read_cluster(file);
    if (!(cluster.gpus_per_node > 0 && cluster.nodes > 0 && cluster.node_rate() > 0)) {
      report("a cluster without GPUs or network was believed");
    }
    cluster::ClusterProblem problem{0, cluster.nodes, cluster.gpus_per_node};
    problem.n = cluster::largest_on_cluster(cluster, problem.nodes, problem.ranks_per_node,
                                            dense::Variant{});
    for (const dense::Variant& variant : dense::kVariants) {
      cluster::best_on_cluster(cluster, problem, variant);
    }
  });
}

/// What is broken counts as empty; nothing is thrown.
void read_cache(const std::string& folder) {
  const nlohmann::json key = {{"what", "cpu"}, {"threads", 2}};
  const rates::RateCache cache(folder);
  cache.entries();
  cache.measured(key);
  const auto figures = cache.find(key);
  if (!figures) return;
  rates::rates_from_json<planner::BreadthFirstRates>(*figures);
  if (figures->is_object()) rates::curve_from_json(figures->value("solve", nlohmann::json()));
}

}  // namespace

void check_machine(const std::uint8_t* data, std::size_t size) {
  static const TemporaryFolder folder;
  static const std::vector<std::string> texts = [] {
    std::vector<std::string> all;
    for (const char* const machine : kMachines) {
      all.push_back(
          read_bytes(std::string(APSP_SOURCE_DIR "/tests/machines/") + machine + ".json"));
    }
    const rates::RateCache cache(folder.path());
    cache.keep({{"what", "cpu"}, {"threads", 2}},
               {{"solve", {{256, 0.001}, {512, 0.004}}}, {"vertex", 3e-8}, {"arc", 1e-9}});
    all.push_back(read_bytes(folder / "rates.json"));
    return all;
  }();
  Choices choices(data, size);
  Files files = {{"a", texts[choices.below(texts.size())]}};
  damage(files, choices);
  const std::string text = files.empty() ? std::string() : files.begin()->second;
  write_bytes(folder / "rates.json", text);
  read_machine(folder / "rates.json");
  try {
    read_cache(folder.path());
  } catch (const std::exception& error) {
    report(std::string("a broken cache is an error: ") + error.what());
  }
}

}  // namespace apsp::fuzz
