// Labels of vertices, from which distances of many pairs are computed.
//
// The label of a vertex holds its distances over upward arcs to all of its ancestors, by slot.
// Every best path has a latest vertex in the order, which is an ancestor of both ends, so a
// distance is the product of two vectors as long as the common part of both paths to the root.
// These are hierarchical hub labels (Abraham 2012) of the elimination order. Labels are made from
// the roots down:
//
//     label(v)[a] = ⊕ up(v, u) ⊗ label(u)[a] over the row structure, and `closed` in its supernode.
//
// All labels take much more memory than the factor. Those of one path fit a cache.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/contract.hpp"
#include "kernels/cpu/row_products.hpp"
#include "sparse/factor.hpp"
#include "system/aligned_memory.hpp"

namespace apsp::sparse {

/// Makes labels of one vertex after another, which serve both ends if the factor is symmetric. The
/// labels of the path from the root to the last one are kept, so neighbours in the order are
/// cheapest. Each thread needs its own object.
class PathLabels {
 public:
  /// The factor must outlive this. Throws `Error` (does_not_fit).
  PathLabels(const Factor& factor, kernels::Sign sign, End end);

  /// [slot + width of its supernode] the label of the vertex at p. It is on 64 bytes and valid
  /// until the next call.
  const std::byte* of(Position p);

  /// Bytes of one label of a vertex of s: whole lines of 64 bytes.
  static std::int64_t label_bytes(const Tree& tree, SupernodeId s, ValueType type);
  /// Bytes of the labels of the longest path.
  static std::int64_t bytes(const Tree& tree, ValueType type);

 private:
  void fill(SupernodeId s);
  void fill_own(SupernodeId s);
  kernels::View rows_of(SupernodeId s);

  const Factor& factor_;
  const Tree& tree_;
  End end_;
  kernels::cpu::RowOperations operations_;
  PathWalk walk_;
  std::vector<std::int64_t> begin_;  // [height] byte offsets, at the first slots of supernodes
  std::vector<std::int32_t> rows_;
  system::AlignedMemory values_;
};

}  // namespace apsp::sparse
