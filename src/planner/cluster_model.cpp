#include "planner/cluster_model.hpp"

#include <cmath>

namespace apsp::planner {
namespace {

constexpr double kFlops = 2;  // of a relaxation
constexpr double kValueBytes = 4;

}  // namespace

int square_side(int count) {
  int side = 1;
  for (int factor = 1; factor * factor <= count; ++factor) {
    if (count % factor == 0) side = factor;
  }
  return side;
}

NodeGrid balanced_grid(int nodes, int ranks_per_node) {
  const int k = square_side(nodes), q = square_side(ranks_per_node);
  // The longer sides lie across each other, so that P_r ≈ P_c too.
  return {.k_r = nodes / k, .k_c = k, .q_r = q, .q_c = ranks_per_node / q};
}

NodeGrid plain_grid(int nodes, int ranks_per_node) {
  const int rows = square_side(nodes * ranks_per_node);
  const int columns = nodes * ranks_per_node / rows;
  int across = ranks_per_node;  // of a node's ranks, in one row
  while (columns % across != 0) --across;
  while (ranks_per_node % across != 0 || columns % across != 0) --across;
  const int down = ranks_per_node / across;
  if (rows % down != 0) return balanced_grid(nodes, ranks_per_node);
  return {.k_r = rows / down, .k_c = columns / across, .q_r = down, .q_c = across};
}

FwCosts costs_on(const Cluster& cluster, const NodeGrid& grid, double n, double b) {
  return {.n = n,
          .b = b,
          .grid = grid,
          .t_f = 1 / (kFlops * cluster.relaxations),
          .t_w = kValueBytes / cluster.node_rate(),
          .t_l = 2 * (cluster.link_seconds + cluster.card_seconds)};
}

double computation_seconds(const FwCosts& c) { return 2 * c.n * c.n * c.n * c.t_f / c.grid.p(); }

double communication_seconds(const FwCosts& c) {
  return 2 * c.n / c.b * c.t_l + c.t_w * (c.n * c.n / c.grid.p_r() + c.n * c.n / c.grid.p_c());
}

double total_seconds(const FwCosts& c) { return computation_seconds(c) + communication_seconds(c); }

double node_communication_seconds(const FwCosts& c) {
  return c.t_w * (c.n * c.n / c.grid.k_r + c.n * c.n / c.grid.k_c);
}

double closing_seconds(double b, double t_f) { return 2 * b * b * b * std::log2(b) * t_f; }

double least_node_values(double n, int nodes) {
  const NodeGrid grid = balanced_grid(nodes, 1);
  return n * n / grid.k_r + n * n / grid.k_c;
}

double effective_bandwidth(double n, int nodes, int value_bytes, double seconds) {
  return value_bytes * least_node_values(n, nodes) / seconds;
}

double least_overlapping_n(const FwCosts& c) {
  return c.t_w * (1.0 / c.grid.k_r + 1.0 / c.grid.k_c) * c.grid.p() / (2 * c.t_f);
}

double offload_seconds(const OffloadCosts& c, int streams) {
  const double work = 2 * c.m * c.n * c.k * c.t_f;
  const double moved = (c.m * c.n + c.n * c.k + c.m * c.k) * c.t_hd;
  const double host = 3 * c.m * c.n * c.t_m;
  const double longest = std::max({work, moved, host}), all = work + moved + host;
  if (streams <= 1) return all;
  // The best way to put one part beside the other two.
  return streams == 2 ? std::max(longest, all - longest) : longest;
}

double least_offload_tile(const OffloadCosts& c) {
  return std::max(c.t_hd, 3 * c.t_m) / (2 * c.t_f);
}

}  // namespace apsp::planner
