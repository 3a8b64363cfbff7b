// Which integers occur as vertices, and the rank of each among them.
//
// One bit an integer up to the greatest, with counts at every word: a rank costs one look-up, and
// memory 1.5 bits an integer. Where that would exceed what the file's size justifies, a sorted
// list.
#pragma once

#include <apsp/graph.hpp>

#include <algorithm>
#include <bit>
#include <span>
#include <vector>

namespace apsp::io {

class IdRanks {
 public:
  /// Requires: no end of an edge is above `greatest`. `bytes`: what may be claimed.
  IdRanks(std::span<const Edge> edges, Vertex greatest, std::size_t bytes) {
    constexpr std::size_t kAlwaysGranted = std::size_t{1} << 20;
    if (greatest / 8 <= std::max(bytes, kAlwaysGranted)) {
      mark(edges, greatest);
    } else {
      sort(edges);
    }
  }

  std::size_t count() const { return count_; }
  bool holds(Vertex id) const {
    if (words_.empty()) return std::binary_search(sorted_.begin(), sorted_.end(), id);
    return (words_[id / 64] >> (id % 64) & 1) != 0;
  }
  /// Requires: holds(id).
  Vertex rank(Vertex id) const {
    if (words_.empty()) {
      return static_cast<Vertex>(std::lower_bound(sorted_.begin(), sorted_.end(), id) -
                                 sorted_.begin());
    }
    const std::uint64_t below = words_[id / 64] & ((std::uint64_t{1} << (id % 64)) - 1);
    return before_[id / 64] + static_cast<Vertex>(std::popcount(below));
  }
  /// Calls visit(id) for each, rising.
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (const Vertex id : sorted_) visit(id);
    for (std::size_t i = 0; i < words_.size(); ++i) {
      for (std::uint64_t left = words_[i]; left != 0; left &= left - 1) {
        visit(static_cast<Vertex>(i * 64) + static_cast<Vertex>(std::countr_zero(left)));
      }
    }
  }

 private:
  void mark(std::span<const Edge> edges, Vertex greatest) {
    words_.resize(greatest / 64 + 1);
    const auto mark_one = [this](Vertex id) { words_[id / 64] |= std::uint64_t{1} << (id % 64); };
    for (const Edge& edge : edges) {
      mark_one(edge.from);
      mark_one(edge.to);
    }
    before_.reserve(words_.size());
    for (const std::uint64_t word : words_) {
      before_.push_back(static_cast<Vertex>(count_));
      count_ += static_cast<std::size_t>(std::popcount(word));
    }
  }

  void sort(std::span<const Edge> edges) {
    sorted_.reserve(2 * edges.size());
    for (const Edge& edge : edges) {
      sorted_.push_back(edge.from);
      sorted_.push_back(edge.to);
    }
    std::sort(sorted_.begin(), sorted_.end());
    sorted_.erase(std::unique(sorted_.begin(), sorted_.end()), sorted_.end());
    count_ = sorted_.size();
  }

  std::vector<std::uint64_t> words_;  // [greatest / 64 + 1]
  std::vector<Vertex> before_;        // [words] ids in the words before
  std::vector<Vertex> sorted_;        // instead of both
  std::size_t count_ = 0;
};

}  // namespace apsp::io
