// Trees of best paths where arithmetic is exact: breadth-first search over tight arcs.
//
// An arc (u, v) of weight w is tight for a source if d(u) ⊗ w = d(v). Every path of tight arcs from
// the source is a best path, and some best path to each vertex consists of them: Dijkstra's tree
// does. Breadth-first levels give the fewest edges and are not trapped by tight cycles (of zero
// weight, or of one bottleneck), which walking back from the target would be. O(n + m) a source.
//
// For the bottleneck semirings a best path may begin with a part that is not best itself and so
// need fewer edges; such paths are not in any tree of best paths and are not looked for.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/semiring.hpp>
#include <cstdint>
#include <span>
#include <vector>

#include "graph/arc_walk.hpp"

namespace apsp::query {

class TightTree {
 public:
  /// `graph` must outlive this.
  TightTree(const Graph& graph, Semiring semiring, ValueType type,
            graph::Pages pages = graph::Pages::kept);

  /// `distance`: [n], no path as `no_path(semiring, f64)`, the source as `empty_path`. Fills
  /// `predecessor` [n]: the smallest one on the level before, −1 for the source and where there is
  /// no path. False if some vertex with a distance is not reached over tight arcs.
  bool grow(Vertex source, std::span<const double> distance, std::span<std::int64_t> predecessor);

 private:
  template <class Times>
  void search(Vertex source, std::span<const double> distance, std::span<std::int64_t> predecessor,
              Times times);

  const Graph& graph_;
  graph::ArcWalk walk_;
  Semiring semiring_;
  bool round_weights_;  // to f32, as the solver did
  double no_path_;
  std::vector<std::int32_t> level_;  // [n] edges from the source, −1: not reached
  std::vector<Vertex> queue_;        // reached vertices in order
};

}  // namespace apsp::query
