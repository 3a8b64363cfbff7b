// Lengths of shortest paths by other weights, such as the kilometres of the fastest path.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>
#include <span>
#include <vector>

#include "flow/row_sink.hpp"
#include "paths/path_trees.hpp"
#include "system/pool.hpp"

namespace apsp::paths {

/// Lengths for one source at a time. Each thread needs its own instance.
class PathLengths {
 public:
  /// `weights` have the vertices and arcs of `graph`; all must outlive this. Distances: of `type`.
  PathLengths(const Graph& graph, std::span<const Graph> weights, Semiring semiring,
              ValueType type);

  /// lengths[i, k] ← sum of weights[k] along the path of `Result::path` from `source` to
  /// targets[i]; infinity without one. The best of parallel arcs counts, then the one with the
  /// least second weights, the first graph deciding first; all graphs have them in the same order.
  /// `distances`: [n]. Throws `Error`: input (an arc lacks a second weight), usage (order of arcs
  /// unknown), does_not_fit (a sum of integers would be rounded).
  void of(Vertex source, const void* distances, std::span<const Vertex> targets, double* lengths);

  /// weights[k] ← second weight k of the arc that a path takes from one vertex to another. Throws
  /// `Error` as `of`.
  void of_arc(Vertex from, Vertex to, double* weights) const;

 private:
  std::vector<double> of_best(Vertex from, Vertex to, double best) const;
  double checked(double sum, std::size_t graph) const;

  const Graph& graph_;
  std::span<const Graph> weights_;
  Semiring semiring_;
  PredecessorTree tree_;
  std::vector<double> length_;        // [n, weights] second lengths
  std::vector<std::uint32_t> known_;  // [n] `number_` for which length_[v] is valid
  std::uint32_t number_ = 0;
  std::vector<Vertex> way_;
  std::vector<bool> sums_may_round_;  // [weights] sums of integers may exceed 2^53
};

/// Consumes whole rows; stores distances and second lengths of some targets.
class PathLengthRows final : public flow::RowSink {
 public:
  /// Outputs: [sources, targets], sources in the order of the selection.
  struct Into {
    std::span<const Vertex> targets;
    double* distances;
    double* lengths;  ///< [sources, targets, weights]
    std::int64_t weights;
  };
  PathLengthRows(std::int64_t n, ValueType type, Semiring semiring, const store::Selection& rows,
                 system::Pool<PathLengths>& lengths, const Into& into)
      : RowSink(n, type, rows), semiring_(semiring), lengths_(lengths), into_(into) {}

  flow::RowPreference preference() const override { return {}; }
  flow::RowTask task() const override { return {"lengths of paths"}; }

 private:
  void accept(const RowBlock& block) override;

  Semiring semiring_;
  system::Pool<PathLengths>& lengths_;
  Into into_;
};

}  // namespace apsp::paths
