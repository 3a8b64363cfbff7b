// Pairs of vertices, grouped by their first one.
#pragma once

#include <algorithm>
#include <apsp/statistics.hpp>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace apsp::flow {

class PairsBySource {
 public:
  explicit PairsBySource(std::span<const VertexPair> pairs) : order_(pairs.size()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::ranges::stable_sort(order_, {}, [&](std::size_t i) { return pairs[i].from; });
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const Vertex source = pairs[order_[i]].from;
      if (!sources_.empty() && sources_.back() == source) continue;
      first_.push_back(i);
      sources_.push_back(source);
    }
    first_.push_back(order_.size());
  }

  /// Ascending, each once.
  const std::vector<Vertex>& sources() const { return sources_; }
  /// Indices of the pairs of sources()[i], in their order.
  std::span<const std::size_t> of(std::int64_t i) const {
    const auto at = static_cast<std::size_t>(i);
    return std::span(order_).subspan(first_[at], first_[at + 1] - first_[at]);
  }
  /// Returns i with sources()[i] = `source`. Requires: there is one.
  std::int64_t place(Vertex source) const {
    return std::ranges::lower_bound(sources_, source) - sources_.begin();
  }

 private:
  std::vector<std::size_t> order_, first_;
  std::vector<Vertex> sources_;
};

}  // namespace apsp::flow
