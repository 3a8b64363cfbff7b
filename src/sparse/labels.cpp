#include "sparse/labels.hpp"

#include <algorithm>
#include <cstring>

#include "base/rounded_up.hpp"
#include "semiring/dispatch.hpp"

namespace apsp::sparse {

std::int64_t PathLabels::label_bytes(const Tree& tree, SupernodeId s, ValueType type) {
  return base::rounded_up((tree.slot(s) + tree.width(s)) * std::int64_t{size_of(type)}, 64);
}

std::int64_t PathLabels::bytes(const Tree& tree, ValueType type) {
  std::vector<std::int64_t> bytes(static_cast<std::size_t>(tree.supernodes()));
  std::int64_t most = 0;
  for (SupernodeId s = tree.supernodes() - 1; s >= 0; --s) {
    const SupernodeId parent = tree.parent(s);
    at(bytes, s) =
        (parent < 0 ? 0 : at(bytes, parent)) + tree.width(s) * label_bytes(tree, s, type);
    most = std::max(most, at(bytes, s));
  }
  return most;
}

PathLabels::PathLabels(const Factor& factor, kernels::Sign sign, End end)
    : factor_(factor),
      tree_(factor.tree()),
      end_(end),
      operations_(kernels::cpu::row_operations(factor.semiring(), factor.type(), sign)),
      walk_(tree_),
      begin_(static_cast<std::size_t>(tree_.height())),
      values_(bytes(tree_, factor.type())) {}

const std::byte* PathLabels::of(Position p) {
  const SupernodeId s = tree_.supernode_of(p);
  walk_.to(s, [this](SupernodeId entered) { fill(entered); });
  const kernels::View rows = rows_of(s);
  return static_cast<const std::byte*>(rows.data) +
         (p - tree_.first(s)) * rows.stride * size_of(factor_.type());
}

/// The labels of s, whose supernode is on the path: [width, slot + width, padded].
kernels::View PathLabels::rows_of(SupernodeId s) {
  const std::int64_t stride = label_bytes(tree_, s, factor_.type()) / size_of(factor_.type());
  return {values_.data() + at(begin_, tree_.slot(s)), tree_.width(s), stride, stride};
}

void PathLabels::fill(SupernodeId s) {
  const SupernodeId parent = tree_.parent(s);
  at(begin_, tree_.slot(s)) =
      parent < 0 ? 0
                 : at(begin_, tree_.slot(parent)) +
                       tree_.width(parent) * label_bytes(tree_, parent, factor_.type());
  kernels::View own = rows_of(s);
  semiring::dispatch(factor_.semiring(), factor_.type(), [&]<class S>() {
    auto* const values = static_cast<typename S::Value*>(own.data);
    std::fill(values, values + own.rows * own.stride, S::zero());
  });
  const kernels::ConstView arcs = factor_.upward(s, end_);
  const auto upper = tree_.upper(s);
  rows_.resize(upper.size());
  for (std::size_t begin = 0, next = 0; begin < upper.size(); begin = next) {
    const SupernodeId u = tree_.supernode_of(upper[begin]);
    for (; next < upper.size() && upper[next] < tree_.first(u + 1); ++next) {
      rows_[next] = upper[next] - tree_.first(u);
    }
    const kernels::View above = rows_of(u);
    own.cols = above.cols;
    operations_.multiply_gathered(
        own,
        kernels::part(arcs, size_of(factor_.type()), 0, static_cast<std::int64_t>(begin), own.rows,
                      static_cast<std::int64_t>(next - begin)),
        above, rows_.data() + begin);
  }
  fill_own(s);
}

void PathLabels::fill_own(SupernodeId s) {
  const auto size = static_cast<std::size_t>(size_of(factor_.type()));
  const kernels::ConstView closed = factor_.closed(s);
  const kernels::View rows = rows_of(s);
  const auto width = static_cast<std::size_t>(closed.cols);
  const auto* const values = static_cast<const std::byte*>(closed.data);
  auto* own = static_cast<std::byte*>(rows.data) + static_cast<std::size_t>(tree_.slot(s)) * size;
  for (std::size_t j = 0; j < width; ++j, own += static_cast<std::size_t>(rows.stride) * size) {
    if (end_ == End::source || factor_.symmetric()) {
      std::memcpy(own, values + j * width * size, width * size);
      continue;
    }
    for (std::size_t i = 0; i < width; ++i) {
      std::memcpy(own + i * size, values + (i * width + j) * size, size);
    }
  }
}

}  // namespace apsp::sparse
