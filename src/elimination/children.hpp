// The children of each supernode.
#pragma once

#include <span>
#include <vector>

#include "elimination/tree.hpp"

namespace apsp::elimination {

class Children {
 public:
  explicit Children(const Tree& tree) : begin_(static_cast<std::size_t>(tree.supernodes()) + 1) {
    const auto for_each = [&](auto&& visit) {
      for (SupernodeId s = 0; s < tree.supernodes(); ++s) {
        if (tree.parent(s) >= 0) visit(s, static_cast<std::size_t>(tree.parent(s)));
      }
    };
    for_each([&](SupernodeId, std::size_t parent) { ++begin_[parent + 1]; });
    for (std::size_t s = 1; s < begin_.size(); ++s) begin_[s] += begin_[s - 1];
    children_.resize(begin_.back());
    std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
    for_each([&](SupernodeId s, std::size_t parent) { children_[next[parent]++] = s; });
  }

  /// Rising.
  std::span<const SupernodeId> of(SupernodeId s) const {
    return {children_.data() + begin_[static_cast<std::size_t>(s)],
            children_.data() + begin_[static_cast<std::size_t>(s) + 1]};
  }

 private:
  std::vector<std::size_t> begin_;  // [supernodes + 1]
  std::vector<SupernodeId> children_;
};

}  // namespace apsp::elimination
