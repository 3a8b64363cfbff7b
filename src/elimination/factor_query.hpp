// One distance, or one row of them, from a factor: up from the source to its root, and either up
// from the target as well and the best of where the two meet, or down over all vertices.
//
// Queries of a contraction hierarchy (Dibbelt 2014, by the elimination tree)
// with supernodes. Every best path has a latest vertex in the order, which is an ancestor of both
// ends: a pair looks at the two ways to the root alone. Blocks of rows cost less a row in a
// `Sweep`.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>
#include <vector>

#include "base/aligned_memory.hpp"
#include "elimination/factor.hpp"

namespace apsp::elimination {

/// Its memory serves one query after another. One a thread.
class FactorQuery {
 public:
  /// The factor outlives this.
  explicit FactorQuery(const Factor& factor);

  /// `value` ← the distance from s to t, of the factor's type; no path is `no_path(semiring,
  /// type)`. Floats may be summed in another order than in a row: they differ by rounding.
  void distance(Vertex s, Vertex t, void* value);
  /// `row` ← [n] the distances from s to all vertices, to the last bit those of a `Sweep`.
  void row(Vertex s, void* row);

  static std::int64_t bytes(const Tree& tree, ValueType type);

 private:
  template <class S>
  void sweep_up_from(Position source);
  template <class S>
  void sweep_up_to(Position target);
  template <class S>
  typename S::Value meet(Position source, Position target) const;
  template <class S>
  void descend(Position source, typename S::Value* row);

  const Factor& factor_;
  const Tree& tree_;
  base::AlignedMemory from_, to_;  // [height] by slot: from the source, and to the target
  base::AlignedMemory product_;    // [height]
  std::vector<SupernodeId> upward_supernodes_;  // from the source to its root
};

}  // namespace apsp::elimination
