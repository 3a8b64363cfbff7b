// What an elimination leaves: for every supernode the distances between its own vertices, and
// between them and its row structure, through vertices that are not later than the supernode.
//
// Carré 1971 and Backhouse 1975 (Gauss-Jordan elimination over a closed semiring); with
// unit widths the upward graph of a customizable contraction hierarchy (Dibbelt 2014).
#pragma once

#include <apsp/semiring.hpp>
#include <cstdint>
#include <memory>
#include <utility>

#include "base/aligned_memory.hpp"
#include "elimination/tree.hpp"
#include "kernels/contract.hpp"

namespace apsp::elimination {

class Factor {
 public:
  /// Without values yet. `symmetric`: distances are the same both ways, and are kept once.
  Factor(std::shared_ptr<const Tree> tree, Semiring semiring, ValueType type, bool symmetric);

  static std::int64_t bytes(const Tree& tree, ValueType type, bool symmetric);

  /// The same distances; where they are the same both ways, they may be kept twice.
  Factor copy(bool symmetric) const;

  const Tree& tree() const { return *tree_; }
  const std::shared_ptr<const Tree>& shared_tree() const { return tree_; }
  Semiring semiring() const { return semiring_; }
  ValueType type() const { return type_; }
  bool symmetric() const { return symmetric_; }

  /// [width, width] from and to the vertices of s.
  kernels::View closed(SupernodeId s) { return writable(std::as_const(*this).closed(s)); }
  /// [width, upper] entry (j, k): from vertex j of s to its upper vertex k.
  kernels::View up(SupernodeId s) { return writable(std::as_const(*this).up(s)); }
  /// [width, upper] entry (j, k): from upper vertex k to vertex j of s. The same as `up` where
  /// distances are symmetric.
  kernels::View down(SupernodeId s) { return writable(std::as_const(*this).down(s)); }
  // Not inlined, a view is loaded as a vector that was stored in parts, and waits for all stores
  // before it: a tenth of a sweep whose distances are laid down.
  kernels::ConstView closed(SupernodeId s) const {
    return view(closed_, at(closed_begin_, s), s, tree_->width(s));
  }
  kernels::ConstView up(SupernodeId s) const {
    return view(up_, at(upper_begin_, s), s, tree_->structure_size(s));
  }
  kernels::ConstView down(SupernodeId s) const {
    return view(symmetric_ ? up_ : down_, at(upper_begin_, s), s, tree_->structure_size(s));
  }

  /// The same of all supernodes, one after another: [diagonal_entries], and [upper_entries] each.
  /// Null where there are none, or where `down` is `up`.
  std::byte* all_closed() { return closed_.data(); }
  std::byte* all_up() { return up_.data(); }
  std::byte* all_down() { return down_.data(); }
  const std::byte* all_closed() const { return closed_.data(); }
  const std::byte* all_up() const { return up_.data(); }
  const std::byte* all_down() const { return down_.data(); }

 private:
  static kernels::View writable(kernels::ConstView view) {
    return {const_cast<void*>(view.data), view.rows, view.cols, view.stride};
  }
  kernels::ConstView view(const base::AlignedMemory& memory, std::int64_t begin, SupernodeId s,
                          std::int64_t cols) const {
    return {memory.data() + begin * size_of(type_), tree_->width(s), cols, cols};
  }

  std::shared_ptr<const Tree> tree_;
  Semiring semiring_;
  ValueType type_;
  bool symmetric_;
  std::vector<std::int64_t> closed_begin_, upper_begin_;  // [supernodes], values
  base::AlignedMemory closed_, up_, down_;
};

// How a factor is cut for a device that is too small for all of it (sweep_parts.hpp).

struct SweepCut {
  std::int64_t resident = 0;  // bytes of the first part, at most; it stays on the device
  std::int64_t part = 0;      // bytes of each other part, at most; 0: the whole factor stays
  bool streams() const { return part > 0; }
};

}  // namespace apsp::elimination
