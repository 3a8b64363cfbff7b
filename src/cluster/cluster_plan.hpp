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

#include <algorithm>
#include <apsp/solve.hpp>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "cluster/launch.hpp"
#include "cluster/measure_messages.hpp"
#include "dense/variant.hpp"

namespace apsp::cluster {

/// A GPU cluster, from which models and simulations are made. The GPUs of a node are joined by
/// links and share its network cards. Each direction of a link or card has the full rate.
struct Cluster {
  std::string name{};
  int nodes = 1;
  int gpus_per_node = 1;  // one process each
  /// Min-plus relaxations of f32 that one GPU computes a second in a large product; each is two
  /// flops.
  double relaxations = 0;
  /// Blocks of threads that fill a GPU, and the rows and columns of a product that each computes.
  std::int64_t blocks_at_once = 1, block_rows = 1, block_columns = 1;
  /// Seconds of a pivot while a tile is closed; 0: closing takes log₂ b products of side b (Sao
  /// 2021, Eq. 4).
  double pivot_seconds = 0;
  double launch_seconds = 0;   // until an operation on a GPU begins
  double gpu_memory_rate = 0;  // bytes a second, read or written
  double gpu_bytes = 0, host_bytes = 0;
  double link_rate = 0, link_seconds = 0;  // GPU to GPU of a node, bytes a second each way
  double host_link_rate = 0;               // GPU to host memory, bytes a second each way
  int cards = 1;
  double card_rate = 0, card_seconds = 0;  // of a card, bytes a second each way
  /// Nodes below one switch, and the share of a card's rate that messages to other switches reach.
  int nodes_per_switch = 1 << 30;
  double share_between_switches = 1;
  double host_memory_rate = 0;  // bytes a second of a node's memory

  double node_rate() const { return cards * card_rate; }
  /// Bytes a second between the slowest neighbours of so many nodes.
  double rate_among(int count) const {
    return node_rate() * (count > nodes_per_switch ? share_between_switches : 1);
  }

  /// Returns the share of a GPU that a product of this shape fills: blocks run in whole waves.
  double fill(std::int64_t rows, std::int64_t columns) const {
    const auto up = [](std::int64_t all, std::int64_t each) {
      return std::max<std::int64_t>(1, (all + each - 1) / each);
    };
    const std::int64_t blocks = up(rows, block_rows) * up(columns, block_columns);
    return static_cast<double>(blocks) /
           static_cast<double>(up(blocks, blocks_at_once) * blocks_at_once);
  }
};

/// Processes on nodes: those of a node are a block of the grid (Sao 2021, §3.4). In the paper's
/// symbols: P_r × P_c processes, Q_r × Q_c of them on a node, K_r × K_c nodes.
struct NodeGrid {
  int k_r = 1, k_c = 1, q_r = 1, q_c = 1;
  int p_r() const { return k_r * q_r; }
  int p_c() const { return k_c * q_c; }
  int p() const { return p_r() * p_c(); }
};

/// Returns the largest divisor of `count` whose square is at most `count`.
int square_side(int count);
/// K_r ≈ K_c and Q_r ≈ Q_c, as near as the counts allow (Eq. 2, 3).
NodeGrid balanced_grid(int nodes, int ranks_per_node);
/// Returns the grid of launchers: ranks row by row, distributed to nodes in turn, as near a square
/// as the number of ranks allows. Q_r = 1 if a row holds whole nodes.
NodeGrid plain_grid(int nodes, int ranks_per_node);

/// Reads a description (tests/machines, docs/scaling.md). Throws `Error` (input) that names the
/// figure which is missing or not positive.
Cluster cluster_from_json(const nlohmann::json& machine, const std::string& file);
/// Throws also `Error` (input_output).
Cluster read_cluster(const std::string& file);

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
  /// Passes of C through host memory: the device reads and writes it. The paper has 3, because the
  /// host updates C (HOSTUPDATE).
  int host_passes = 2;
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

// The processes of a launch as a cluster.

/// Measures messages between all processes of the launch; a single process assumes rates.
MessageRates messages_of_launch(const Launch* launch);

/// `relaxations`: of each process, a second. `of_each_machine`: processes that share a machine.
Cluster cluster_of_processes(int processes, int of_each_machine, double relaxations,
                             const MessageRates& messages);
/// Each process is as fast as one is predicted to be by Floyd-Warshall on `n` vertices.
Cluster cluster_of_launch(const Launch& launch, const PlanReport& plan,
                          const MessageRates& messages, std::int64_t n);

}  // namespace apsp::cluster
