// Which integers occur as vertices, and the rank of each among them.
//
// One bit an integer up to the greatest, with counts at every word: a rank costs one look-up, and
// memory 1.5 bits an integer. Where that would exceed what the file's size justifies, a sorted
// list. Both are filled by all threads that read.
#pragma once

#include <apsp/graph.hpp>

#include <algorithm>
#include <bit>
#include <vector>

#include "base/team.hpp"
#include "graph/arc_buckets.hpp"

namespace apsp::io {

class IdRanks {
 public:
  /// `bytes`: what may be claimed.
  IdRanks(const graph::ArcBuckets& arcs, std::size_t bytes) {
    constexpr std::size_t kAlwaysGranted = std::size_t{1} << 20;
    if (arcs.edge_count() == 0) return;
    if (arcs.greatest() / 8 <= std::max(bytes, kAlwaysGranted)) {
      mark(arcs);
    } else {
      sort(arcs);
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
  /// Calls visit(chunk, member) for all chunks, by all threads.
  template <class Visit>
  static void for_each_chunk(const graph::ArcBuckets& arcs, const Visit& visit) {
    const std::vector<const graph::ArcChunk*> chunks = arcs.chunks();
    base::share_items(std::ssize(chunks), arcs.threads(), [&](std::int64_t i, int member) {
      visit(*chunks[static_cast<std::size_t>(i)], static_cast<std::size_t>(member));
    });
  }

  void mark(const graph::ArcBuckets& arcs) {
    // Where every edge is two arcs, every id has a row; and rows of a chunk are neighbours.
    const bool targets_too = !arcs.mirrored();
    std::vector<std::vector<std::uint64_t>> parts(static_cast<std::size_t>(arcs.threads()));
    for_each_chunk(arcs, [&](const graph::ArcChunk& chunk, std::size_t member) {
      std::vector<std::uint64_t>& part = parts[member];
      if (part.empty()) part.resize(arcs.greatest() / 64 + 1);
      const auto mark_one = [words = part.data()](Vertex id) {
        words[id / 64] |= std::uint64_t{1} << (id % 64);
      };
      chunk.for_each_arc([&](Vertex row, Vertex to, auto) {
        mark_one(row);
        if (targets_too) mark_one(to);
      });
    });
    words_.resize(arcs.greatest() / 64 + 1);
    for (const std::vector<std::uint64_t>& part : parts) {
      for (std::size_t i = 0; i < part.size(); ++i) words_[i] |= part[i];
    }
    before_.reserve(words_.size());
    for (const std::uint64_t word : words_) {
      before_.push_back(static_cast<Vertex>(count_));
      count_ += static_cast<std::size_t>(std::popcount(word));
    }
  }

  void sort(const graph::ArcBuckets& arcs) {
    const bool targets_too = !arcs.mirrored();
    for (const graph::ArcChunk* chunk : arcs.chunks()) {
      chunk->for_each_arc([&](Vertex row, Vertex to, auto) {
        sorted_.push_back(row);
        if (targets_too) sorted_.push_back(to);
      });
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
