// Arcs in buckets of neighbouring rows, an intermediate step from text to compressed rows.
//
// A counting sort into rows would access memory at random for every arc. Instead, parsed edges,
// still in cache, are appended to one of a few hundred buckets of neighbouring rows, and each
// bucket fits the cache while its rows are sorted (`rows.hpp`). Neither the number of edges nor
// that of vertices must be known: buckets are lists of chunks, and double in width when a vertex
// lies beyond the last bucket. (Partitioning by high bits before a sort in cache: Polychroniou and
// Ross, SIGMOD 2014, section 3.)
//
// An arc takes 8 bytes if all weights are integers below 2^16, 10 below 2^32, else 16, because
// written bytes cost both fresh memory and traffic. Threads append to separate parts.
#pragma once

#include <algorithm>
#include <apsp/graph.hpp>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "graph/edge_tally.hpp"
#include "system/threads.hpp"

namespace apsp::graph {

/// A page with arcs of one bucket: this header, then records.
struct ArcChunk {
  static constexpr std::size_t kBytes = 4096;
  Vertex first_row = 0;  ///< rows of the records are relative to it
  std::uint32_t end = 0;
  std::uint32_t width = 0;
  std::uint32_t unused = 0;  // aligns records to 16 bytes

  template <class Visit>
  void for_each_arc(const Visit& visit) const {
    if (is_whole()) return for_each_whole_arc(visit);
    for_each_of<16>([&](Vertex row, Vertex to, std::uint32_t, const std::byte* at) {
      double weight = 0;
      std::memcpy(&weight, at, sizeof(weight));
      visit(row, to, weight);
    });
  }
  /// Whether all weights are integers below 2^32.
  bool is_whole() const { return width < 16; }
  /// Requires: `is_whole()`.
  template <class Visit>
  void for_each_whole_arc(const Visit& visit) const {
    const auto visit_one = [&](Vertex row, Vertex to, std::uint32_t whole, const std::byte*) {
      visit(row, to, whole);
    };
    width == 8 ? for_each_of<8>(visit_one) : for_each_of<10>(visit_one);
  }

 private:
  /// Calls visit(row, to, integer weight, pointer to the bytes after the first 8).
  template <std::uint32_t kWidth, class Visit>
  void for_each_of(const Visit& visit) const {
    const auto* at = reinterpret_cast<const std::byte*>(this) + sizeof(ArcChunk);
    const auto* const last = reinterpret_cast<const std::byte*>(this) + end;
    for (const Vertex first = first_row; at < last; at += kWidth) {
      std::uint64_t word = 0;
      std::memcpy(&word, at, sizeof(word));
      auto whole = static_cast<std::uint32_t>(word >> 48);
      if constexpr (kWidth == 10) {
        std::uint16_t high = 0;
        std::memcpy(&high, at + sizeof(word), sizeof(high));
        whole |= std::uint32_t{high} << 16;
      }
      visit(first + (static_cast<Vertex>(word >> 32) & 0xFFFFu), static_cast<Vertex>(word), whole,
            at + sizeof(word));
    }
  }
};
static_assert(sizeof(ArcChunk) == 16);

/// Memory of many chunks that is freed as one.
struct ArcSlab {
  struct FreeSlab {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  std::unique_ptr<std::byte, FreeSlab> memory;
  std::size_t chunks = 0;

  const ArcChunk& chunk(std::size_t i) const {
    return *reinterpret_cast<const ArcChunk*>(memory.get() + i * ArcChunk::kBytes);
  }
};

class ArcBuckets {
 public:
  /// `mirrored`: an edge u → v, u ≠ v, is also the arc v → u. `vertices`: the expected number; 0:
  /// unknown. `threads`: the number of threads that add and sort. `in_order`: the arcs of member 0
  /// precede those of member 1, and so on, so that rows know the order of parallel arcs.
  ArcBuckets(bool mirrored, std::int64_t vertices, int threads, bool in_order = false);
  ~ArcBuckets();
  ArcBuckets(ArcBuckets&&) noexcept;
  ArcBuckets& operator=(ArcBuckets&&) noexcept;

  /// Thread-safe for different values of `member` below the number of threads. Requires: no end
  /// exceeds `greatest`, which is below 2^32 − 1; weights are finite. `counted`: the facts of these
  /// edges are already in the tally.
  void add(std::span<const Edge> edges, Vertex greatest, int member = 0, bool counted = false);
  /// Renames vertices to rank(vertex) below `vertices`, all different; facts and counts are
  /// unchanged.
  template <class Rank>
  void relabel(std::int64_t vertices, const Rank& rank);

  bool mirrored() const { return mirrored_; }
  bool in_order() const { return in_order_; }
  int threads() const { return static_cast<int>(parts_.size()); }
  Vertex greatest() const;  ///< at least the `greatest` of every `add`; 0 if there was none
  EdgeTally tally() const;
  std::int64_t edge_count() const { return tally().edges; }

  /// All chunks of all threads. Valid until the next `add`.
  std::vector<const ArcChunk*> chunks() const;
  /// The binary logarithm of the rows per bucket, and the chunks of every bucket up to that of
  /// `greatest()`. Nothing may be added afterwards.
  struct Listing {
    int row_bits = 0;
    std::vector<std::vector<const ArcChunk*>> chunks;
  };
  Listing list();

 private:
  class Part;
  std::vector<std::vector<ArcSlab>> take_slabs();
  void take_facts(const ArcBuckets& other);

  bool mirrored_, in_order_;
  std::vector<std::unique_ptr<Part>> parts_;
};

template <class Rank>
void ArcBuckets::relabel(std::int64_t vertices, const Rank& rank) {
  ArcBuckets ranked(false, vertices, threads(), in_order_);
  ranked.take_facts(*this);
  std::vector<std::vector<ArcSlab>> slabs = take_slabs();
  const auto greatest = static_cast<Vertex>(std::max<std::int64_t>(vertices, 1) - 1);
  system::parallel_for(std::ssize(slabs), threads(), 1, [&](std::int64_t part) {
    std::vector<Edge> edges;
    for (ArcSlab& slab : slabs[static_cast<std::size_t>(part)]) {
      for (std::size_t c = 0; c < slab.chunks; ++c) {
        edges.clear();
        slab.chunk(c).for_each_arc([&](Vertex row, Vertex to, auto weight) {
          edges.push_back({rank(row), rank(to), static_cast<double>(weight)});
        });
        ranked.add(edges, greatest, static_cast<int>(part), true);
      }
      slab.memory.reset();
    }
  });
  ranked.mirrored_ = mirrored_;
  *this = std::move(ranked);
}

}  // namespace apsp::graph
