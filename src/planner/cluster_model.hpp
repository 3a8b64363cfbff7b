// What blocked Floyd-Warshall costs on P_r × P_c processes: the equations of Sao 2021, by their
// symbols and numbers. Pure functions; times in seconds, rates as seconds a flop or a value.
//
//   T_comp = 2 n³ t_f / P                                       §2.7.1
//   T_comm = 2 (n / b) t_l + t_w (n² / P_r + n² / P_c)          §2.7.2
//   T_fw   = T_comp + T_comm                                    Eq. 1
//   T_comm = t_w (n² Q_r / P_r + n² Q_c / P_c)                  §3.4.1, of a node's network card
//   W_min  = n² / K_r + n² / K_c values with K_r ≈ K_c          §5.1.3, Eq. 2
//   T_diag = 2 b³ log₂ b t_f                                    Eq. 4, of one tile
//   b ≥ max(t_hd, 3 t_m) / (2 t_f)                              Eq. 5
#pragma once

#include "planner/cluster.hpp"

namespace apsp::planner {

/// The paper's symbols.
struct FwCosts {
  double n = 0;  // vertices
  double b = 1;  // side of a tile
  NodeGrid grid{};
  double t_f = 0;  // a flop of one process
  double t_w = 0;  // a value through a network card
  double t_l = 0;  // setting a message up
};

/// Of a described machine, a process a GPU, values of four bytes.
FwCosts costs_on(const Cluster& cluster, const NodeGrid& grid, double n, double b);

double computation_seconds(const FwCosts& costs);
double communication_seconds(const FwCosts& costs);
double total_seconds(const FwCosts& costs);
double node_communication_seconds(const FwCosts& costs);
double closing_seconds(double b, double t_f);

/// Values that the best placement moves through a node's card.
double least_node_values(double n, int nodes);
/// Bytes a second: what the best placement moves, over the time that was taken.
double effective_bandwidth(double n, int nodes, int value_bytes, double seconds);
/// The least n whose messages hide under the work wholly: T_comp = T_comm of a node.
double least_overlapping_n(const FwCosts& costs);

/// A product C[m, n] ← C ⊕ A[m, k] ⊗ B[k, n] whose C rests in host memory (§4.3–4.5).
struct OffloadCosts {
  double m = 0, n = 0, k = 0;
  double t_f = 0;   // a flop
  double t_hd = 0;  // a value between host and device
  double t_m = 0;   // a value between host and its memory
};

/// With one stream nothing overlaps, with two one part with the others, with three all.
double offload_seconds(const OffloadCosts& costs, int streams);
/// Eq. 5: the least k at which nothing but the work is seen.
double least_offload_tile(const OffloadCosts& costs);

}  // namespace apsp::planner
