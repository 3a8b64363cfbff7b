// Negative cycles, and vertex potentials that prove their absence.
//
// A cycle is negative if its weight, summed without rounding, is below −2^-51 Σ|w| (integral
// weights: below 0). Decimals are parsed with errors of at most 2^-53 |w|, so that a cycle such as
// 0.3 − 0.1 − 0.2, which is −2.8e-17 as doubles, counts as zero.
#pragma once

#include <apsp/error.hpp>
#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <optional>
#include <vector>

#include "base/double_double.hpp"

namespace apsp {

/// Bellman-Ford from a virtual source with an arc of weight 0 to every vertex (Johnson 1977):
/// potentials h ≤ 0 with w + bias |w| + h(u) − h(v) ≥ 0 for every arc u → v of weight w, or a
/// negative cycle. (For a column-major matrix: the same of the reversed arcs, with h ≥ 0.) Sums are
/// exact; h is finally rounded to a double-double. Independent of the number of threads.
struct Potentials {
  std::vector<base::DoubleDouble> h;  ///< [n]; empty if there is a negative cycle
  /// 0; or 2^-53, or 2^-51, if a cycle is negative only by rounding.
  double bias = 0;
  std::optional<Cycle> cycle;  ///< in the order of its arcs, least vertex first; weight < 0
};

/// The absolute error of a reduced weight: the bias and rounding. Exact sums have units of 2^-93 of
/// the largest weight (bellman_ford.hpp); potentials have 106 bits, and their sums with a weight
/// err in the last three.
double lacking_an_edge(const Graph& graph, const Potentials& potentials);

/// `sign` −1 negates every weight first (positive cycles, for longest paths), also in the weight of
/// a cycle. O(n m) at worst, O(1 + n) without negative weights. Throws `Error` (interrupted).
Potentials potentials(const Graph& graph, double sign = 1, const Control& control = {},
                      int threads = 1);

/// A cycle of a directed graph, or nothing if it is acyclic. An undirected edge is a cycle of two
/// vertices, a loop a cycle of one. O(n + m).
std::optional<Cycle> find_cycle(const Graph& graph);

}  // namespace apsp
