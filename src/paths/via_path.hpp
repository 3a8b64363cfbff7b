// Paths from the plane of intermediate vertices (Katz 2008, §4.3; Schiff): no graph, no distances.
//
// path(i,j) = path(i,k) · path(k,j) with k = via(i,j), an edge where there is none. Why that ends:
// kernels/contract.hpp. Where a cycle costs nothing (zero weight, bottlenecks) the halves may share
// vertices: the cycle between is left out. Every pair is expanded once, or twice where such a cycle
// needs it again: a path of e edges without one takes 2e − 1 reads of a value and O(e) memory, and
// no input makes it worse than polynomial.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <vector>

#include "store/store.hpp"

namespace apsp::paths {

/// A best path s … t, both included; {s} for s = t; empty without one. Requires: the store holds
/// the planes of distances and via. Throws `Error`: usage (no vertex s or t, no plane of via),
/// input (the plane leads in a circle: it is damaged, or rounded sums of negative weights closed
/// one).
std::vector<Vertex> path_from_via(const store::Store& store, Vertex s, Vertex t);

/// Fills the plane of hops from via and distances, all in memory: hops(i,j) = hops(i,k) +
/// hops(k,j), each pair once, O(n²). It is the number of edges that via describes, cycles that cost
/// nothing included: the edges of `path_from_via` where there are none of these. 0 on the diagonal,
/// −1 without a path. Cheaper after the solve than a third operand in every kernel
/// (bench/attempts.md). Throws `Error`: input, interrupted.
void write_hops(store::Store& store, const Control& control);

}  // namespace apsp::paths
