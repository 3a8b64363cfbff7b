// One distance, or one row of them, from a factor.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>
#include <vector>

#include "base/aligned_memory.hpp"
#include "elimination/factor.hpp"
#include "kernels/cpu/vector_operations.hpp"

namespace apsp::elimination {

/// Up from the source to its root, and either up from the target as well and the best of where the
/// two meet, or down over all vertices.
///
/// Queries of a contraction hierarchy (Dibbelt 2014, by the elimination tree) with supernodes.
/// Every best path has a latest vertex in the order, which is an ancestor of both ends: a pair
/// looks only at the two ways to the root. A vertex that another of its supernode leads to as well
/// passes nothing on: of a wide separator few vertices are the first that paths enter. Where no arc
/// makes a path better, neither does a vertex that is as far as the best path so far. Blocks of
/// rows cost less a row in a `Sweep`, and many pairs less a pair by `Labels`.
///
/// Its memory serves one query after another. One a thread.
class FactorQuery {
 public:
  /// The factor outlives this. `sign`: of the weights.
  explicit FactorQuery(const Factor& factor, kernels::Sign sign = kernels::Sign::any);

  /// `value` ← the distance from s to t, of the factor's type; no path is `no_path(semiring,
  /// type)`. From the second target of one source on, the source's side is kept. Floats may be
  /// summed in another order than in a row: they differ by rounding.
  void distance(Vertex s, Vertex t, void* value);
  /// `row` ← [n] the distances from s to all vertices, to the last bit those of a `Sweep`, by so
  /// many threads: below the top of the tree, subtrees need nothing of each other.
  void row(Vertex s, void* row, int threads = 1);

  static std::int64_t bytes(const Tree& tree, ValueType type);

 private:
  /// Along the arcs from the source, or against them from the target.
  enum class Side { source, target };

  template <class T, bool kGreaterIsBetter>
  void sort_rows(const T* own, std::int64_t width, T limit);
  template <class S>
  typename S::Value met(const typename S::Value* x, const typename S::Value* y,
                        std::int64_t n) const;
  template <class S>
  void pass_on(SupernodeId s, kernels::ConstView arcs, typename S::Value limit,
               typename S::Value* values);
  template <class S>
  void sweep_up_from(Position source);
  template <class S>
  typename S::Value meet_in(SupernodeId s, typename S::Value best);
  template <class S>
  void keep_source(Position source);
  template <class S>
  void sweep_to_ancestor(Position end, SupernodeId above, Side side);
  template <class S>
  typename S::Value pair(Position source, Position target);
  /// `none`: no path.
  template <class T>
  void descend_run(Siblings run, T* stack, T* row, T none) const;
  template <class T>
  void descend_by(int threads, T* row, T none);

  const Factor& factor_;
  const Tree& tree_;
  kernels::cpu::VectorOperations vectors_;
  bool absorbs_;                         // an arc makes no path better
  base::AlignedMemory from_, to_;        // [height] by slot: from the source, and to the target
  base::AlignedMemory kept_, product_;   // [height]
  std::vector<Position> rows_, sorted_;  // of a supernode, the best first
  std::vector<SupernodeId> upward_supernodes_;  // from the source to its root
  Position last_source_ = -1;                   // of a pair
  Position kept_source_ = -1;                   // whose whole side `from_` holds
  // Of rows by several threads:
  std::vector<Siblings> shared_;        // for so many threads
  int sharing_ = 0;                     // threads
  base::AlignedMemory paths_, stacks_;  // [shared, height] above each; [threads, height]
};

}  // namespace apsp::elimination
