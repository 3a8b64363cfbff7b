// How long a whole solve would take on a cluster: the equations of cluster_model.hpp put together
// for the schedules of Sao 2021, and the tile that is best for each.
//
// A step is n² b relaxations, the panels on their way, and a chain that no process can shorten:
//
//   rest     what the GPU updates that holds the most tiles, by whole waves of its blocks
//   network  both panels through a node's cards, or over the links within it
//   chain    next tile updated and closed, sent to its row, panel updated, sent to its column
//
//   baseline      rest + network, each broadcast a tree, + chain       Algorithm 3
//   pipelined     max(rest, network as trees + chain)                  Algorithm 4
//   reordering    the same with nodes as blocks of the grid            §3.4
//   asynchronous  max(rest, network, chain by rings, of one hop each)  §3.3; this program's own
//   offload       the same where the matrix rests in host memory       §4.3–4.5, Eq. 5
#pragma once

#include <array>
#include <string_view>

#include "planner/cluster_model.hpp"

namespace apsp::planner {

enum class ClusterSchedule { baseline, pipelined, reordered, asynchronous, offloaded };

inline constexpr std::array kClusterSchedules = {
    ClusterSchedule::baseline, ClusterSchedule::pipelined, ClusterSchedule::reordered,
    ClusterSchedule::asynchronous, ClusterSchedule::offloaded};
std::string_view name(ClusterSchedule schedule);

struct ClusterProblem {
  std::int64_t n = 0;
  int nodes = 1, ranks_per_node = 1;
};

struct ClusterPrediction {
  ClusterSchedule schedule = ClusterSchedule::asynchronous;
  NodeGrid grid{};
  std::int64_t tile = 0;
  double seconds = 0;
  double rest = 0, network = 0, chain = 0;  // seconds of all steps, each alone
  double flops = 0;                         // a second, two a relaxation
  double share = 0;                         // of what the GPUs' products do
  double bandwidth = 0;                     // bytes a second and node (effective_bandwidth)
  double bytes_per_rank = 0;                // what a GPU must hold
  bool fits = false;
};

/// With tiles of this side. Requires: positive counts, and as many GPUs a node as ranks at least.
ClusterPrediction predict_on_cluster(const Cluster& cluster, const ClusterProblem& problem,
                                     ClusterSchedule schedule, std::int64_t tile);
/// With the tile that takes least.
ClusterPrediction best_on_cluster(const Cluster& cluster, const ClusterProblem& problem,
                                  ClusterSchedule schedule);
/// The largest multiple of 1,024 vertices that the GPUs hold, or with `offloaded` the nodes.
std::int64_t largest_on_cluster(const Cluster& cluster, int nodes, int ranks_per_node,
                                ClusterSchedule schedule);

}  // namespace apsp::planner
