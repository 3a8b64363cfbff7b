#include "cli/cluster_view.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/numbers.hpp"
#include "base/units.hpp"
#include "cli/table.hpp"

namespace apsp::cli {
namespace {

using planner::ClusterPrediction;

std::string grid_cell(const planner::NodeGrid& grid) {
  return fmt::format("{}x{}", grid.p_r(), grid.p_c());
}

planner::FwCosts balanced_costs(const planner::Cluster& cluster,
                                const planner::ClusterProblem& problem) {
  return planner::costs_on(cluster, planner::balanced_grid(problem.nodes, problem.ranks_per_node),
                           static_cast<double>(problem.n), 1);
}

double offload_tile(const planner::Cluster& cluster, const planner::ClusterProblem& problem) {
  constexpr double kBytes = 4;
  return planner::least_offload_tile(
      {.t_f = 1 / (2 * cluster.relaxations),
       .t_hd = kBytes / cluster.host_link_rate,
       .t_m = kBytes * problem.ranks_per_node / cluster.host_memory_rate});
}

/// Messages between nodes; one node has none.
double message_seconds(const planner::FwCosts& costs) {
  return costs.grid.k_r * costs.grid.k_c > 1 ? planner::node_communication_seconds(costs) : 0;
}

}  // namespace

std::string cluster_text(const planner::Cluster& cluster, const planner::ClusterProblem& problem,
                         const Look& look) {
  const planner::FwCosts costs = balanced_costs(cluster, problem);
  const auto n = static_cast<double>(problem.n);
  constexpr std::size_t kWide = 100;
  Table facts({Align::left, Align::left}, kWide);
  facts.row({"matrix", fmt::format("{}, {} of f32", base::counted(problem.n, "vertex", "vertices"),
                                   base::format_bytes(static_cast<std::int64_t>(4 * n * n)))});
  facts.row({"processes", fmt::format("{} on {}, a GPU each", base::format_count(costs.grid.p()),
                                      base::counted(problem.nodes, "node", "nodes"))});
  facts.row({"work", base::format_seconds(planner::computation_seconds(costs)) +
                         ", of the GPUs' products alone"});
  if (const double seconds = message_seconds(costs); seconds > 0) {
    facts.row(
        {"messages", base::format_seconds(seconds) + ", through the network cards of a node"});
    facts.row({"overlap",
               fmt::format("messages can hide under work from {} vertices on",
                           base::format_count(std::llround(planner::least_overlapping_n(costs))))});
  }
  facts.row({"offload", fmt::format("tiles of {} at least, where the matrix rests in host memory",
                                    base::format_count(
                                        std::llround(std::ceil(offload_tile(cluster, problem)))))});
  Table table({Align::left, Align::right, Align::right, Align::right, Align::right, Align::right,
               Align::right, Align::right, Align::left});
  table.header(
      {"schedule", "grid", "tile", "time", "Pflop/s", "of GPUs", "GB/s a node", "a GPU holds", ""});
  for (const planner::ClusterSchedule schedule : planner::kClusterSchedules) {
    const ClusterPrediction found = planner::best_on_cluster(cluster, problem, schedule);
    table.row({std::string(planner::name(schedule)), grid_cell(found.grid),
               base::format_count(found.tile), base::format_seconds(found.seconds),
               fmt::format("{:.3f}", found.flops / 1e15),
               fmt::format("{:.0f} %", 100 * found.share),
               fmt::format("{:.1f}", found.bandwidth / 1e9),
               base::format_bytes(static_cast<std::int64_t>(found.bytes_per_rank)),
               found.fits ? "" : "does not fit"});
  }
  return heading(look, "Cluster", cluster.name) + facts.text(look) + "\n" +
         heading(look, "Schedules", "as predicted by the equations of Sao 2021") + table.text(look);
}

nlohmann::json cluster_json(const planner::Cluster& cluster,
                            const planner::ClusterProblem& problem) {
  const planner::FwCosts costs = balanced_costs(cluster, problem);
  nlohmann::json schedules = nlohmann::json::array();
  for (const planner::ClusterSchedule schedule : planner::kClusterSchedules) {
    const ClusterPrediction found = planner::best_on_cluster(cluster, problem, schedule);
    schedules.push_back({{"schedule", planner::name(schedule)},
                         {"grid", {found.grid.p_r(), found.grid.p_c()}},
                         {"grid_of_node", {found.grid.q_r, found.grid.q_c}},
                         {"tile", found.tile},
                         {"seconds", found.seconds},
                         {"seconds_work", found.rest},
                         {"seconds_network", found.network},
                         {"seconds_chain", found.chain},
                         {"flops_per_second", found.flops},
                         {"share", found.share},
                         {"bytes_per_second_node", found.bandwidth},
                         {"bytes_process", std::llround(found.bytes_per_rank)},
                         {"fits", found.fits}});
  }
  return {{"machine", cluster.name},
          {"nodes", problem.nodes},
          {"processes_per_node", problem.ranks_per_node},
          {"vertices", problem.n},
          {"seconds_work", planner::computation_seconds(costs)},
          {"seconds_messages", message_seconds(costs)},
          {"vertices_overlap", planner::least_overlapping_n(costs)},
          {"tile_offload", offload_tile(cluster, problem)},
          {"schedules", std::move(schedules)}};
}

}  // namespace apsp::cli
