// Negative cycles, and the vertex potentials whose existence rules them out.
//
// When is a cycle negative? Weights are doubles, most often rounded decimals: 0.3 − 0.1 − 0.2 is
// −2.8e-17 as it stands, and zero as it was meant. A cycle counts as negative here if its weight,
// summed without any rounding, is below −2^-51 Σ|w| (integral weights: below 0). Parsing a decimal
// errs by at most 2^-53 |w|, so no cycle that was meant to be zero is reported.
#pragma once

#include <apsp/error.hpp>
#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <optional>
#include <vector>

namespace apsp {

/// Bellman-Ford from a virtual source joined to every vertex by an arc of weight 0 (Johnson 1977):
/// either potentials h with w(u,v) + h(u) − h(v) ≥ 0 for every arc, or a negative cycle.
/// Integral weights: exactly so while distances stay below 2^53. Real weights: up to
/// −2^-50 (|w| + |h(u)| + |h(v)|), rounding and the rule above; clamp at zero before Dijkstra.
struct Potentials {
  std::vector<double> h;       ///< [n]; empty if there is a negative cycle
  std::optional<Cycle> cycle;  ///< in the order of its arcs, least vertex first; weight < 0
};

/// `sign` −1 negates every weight first (positive cycles, for longest paths); a cycle's weight is
/// then that of the negated weights. O(n m) at worst, O(1 + n) without negative weights. Throws
/// `Error` (interrupted).
Potentials potentials(const Graph& graph, double sign = 1, const Control& control = {});

/// Any cycle of a directed graph, or nothing if it is acyclic. An undirected edge is a cycle of
/// two, a loop a cycle of one. O(n + m).
std::optional<Cycle> find_cycle(const Graph& graph);

}  // namespace apsp
