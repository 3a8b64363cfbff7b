// Shortest paths to a few vertices from exact distances, found from their ends back.
//
// An arc u → v is on a shortest path if d(u) + w = d(v). Only the vertices of shortest paths to the
// ends are visited, depth-first, so a path costs its surroundings and no row of predecessors. The
// paths are those of `PredecessorTree`: of the fewest edges, then with the smallest vertices from
// the end.
#pragma once

#include <apsp/semiring.hpp>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "paths/path_counts.hpp"

namespace apsp::paths {

class BackwardPaths {
 public:
  /// Requires: weights above 0, and distances that are exact in `type`. `arcs` must outlive this.
  BackwardPaths(const CountedArcs<double>& arcs, ValueType type);

  /// Forgets all paths. `row`: [n] min-plus distances from the source, until the next call.
  void begin(Vertex source, const void* row);
  /// Finds the path to a vertex. Amortised over all ends of a source: each vertex is visited once.
  void reach(Vertex end);
  /// [n] the vertex before each vertex of the paths; −1: the source, or on none.
  std::span<const std::int64_t> before() const { return before_; }

 private:
  static constexpr std::uint32_t kUnseen = std::numeric_limits<std::uint32_t>::max();

  /// A vertex whose predecessors are being looked at.
  struct Step {
    Vertex vertex;
    std::uint32_t next;   // of the arcs into it
    std::uint32_t edges;  // of the best path so far
  };

  template <class T>
  void grow(Vertex end);
  template <class T>
  void walk(Vertex end);
  template <class T>
  bool look_back(Step& step);

  const CountedArcs<double>& arcs_;
  ValueType type_;
  const void* row_ = nullptr;
  std::vector<std::int64_t> before_;
  std::vector<std::uint32_t> edges_;  // [n] of the paths; kUnseen: not looked at
  std::vector<Vertex> grown_;         // vertices with edges
  std::vector<Step> steps_;
};

}  // namespace apsp::paths
