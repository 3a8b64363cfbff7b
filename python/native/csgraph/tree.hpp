// Predecessors from a row of distances, without a second search.
//
// An arc u → v of weight w is tight for a source where d(u) + w = d(v); a tree of tight arcs grown
// from the source by breadth is a tree of shortest paths. Cycles of weight 0 are tight too and
// cannot trap it: a vertex gets its predecessor once, from one that has a path already. Rounded
// sums leave tight arcs open by some units in the last place, so arcs that are open by less than a
// tolerance are taken, the smallest tolerance first. O(n + m) a source, no heap.
#pragma once

#include <cstdint>
#include <vector>

#include "arcs.hpp"
#include "searches.hpp"

namespace apsp::python::csgraph {

class Tree {
 public:
  /// Requires: weights without a sign, or `arcs.integral`. `arcs` must outlive this.
  explicit Tree(const Arcs& arcs) : arcs_(arcs) {}

  /// Fills row.predecessors from row.distances. False where no tree has these distances.
  bool grow(Vertex source, const Row& row);

 private:
  /// Looks at all arcs of the vertices reached, from the one at `next` on.
  void spread(std::size_t next, double tolerance, const Row& row);

  const Arcs& arcs_;
  std::size_t wanted_ = 0;       // vertices with a distance
  std::vector<Vertex> reached_;  // in the order of breadth
};

/// The arcs that are shortest paths themselves: only they lie on any. `distances`: [n, n] of
/// `arcs`, row-major.
Arcs arcs_on_paths(const Arcs& arcs, const double* distances);

}  // namespace apsp::python::csgraph
