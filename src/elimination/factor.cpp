#include "elimination/factor.hpp"

#include <algorithm>

namespace apsp::elimination {

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
  std::copy_n(closed_.data(), closed_.bytes(), other.closed_.data());
  std::copy_n(up_.data(), up_.bytes(), other.up_.data());
  if (!symmetric) std::copy_n((symmetric_ ? up_ : down_).data(), up_.bytes(), other.down_.data());
  return other;
}

}  // namespace apsp::elimination
