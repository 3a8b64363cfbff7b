// Paths from the plane of intermediate vertices (Katz 2008, §4.3; Schiff).
//
// path(i,j) = path(i,k) · path(k,j) with k = via(i,j), an edge without via; kernels/contract.hpp
// says why this ends. Cycles that cost nothing (zero weight, bottlenecks) are removed. A pair is
// expanded at most twice; without such cycles e edges take 2e − 1 reads and O(e) memory.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <vector>

#include "store/store.hpp"

namespace apsp::paths {

/// A best path s … t; {s} if s = t; empty without one. Requires: the store holds distances. Throws
/// `Error`: usage (no such vertex, no plane of via), input (via has a cycle: damage or rounding).
std::vector<Vertex> path_from_via(const store::Store& store, Vertex s, Vertex t);

/// Fills the plane of hops in memory from via and distances: hops(i,j) = hops(i,k) + hops(k,j),
/// O(n²), cycles that cost nothing included. 0 on the diagonal, −1 without a path. Cheaper than a
/// third operand in every kernel (bench/attempts.md). Throws `Error`: input, interrupted.
void write_hops(store::Store& store, const Control& control);

}  // namespace apsp::paths
