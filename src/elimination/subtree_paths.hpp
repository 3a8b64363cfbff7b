// The update matrix of a subtree's root (Duff 1983), computed again from the factor where it was
// not kept: the shortest paths between vertices above the subtree that lead through the subtree.
//
// Such a path is the best one over the supernodes of the subtree: `down` of a supernode, then `up`.
// A supernode of which at most one upper vertex lies above the subtree adds nothing, and nor do its
// descendants. That holds for most supernodes, so few are looked at.
#pragma once

#include <span>
#include <vector>

#include "base/aligned_memory.hpp"
#include "elimination/children.hpp"
#include "elimination/factor.hpp"
#include "kernels/contract.hpp"

namespace apsp::elimination {

class SubtreePaths {
 public:
  /// Both outlive this.
  SubtreePaths(const Factor& factor, const Children& children,
               const kernels::TileOperations& operations)
      : factor_(factor), children_(children), operations_(operations) {}

  /// The memory of a thread.
  struct Scratch {
    std::vector<SupernodeId> open;
    base::AlignedMemory products;
  };

  /// front ← front ⊕ the paths over the subtree of `root` between vertices above it.
  /// `row_of`: [n] the row and column of a position in the front. Of a symmetric factor only
  /// entries on and below the diagonal.
  void add(SupernodeId root, kernels::View front, std::span<const Position> row_of,
           Scratch& scratch) const;

 private:
  template <class S>
  void add_supernode(SupernodeId s, std::span<const Position> above, kernels::View front,
                     std::span<const Position> row_of, Scratch& scratch) const;

  const Factor& factor_;
  const Children& children_;
  const kernels::TileOperations& operations_;
};

}  // namespace apsp::elimination
