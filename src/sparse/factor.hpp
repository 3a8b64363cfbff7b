// The result of an elimination: for every supernode the distances between its own vertices, and
// between them and its row structure, through vertices that are not later than the supernode.
//
// Gauss-Jordan elimination over a closed semiring (Carré 1971, Backhouse 1975). With supernodes of
// one vertex, the upward graph of a customizable contraction hierarchy (Dibbelt 2014).
#pragma once

#include <apsp/semiring.hpp>
#include <cstdint>
#include <memory>
#include <utility>

#include "kernels/contract.hpp"
#include "sparse/tree.hpp"
#include "system/aligned_memory.hpp"

namespace apsp::sparse {

/// An end of pairs.
enum class End { source, target };
constexpr End opposite(End end) { return end == End::source ? End::target : End::source; }

class Factor {
 public:
  /// Allocates a factor without values. `symmetric`: distances are equal both ways and stored once.
  Factor(std::shared_ptr<const Tree> tree, Semiring semiring, ValueType type, bool symmetric);

  static std::int64_t bytes(const Tree& tree, ValueType type, bool symmetric);

  /// Returns the same distances. A symmetric factor may be copied with both directions.
  Factor copy(bool symmetric) const;

  const Tree& tree() const { return *tree_; }
  const std::shared_ptr<const Tree>& shared_tree() const { return tree_; }
  Semiring semiring() const { return semiring_; }
  ValueType type() const { return type_; }
  bool symmetric() const { return symmetric_; }

  /// [width, width] distances between the vertices of s.
  kernels::View closed(SupernodeId s) { return writable(std::as_const(*this).closed(s)); }
  /// [width, upper] entry (j, k): from vertex j of s to vertex k of its row structure.
  kernels::View up(SupernodeId s) { return writable(std::as_const(*this).up(s)); }
  /// [width, upper] entry (j, k): from vertex k of the row structure to vertex j of s. The same
  /// memory as `up` if the factor is symmetric.
  kernels::View down(SupernodeId s) { return writable(std::as_const(*this).down(s)); }
  // Inlined on purpose: otherwise a view is loaded as a vector that was stored in parts, which
  // waits for all earlier stores and costs a tenth of a sweep.
  kernels::ConstView closed(SupernodeId s) const {
    return view(closed_, at(closed_begin_, s), s, tree_->width(s));
  }
  kernels::ConstView up(SupernodeId s) const {
    return view(up_, at(upper_begin_, s), s, tree_->structure_size(s));
  }
  kernels::ConstView down(SupernodeId s) const {
    return view(symmetric_ ? up_ : down_, at(upper_begin_, s), s, tree_->structure_size(s));
  }
  /// The distances between s and its row structure on paths that go upward from this end.
  kernels::ConstView upward(SupernodeId s, End end) const {
    return end == End::source ? up(s) : down(s);
  }

  /// The values of all supernodes, one after another: [diagonal_entries], and [upper_entries] each.
  /// Null if there are none, or if `down` is `up`.
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
  kernels::ConstView view(const system::AlignedMemory& memory, std::int64_t begin, SupernodeId s,
                          std::int64_t cols) const {
    return {memory.data() + begin * size_of(type_), tree_->width(s), cols, cols};
  }

  std::shared_ptr<const Tree> tree_;
  Semiring semiring_;
  ValueType type_;
  bool symmetric_;
  std::vector<std::int64_t> closed_begin_, upper_begin_;  // [supernodes] offsets, values
  system::AlignedMemory closed_, up_, down_;
};

// The division of a factor that does not fit a device (sweep_parts.hpp).

struct FactorPartition {
  std::int64_t resident = 0;  // bytes of the first part, at most; it stays on the device
  std::int64_t part = 0;      // bytes of each other part, at most; 0: the whole factor stays
  bool streams() const { return part > 0; }
};

}  // namespace apsp::sparse
