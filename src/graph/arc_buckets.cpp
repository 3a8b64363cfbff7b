#include "graph/arc_buckets.hpp"

#include <apsp/error.hpp>
#include <limits>

#include "system/aligned_memory.hpp"

namespace apsp::graph {
namespace {

// Enough buckets for each to fit the cache, few enough for their ends to fit cache and TLB.
constexpr std::size_t kMostBuckets = 512;
constexpr int kFewestRowBits = 5;  // several arcs should share the page of a bucket
constexpr int kMostRowBits = 16;   // a row within its chunk takes 16 bits
constexpr std::size_t kFirstSlabBytes = std::size_t{1} << 16;
constexpr std::size_t kMostSlabBytes = std::size_t{1} << 20;
constexpr std::size_t kBlock = 512;

double greatest_of(std::uint32_t width) {
  return width == 8 ? 0xFFFF : width == 10 ? 0xFFFFFFFFu : std::numeric_limits<double>::max();
}

EdgeTally tally_of(std::span<const Edge> edges) {
  EdgeTally tally;
  for (const Edge& edge : edges) tally.take(edge);
  return tally;
}

std::uint32_t width_for(const EdgeTally& tally) {
  if (tally.fractions > 0 || !(tally.least >= 0)) return 16;
  return tally.greatest <= greatest_of(8) ? 8 : tally.greatest <= greatest_of(10) ? 10 : 16;
}

}  // namespace

class alignas(64) ArcBuckets::Part {
 public:
  explicit Part(std::int64_t vertices)
      : likely_greatest_(static_cast<Vertex>(std::max<std::int64_t>(vertices, 1) - 1)) {}

  void add(std::span<const Edge> edges, Vertex greatest, bool mirrored, bool counted) {
    widen(std::max(greatest, likely_greatest_));
    for (; !edges.empty(); edges = edges.subspan(std::min(kBlock, edges.size()))) {
      const std::span<const Edge> block = edges.first(std::min(kBlock, edges.size()));
      const EdgeTally tally = tally_of(block);
      if (!counted) tally_.add(tally);
      const std::uint32_t width = width_for(tally);
      if (width > width_) {
        close_all();
        width_ = width;
      }
      mirrored ? put_block<true>(block) : put_block<false>(block);
    }
  }

  void widen(Vertex greatest) {
    greatest_ = std::max(greatest_, greatest);
    while ((greatest >> row_bits_) >= kMostBuckets && row_bits_ < kMostRowBits) {
      close_all();
      for (std::size_t b = 0; b < chunks_.size(); ++b) {
        if (b / 2 == b) continue;
        chunks_[b / 2].insert(chunks_[b / 2].end(), chunks_[b].begin(), chunks_[b].end());
        chunks_[b].clear();
      }
      chunks_.resize((chunks_.size() + 1) / 2);
      next_.resize(chunks_.size());
      ++row_bits_;
    }
    const std::size_t buckets = (std::size_t{greatest} >> row_bits_) + 1;
    if (chunks_.size() < buckets) {
      chunks_.resize(buckets);
      next_.resize(buckets, nullptr);
    }
  }

  void close_all() {
    for (std::size_t b = 0; b < next_.size(); ++b) {
      if (next_[b] == nullptr) continue;
      ArcChunk& chunk = *chunks_[b].back();
      chunk.end = static_cast<std::uint32_t>(next_[b] - reinterpret_cast<std::byte*>(&chunk));
      next_[b] = nullptr;
    }
  }

  int row_bits_ = kFewestRowBits;
  Vertex greatest_ = 0;
  EdgeTally tally_;
  std::vector<std::vector<ArcChunk*>> chunks_;
  std::vector<ArcSlab> slabs_;

 private:
  template <bool kMirrored>
  void put_block(std::span<const Edge> block) {
    if (width_ == 8) return put_all<kMirrored, 8>(block);
    if (width_ == 10) return put_all<kMirrored, 10>(block);
    return put_all<kMirrored, 16>(block);
  }

  template <bool kMirrored, std::uint32_t kWidth>
  void put_all(std::span<const Edge> block) {
    const int bits = row_bits_;
    std::byte** const next = next_.data();
    const auto put = [&](Vertex row, Vertex to, double weight, std::uint64_t whole) {
      const std::size_t b = row >> bits;
      std::byte* at = next[b];
      if (reinterpret_cast<std::uintptr_t>(at) % ArcChunk::kBytes == 0) at = open_chunk(b);
      const std::uint64_t row_in_bucket = row & ((1u << bits) - 1);
      const std::uint64_t word = to | row_in_bucket << 32 | whole << 48;
      std::memcpy(at, &word, sizeof(word));
      if constexpr (kWidth == 10) {
        const auto high = static_cast<std::uint16_t>(whole >> 16);
        std::memcpy(at + sizeof(word), &high, sizeof(high));
      } else if constexpr (kWidth == 16) {
        std::memcpy(at + sizeof(word), &weight, sizeof(weight));
      }
      next[b] = at + kWidth;
    };
    for (const Edge& edge : block) {
      const double weight = edge.weight + 0.0;
      const std::uint64_t whole =
          kWidth == 16 ? 0 : static_cast<std::uint64_t>(static_cast<std::int64_t>(weight));
      put(edge.from, edge.to, weight, whole);
      if (kMirrored && edge.from != edge.to) put(edge.to, edge.from, weight, whole);
    }
  }

  /// Allocates the first record of a new chunk. `next_` is null, or a multiple of the chunk size
  /// after a full chunk.
  std::byte* open_chunk(std::size_t b) {
    if (next_[b] != nullptr) chunks_[b].back()->end = ArcChunk::kBytes;
    if (left_ == 0) open_slab();
    auto* const memory = slabs_.back().memory.get() + slabs_.back().chunks++ * ArcChunk::kBytes;
    --left_;
    auto* const chunk = new (memory) ArcChunk;
    chunk->first_row = static_cast<Vertex>(b << row_bits_);
    chunk->width = width_;
    chunks_[b].push_back(chunk);
    return memory + sizeof(ArcChunk);
  }

  void open_slab() {
    const std::size_t bytes = slabs_.empty() ? kFirstSlabBytes : kMostSlabBytes;
    auto* const memory = static_cast<std::byte*>(std::aligned_alloc(ArcChunk::kBytes, bytes));
    if (memory == nullptr) throw Error(ErrorKind::does_not_fit, "no memory for the arcs");
    slabs_.push_back({std::unique_ptr<std::byte, ArcSlab::FreeSlab>(memory), 0});
    system::touch(memory, static_cast<std::int64_t>(bytes));
    left_ = bytes / ArcChunk::kBytes;
  }

  Vertex likely_greatest_;
  std::uint32_t width_ = 8;
  std::vector<std::byte*> next_;  // [buckets] where the next arc goes; null: no chunk is open
  std::size_t left_ = 0;
};

ArcBuckets::ArcBuckets(bool mirrored, std::int64_t vertices, int threads, bool in_order)
    : mirrored_(mirrored), in_order_(in_order) {
  for (int i = 0; i < std::max(1, threads); ++i) parts_.push_back(std::make_unique<Part>(vertices));
}

ArcBuckets::~ArcBuckets() = default;
ArcBuckets::ArcBuckets(ArcBuckets&&) noexcept = default;
ArcBuckets& ArcBuckets::operator=(ArcBuckets&&) noexcept = default;

void ArcBuckets::add(std::span<const Edge> edges, Vertex greatest, int member, bool counted) {
  parts_[static_cast<std::size_t>(member)]->add(edges, greatest, mirrored_, counted);
}

EdgeTally ArcBuckets::tally() const {
  EdgeTally all;
  for (const auto& part : parts_) all.add(part->tally_);
  return all;
}

Vertex ArcBuckets::greatest() const {
  Vertex greatest = 0;
  for (const auto& part : parts_) greatest = std::max(greatest, part->greatest_);
  return greatest;
}

std::vector<const ArcChunk*> ArcBuckets::chunks() const {
  std::vector<const ArcChunk*> chunks;
  for (const auto& part : parts_) {
    part->close_all();
    for (const auto& bucket : part->chunks_)
      chunks.insert(chunks.end(), bucket.begin(), bucket.end());
  }
  return chunks;
}

ArcBuckets::Listing ArcBuckets::list() {
  Listing listing;
  const Vertex most = greatest();
  for (const auto& part : parts_) {
    part->widen(most);
    part->close_all();
    listing.row_bits = std::max(listing.row_bits, part->row_bits_);
  }
  listing.chunks.resize((std::size_t{most} >> listing.row_bits) + 1);
  for (const auto& part : parts_) {
    for (std::size_t b = 0; b < part->chunks_.size(); ++b) {
      std::vector<const ArcChunk*>& chunks = listing.chunks.at(b);
      chunks.insert(chunks.end(), part->chunks_[b].begin(), part->chunks_[b].end());
    }
  }
  return listing;
}

std::vector<std::vector<ArcSlab>> ArcBuckets::take_slabs() {
  std::vector<std::vector<ArcSlab>> slabs;
  for (const auto& part : parts_) {
    part->close_all();
    part->chunks_.clear();
    slabs.push_back(std::move(part->slabs_));
  }
  return slabs;
}

void ArcBuckets::take_facts(const ArcBuckets& other) {
  for (std::size_t i = 0; i < parts_.size(); ++i) parts_[i]->tally_ = other.parts_[i]->tally_;
}

}  // namespace apsp::graph
