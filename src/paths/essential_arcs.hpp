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
  /// result is empty if `may_pay` is false, if it would take more than `bytes` (more than a fifth
  /// of the arcs stay and all weights differ, or nearly all arcs stay), or if `distances` lacks
  /// rows or columns of the graph. O(n² + m), rows in parallel. Throws `Error`: interrupted, and
  /// what the store throws.
  EssentialArcs(const Graph& graph, const store::Store& distances, int threads,
                const Control& control);

  /// False for sparse graphs, where they would save no time; for reachability, whose arcs all
  /// stay; and for rounded sums of weights of both signs.
  static bool may_pay(const Graph& graph, Semiring semiring, ValueType type);
  /// Returns the largest number of bytes for a graph with so many arcs.
  static std::int64_t bytes(std::int64_t vertices, std::int64_t arcs);

  bool empty() const { return rows_.empty(); }
  std::int64_t count() const { return count_; }
  /// Calls visit(to, weight) for the arcs of u by ascending weight, up to `most`.
  template <class Visit>
  void for_each_arc(Vertex u, double most, Visit&& visit) const {
    const double limit = most + tolerance_;
    const Vertex* to = rows_[u].targets.data();
    for (const Run& run : rows_[u].runs) {
      if (run.weight > limit) return;
      for (const Vertex* const end = to + run.count; to != end; ++to) visit(*to, run.weight);
    }
  }

 private:
  /// Arcs of one weight, which many arcs share where distances are often equal.
  struct Run {
    double weight;
    Vertex count;
  };
  struct Row {
    std::vector<Run> runs;        // by ascending weight
    std::vector<Vertex> targets;  // of all runs
  };

  static Row row_of(std::vector<Arc>& arcs);

  std::vector<Row> rows_;  // [n]
  std::int64_t count_ = 0;
  double tolerance_ = 0;  // of weights, because sums round
};

}  // namespace apsp::paths
