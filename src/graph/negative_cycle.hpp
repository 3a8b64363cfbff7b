// Negative cycles, and the vertex potentials whose existence rules them out.
#pragma once

#include <apsp/error.hpp>
#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <optional>
#include <vector>

namespace apsp {

/// Bellman-Ford from a virtual source joined to every vertex by an arc of weight 0 (Johnson 1977):
/// either potentials h with w(u,v) + h(u) − h(v) ≥ 0 for every arc, or a negative cycle.
struct Potentials {
  std::vector<double> h;       ///< [n]; empty if there is a negative cycle
  std::optional<Cycle> cycle;  ///< vertices in the order of their arcs, weight < 0
};

/// `sign` −1 negates every weight first (positive cycles, for longest paths).
Potentials potentials(const Graph& graph, double sign = 1, const Control& control = {});

/// Any cycle of a directed graph, or nothing if it is acyclic. An undirected edge is a cycle of two.
std::optional<Cycle> find_cycle(const Graph& graph);

}  // namespace apsp
