// One distance, or one row of distances, from a factor.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/cpu/vector_operations.hpp"
#include "sparse/downward_factor.hpp"
#include "sparse/factor.hpp"
#include "system/aligned_memory.hpp"

namespace apsp::sparse {

/// Searches upward from the source to its root, and then either upward from the target, where the
/// best meeting vertex decides, or downward over all vertices.
///
/// These are the queries of a contraction hierarchy (Dibbelt 2014, by the elimination tree) with
/// supernodes. Every best path has a latest vertex in the order, which is an ancestor of both ends,
/// so a pair visits only the two paths to the root. A vertex that is reached at no greater distance
/// through another vertex of its supernode is skipped. If no arc improves a path, so is a vertex
/// that is as far as the best path so far. A `Sweep` takes less time for a row of a block, and
/// `Labels` less for each of many pairs.
///
/// Memory is reused by later queries. Each thread needs its own object.
class FactorQuery {
 public:
  /// The factor must outlive this. `sign`: of the weights. `copies`: of the factor, for rows after
  /// the first ones; null: none.
  explicit FactorQuery(const Factor& factor, kernels::Sign sign = kernels::Sign::any,
                       DownwardCopies* copies = nullptr);

  /// `value` ← the distance from s to t in the factor's type; without a path `no_path(semiring,
  /// type)`. From the second target of the same source on, the source's side is reused. Floats may
  /// be summed in another order than in a row, and then differ by rounding.
  void distance(Vertex s, Vertex t, void* value);
  /// `row` ← [n] the distances from s, equal to those of a `Sweep` to the last bit. With a copy,
  /// subtrees below the top of the tree are divided among `threads`.
  void row(Vertex s, void* row, int threads = 1) { this->row(s, End::source, row, threads); }
  /// The same between v, which is this end, and all vertices.
  void row(Vertex v, End end, void* row, int threads);
  /// values[i] ← the distance between v, which is the pairs' `end`, and the vertex at others[i].
  /// Visits only the ancestors of these, each once if the positions ascend or descend.
  void distances(Vertex v, End end, std::span<const Position> others, void* values);

  static std::int64_t bytes(const Tree& tree, ValueType type);

 private:
  template <class T, bool kGreaterIsBetter>
  void sort_rows(const T* own, std::int64_t width, T limit);
  template <class S>
  typename S::Value met(const typename S::Value* x, const typename S::Value* y,
                        std::int64_t n) const;
  template <class S>
  void pass_on(SupernodeId s, kernels::ConstView arcs, typename S::Value limit,
               typename S::Value* values);
  template <class S>
  void sweep_up_from(Position p, End end);
  template <class S>
  typename S::Value meet_in(SupernodeId s, typename S::Value best);
  template <class S>
  void keep(Position p, End end);
  template <class S>
  void sweep_to_ancestor(Position p, SupernodeId above, End end);
  template <class S>
  typename S::Value pair(Position source, Position target);
  template <class T>
  void descend(End end, T* row, T none);
  template <class S>
  void descend_to(Position p, End end, typename S::Value* value);

  const Factor& factor_;
  const Tree& tree_;
  kernels::cpu::VectorOperations vectors_;
  bool absorbs_;                          // no arc improves a path
  system::AlignedMemory from_, to_;       // [height] by slot: from the source, and to the target
  system::AlignedMemory kept_, product_;  // [height]
  std::vector<Position> rows_, sorted_;   // rows of a supernode, the best first
  std::vector<SupernodeId> upward_supernodes_;
  Position last_source_ = -1;
  Position kept_source_ = -1;  // source whose complete side is in `kept_`
  // `distances`: the path whose distances are in `to_`
  PathWalk walk_;
  std::vector<SupernodeId> kept_at_;  // [height] supernodes of the kept end's path, by first slot
  DownwardCopies* copies_;
  system::AlignedMemory room_;  // of a copy
};

}  // namespace apsp::sparse
