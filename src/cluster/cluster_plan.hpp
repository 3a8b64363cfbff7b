// Predicted times of a solve on a cluster: the equations of Sao 2021 (§2.7 to §5.1), combined for
// its variants, and the best tile of each.
//
// A step is n² b relaxations, two panels to transfer, and a chain that no process can shorten:
//
//   work     what the GPU updates that holds the most tiles, by whole waves of its blocks
//   network  both panels through a node's cards, or over the links within it
//   chain    next tile updated and closed, sent to its row, panel updated, sent to its column
//
//   baseline    work + network, each broadcast a tree, + chain     Algorithm 3
//   pipelined   max(work, network as trees + chain)                Algorithm 4
//   reordering  the same with nodes as blocks of the grid          §3.4
//   async       max(work, network, chain), panels by rings         §3.3
//   offload     own, the matrix in host memory                     §4.3–4.5, Eq. 5
//   own         async with closed tiles by rings, of one hop each
#pragma once

#include <string_view>

#include <cstdint>
#include "cluster/cluster.hpp"
#include "dense/variant.hpp"

namespace apsp::cluster {

// Costs of blocked Floyd-Warshall on P_r × P_c processes, in the symbols of Sao 2021. Pure
// functions; times in seconds, rates in seconds for a flop or a value.
//
//   T_comp = 2 n³ t_f / P                                       §2.7.1
//   T_comm = t_w (n² Q_r / P_r + n² Q_c / P_c)                  §3.4.1, of a node's network card
//   W_min  = n² / K_r + n² / K_c values with K_r ≈ K_c          §5.1.3, Eq. 2
//   T_diag = 2 b³ log₂ b t_f                                    Eq. 4, of one tile
//   b ≥ max(t_hd, 3 t_m) / (2 t_f)                              Eq. 5

struct FwCosts {
  double n = 0;
  NodeGrid grid{};
  double t_f = 0;  // a flop of one process
  double t_w = 0;  // a value through a network card
};

/// One process for each GPU, values of four bytes.
FwCosts costs_on(const Cluster& cluster, const NodeGrid& grid, double n);

double computation_seconds(const FwCosts& costs);
double node_communication_seconds(const FwCosts& costs);
double closing_seconds(double b, double t_f);

/// Values that the best placement moves through a node's card.
double least_node_values(double n, int nodes);
/// Bytes a second: those of the best placement, divided by the measured time.
double effective_bandwidth(double n, int nodes, int value_bytes, double seconds);
/// The nodes of that bandwidth: machines, or the processes of a single machine. `of_machine`:
/// processes that share it; 1 if machines have different numbers of them.
int bandwidth_nodes(int processes, int of_machine);
/// The least n at which messages are hidden by work: T_comp = T_comm of a node.
double least_overlapping_n(const FwCosts& costs);

/// A product C[m, n] ← C ⊕ A[m, k] ⊗ B[k, n] with C in host memory (§4.3–4.5).
struct OffloadCosts {
  double m = 0, n = 0, k = 0;
  double t_f = 0;   // a flop
  double t_hd = 0;  // a value between host and device
  double t_m = 0;   // a value between host and its memory
};

/// One stream overlaps nothing, two overlap one part with the others, three overlap all.
double offload_seconds(const OffloadCosts& costs, int streams);
/// Eq. 5: the least k at which transfers are hidden.
double least_offload_tile(const OffloadCosts& costs);

/// The bytes of a predicted matrix fit 63 bits.
inline constexpr std::int64_t kMostVerticesPredicted = std::int64_t{1} << 30;

struct ClusterProblem {
  std::int64_t n = 0;
  int nodes = 1, ranks_per_node = 1;
};

struct ClusterPrediction {
  std::string_view variant;
  NodeGrid grid{};
  std::int64_t tile = 0;
  double seconds = 0;
  double work = 0, network = 0, chain = 0;
  double flops = 0;      // a second, two for each relaxation
  double share = 0;      // of the rate of the GPUs' products
  double bandwidth = 0;  // bytes a second and node (effective_bandwidth)
  double bytes_per_rank = 0;
  bool fits = false;
};

/// Requires: positive counts, and at least as many GPUs on a node as ranks.
ClusterPrediction predict_on_cluster(const Cluster& cluster, const ClusterProblem& problem,
                                     const dense::Variant& variant, std::int64_t tile);
ClusterPrediction best_on_cluster(const Cluster& cluster, const ClusterProblem& problem,
                                  const dense::Variant& variant);
/// Returns the largest multiple of 1,024 vertices that fits the GPUs, or with `offload` the nodes.
std::int64_t largest_on_cluster(const Cluster& cluster, int nodes, int ranks_per_node,
                                const dense::Variant& variant);

}  // namespace apsp::cluster
