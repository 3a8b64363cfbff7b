// Negative cycles, and the vertex potentials whose existence rules them out.
//
// When is a cycle negative? Weights are doubles, most often rounded decimals: 0.3 − 0.1 − 0.2 is
// −2.8e-17 as it is written, and zero as it was meant. A cycle counts as negative here if its
// weight, summed without any rounding, is below −2^-51 Σ|w| (integral weights: below 0). Parsing a
// decimal errs by at most 2^-53 |w|, so no cycle that was meant to be zero is reported.
#pragma once

#include <apsp/error.hpp>
#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <optional>
#include <vector>

#include "base/double_double.hpp"

namespace apsp {

/// Bellman-Ford from a virtual source joined to every vertex by an arc of weight 0 (Johnson 1977):
/// either potentials h ≤ 0 with w + bias |w| + h(u) − h(v) ≥ 0 for every arc u → v of weight w, or
/// a negative cycle. (A matrix by columns is read by columns: the same of the arcs reversed,
/// and h ≥ 0.) Sums are exact; h is rounded to a double-double at the very end. The same
/// whatever the number of threads.
struct Potentials {
  std::vector<base::DoubleDouble> h;  ///< [n]; empty if there is a negative cycle
  /// 0; where a cycle is negative only by rounding 2^-53, or 2^-51 if that is not enough.
  double bias = 0;
  std::optional<Cycle> cycle;  ///< in the order of its arcs, least vertex first; weight < 0
};

/// What a reduced weight may lack, absolute: the bias, and last bits. Exact sums count in units of
/// 2^-93 of the largest weight (bellman_ford.hpp), potentials have 106 bits, and their sums with a
/// weight err in the last three of them.
double lacking_an_edge(const Graph& graph, const Potentials& potentials);

/// `sign` −1 negates every weight first (positive cycles, for longest paths); a cycle's weight is
/// then that of the negated weights. O(n m) at worst, O(1 + n) without negative weights. Throws
/// `Error` (interrupted).
Potentials potentials(const Graph& graph, double sign = 1, const Control& control = {},
                      int threads = 1);

/// Any cycle of a directed graph, or nothing if it is acyclic. An undirected edge is a cycle of
/// two, a loop a cycle of one. O(n + m).
std::optional<Cycle> find_cycle(const Graph& graph);

}  // namespace apsp
