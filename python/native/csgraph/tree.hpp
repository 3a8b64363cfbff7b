// Predecessors from a row of distances, without a second search, and lengths from predecessors.
//
// An arc u → v of weight w is tight for a source if d(u) + w = d(v); a breadth-first tree of tight
// arcs from the source is a tree of shortest paths. Cycles of weight 0 cannot trap it, because a
// vertex gets its predecessor once, from one that has a path. Rounded sums miss equality by a few
// units in the last place, so arcs within a tolerance are accepted, the smallest tolerance first.
// O(n + m) for each source.
#pragma once

#include <cstdint>
#include <vector>

#include "arcs.hpp"
#include "searches.hpp"

namespace apsp::python::csgraph {

class Tree {
 public:
  /// `arcs` must outlive this.
  explicit Tree(const Arcs& arcs) : arcs_(arcs) {}

  /// Sets row.predecessors from row.distances. Returns false if no tree has these distances.
  bool grow(Vertex source, const Row& row);

 private:
  /// Visits all arcs of reached vertices, from position `next` on.
  void spread(std::size_t next, double tolerance, const Row& row);

  const Arcs& arcs_;
  double scale_ = 0;             // of tolerances; 0: the distance itself
  std::size_t wanted_ = 0;       // vertices with a distance
  std::vector<Vertex> reached_;  // in breadth-first order
};

/// Returns the arcs that are shortest paths themselves; only they are parts of shortest paths.
/// `distances`: [n, n] of `arcs`, row-major.
Arcs arcs_on_paths(const Arcs& arcs, const double* distances);

/// Lengths of the paths that a matrix of predecessors describes.
/// `weights`: [n, n], infinity for no arc. `predecessors`: [n, n] of SciPy. Fills `distances` [n,
/// n], with `null_value` where predecessors lead nowhere. Throws `Error` (input) for predecessors
/// that are no vertices or form a cycle. O(n²).
void walk_lengths(const double* weights, const std::int32_t* predecessors, std::int64_t n,
                  double null_value, double* distances);

}  // namespace apsp::python::csgraph
