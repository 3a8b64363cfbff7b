#include "sparse/factor.hpp"

#include <algorithm>

#include "base/control.hpp"

namespace apsp::sparse {
namespace {

/// Copies in pieces, so that the caller can cancel.
void copy_bytes(const system::AlignedMemory& from, system::AlignedMemory& to) {
  constexpr std::int64_t kPart = std::int64_t{1} << 24;
  for (std::int64_t at = 0; at < from.bytes(); at += kPart) {
    base::check_cancelled();
    std::copy_n(from.data() + at, std::min(kPart, from.bytes() - at), to.data() + at);
  }
}

}  // namespace

Factor::Factor(std::shared_ptr<const Tree> tree, Semiring semiring, ValueType type, bool symmetric)
    : tree_(std::move(tree)),
      semiring_(semiring),
      type_(type),
      symmetric_(symmetric),
      closed_(tree_->diagonal_entries() * size_of(type)),
      up_(tree_->upper_entries() * size_of(type)),
      down_(symmetric ? 0 : tree_->upper_entries() * size_of(type)) {
  std::int64_t closed = 0, upper = 0;
  closed_begin_.reserve(static_cast<std::size_t>(tree_->supernodes()));
  upper_begin_.reserve(static_cast<std::size_t>(tree_->supernodes()));
  for (SupernodeId s = 0; s < tree_->supernodes(); ++s) {
    closed_begin_.push_back(closed);
    upper_begin_.push_back(upper);
    closed += std::int64_t{tree_->width(s)} * tree_->width(s);
    upper += tree_->width(s) * tree_->structure_size(s);
  }
}

std::int64_t Factor::bytes(const Tree& tree, ValueType type, bool symmetric) {
  return (tree.diagonal_entries() + (symmetric ? 1 : 2) * tree.upper_entries()) * size_of(type);
}

Factor Factor::copy(bool symmetric) const {
  Factor other(tree_, semiring_, type_, symmetric);
  copy_bytes(closed_, other.closed_);
  copy_bytes(up_, other.up_);
  if (!symmetric) copy_bytes(symmetric_ ? up_ : down_, other.down_);
  return other;
}

}  // namespace apsp::sparse
