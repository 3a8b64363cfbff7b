// A description of a GPU cluster, from which models and simulations are made. The GPUs of a node
// are joined by links and share its network cards. The fabric between nodes never blocks. Each
// direction of a link or card has the full rate.
#pragma once

#include <algorithm>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace apsp::cluster {

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
  double host_memory_rate = 0;             // bytes a second of a node's memory

  double node_rate() const { return cards * card_rate; }

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

}  // namespace apsp::cluster
