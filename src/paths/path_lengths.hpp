// Rows of distances, and beside them the lengths of their paths by other weights: how many
// kilometres the fastest way has.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>
#include <span>
#include <vector>

#include "base/pool.hpp"
#include "flow/row_sink.hpp"
#include "paths/path_trees.hpp"

namespace apsp::paths {

/// Lengths of the paths of one source after another. One a thread.
class PathLengths {
 public:
  /// Distances are those of `graph`, of this semiring and type. `weights`: the same vertices, and
  /// an arc wherever `graph` has one. Both outlive this.
  PathLengths(const Graph& graph, const Graph& weights, Semiring semiring, ValueType type);

  /// lengths[i] ← of the path that `Result::path` gives from `source` to targets[i]; infinity where
  /// there is no path. Of parallel arcs a path takes the best one, and of several best ones that of
  /// the least second weight. The k-th of parallel arcs has the k-th of the second weights, as both
  /// were given. `distances`: [n]. O(n + m) as `PredecessorTree`, and the edges of the paths.
  /// Throws `Error`: input (a path's arc has no second weight), usage (parallel arcs of which it is
  /// not known which second weight is whose), does_not_fit (integers whose sum would be rounded).
  void of(Vertex source, const void* distances, std::span<const Vertex> targets, double* lengths);

 private:
  double weight(Vertex from, Vertex to) const;
  double weight_of_best(Vertex from, Vertex to, double best) const;
  double checked(double sum) const;

  const Graph& graph_;
  const Graph& weights_;
  Semiring semiring_;
  PredecessorTree tree_;
  std::vector<double> length_;        // [n] of the paths that are known
  std::vector<std::uint32_t> known_;  // [n] the source's number since when `length_` is
  std::uint32_t number_ = 0;          // of the source
  std::vector<Vertex> way_;
  bool sums_may_round_;  // integers may add up to more than doubles hold exactly
};

/// A sink of whole rows that keeps, of some targets, the distances and those lengths.
class PathLengthRows final : public flow::RowSink {
 public:
  /// Where rows go, in the order of the sources: [sources, targets] each.
  struct Into {
    std::span<const Vertex> targets;
    double* distances;
    double* lengths;
  };
  PathLengthRows(std::int64_t n, ValueType type, Semiring semiring, const store::Selection& rows,
                 base::Pool<PathLengths>& lengths, const Into& into)
      : RowSink(n, type, rows), semiring_(semiring), lengths_(lengths), into_(into) {}

  flow::RowPreference preference() const override { return {}; }
  flow::RowTask task() const override { return {"lengths of paths"}; }

 private:
  void accept(const RowBlock& block) override;

  Semiring semiring_;
  base::Pool<PathLengths>& lengths_;
  Into into_;
};

}  // namespace apsp::paths
