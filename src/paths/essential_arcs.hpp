// The arcs that shortest paths may use, found by the distances of all pairs.
//
// An arc that is longer than the distance between its ends is on no shortest path; the others form
// the essential subgraph (Karger, Koller, Phillips 1993; McGeoch 1995). A dense graph of random
// weights has O(n log n) of them, so its predecessors take less time than its distances.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <cstdint>
#include <vector>

#include "store/store.hpp"

namespace apsp::paths {

class EssentialArcs {
 public:
  /// Finds the arcs of `graph` that are no longer than the distance between their ends. If sums
  /// round, arcs that are longer by no more than rounding stay. Arcs of bottleneck semirings stay
  /// if they are no worse than that distance, or no worse than the worst distance of all. The
  /// result is empty if `may_pay` is false, if more than a quarter of the arcs would stay, or if
  /// `distances` lacks rows or columns of the graph. O(n² + m), rows in parallel. Throws `Error`:
  /// interrupted, and what the store throws.
  EssentialArcs(const Graph& graph, const store::Store& distances, int threads,
                const Control& control);

  /// False for sparse graphs, where they would save no time; for reachability, whose arcs all
  /// stay; and for rounded sums of weights of both signs.
  static bool may_pay(const Graph& graph, Semiring semiring, ValueType type);
  /// Returns the largest number of bytes for a graph with so many arcs.
  static std::int64_t bytes(std::int64_t vertices, std::int64_t arcs);

  bool empty() const { return arcs_.empty(); }
  std::int64_t count() const { return std::ssize(arcs_); }
  /// Calls visit(to, weight) for the arcs of u by ascending weight, up to `most`.
  template <class Visit>
  void for_each_arc(Vertex u, double most, Visit&& visit) const {
    const double limit = most + tolerance_;
    for (std::int64_t a = offsets_[u]; a < offsets_[u + std::size_t{1}]; ++a) {
      const Arc& arc = arcs_[static_cast<std::size_t>(a)];
      if (arc.weight > limit) return;
      visit(arc.to, arc.weight);
    }
  }

 private:
  std::vector<std::int64_t> offsets_;  // [n + 1]
  std::vector<Arc> arcs_;              // by ascending weight within a row
  double tolerance_ = 0;               // of weights, because sums round
};

}  // namespace apsp::paths
