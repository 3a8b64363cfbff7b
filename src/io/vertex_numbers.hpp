// Numbering of a file's vertices: names by appearance, integers by rank; integers in canonical or
// other notation.
#pragma once

#include <algorithm>
#include <apsp/error.hpp>
#include <apsp/graph.hpp>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/arc_buckets.hpp"
#include "io/source.hpp"
#include "system/threads.hpp"

namespace apsp::io {

/// Whether a name is an integer in canonical form, of any length: "7" and "-7", but not "007", "+7"
/// and "7.0".
bool is_integer_id(std::string_view text);

/// Requires: both are integer ids.
bool less_as_integers(std::string_view a, std::string_view b);

/// Sorts integer ids by value. Returns the new place of each. Requires: all are integer ids.
std::vector<Vertex> sort_integers(std::vector<std::string>& names);

/// Gives the vertices their names, or just the first id if the names count from 0 or 1.
void name_vertices(GraphBuilder& builder, std::vector<std::string>&& names);

/// The canonical form of an integer: "7" for "7.0", "7e0", "007" and "+7". Empty for other text,
/// and for integers beyond 2^53 with point or exponent.
std::string integer_in(std::string_view text);

struct IdReading {
  bool numbers = false;  ///< names are integers in any notation; else names are as written
  /// Two names that are the same number, if not all names are integers.
  std::optional<std::pair<std::size_t, std::size_t>> same = {};
  /// A number beyond 2^53 with point or exponent, if all names are numbers.
  std::optional<std::size_t> rounded = {};
  std::size_t first_other = 0;
};

/// Decides whether all of `count` names are integers. Leading zeros and plus signs are only
/// accepted if `as_numbers`. `name(i)`: the i-th name.
IdReading read_ids(std::size_t count, const std::function<std::string_view(std::size_t)>& name,
                   bool as_numbers = false);

/// Names of vertices, numbered from 0 by appearance.
///
/// An open-addressed table (linear probing, at most half full) of 8-byte slots: 32 bits of the
/// hash, and the position of a record in an arena. A look-up accesses two random places, which can
/// be prefetched. `find` is thread-safe while nobody interns. Hash: folded 64-bit products of eight
/// bytes at a time (Yi, wyhash, 2019).
class VertexNames {
 public:
  static constexpr Vertex kNone = std::numeric_limits<Vertex>::max();

  VertexNames() : slots_(kFirstSlots) {}

  static std::uint64_t hash(std::string_view text) {
    constexpr std::uint64_t kFirst = 0xA0761D6478BD642Fu, kSecond = 0xE7037ED1A0B428DBu;
    const char* at = text.data();
    std::size_t left = text.size();
    std::uint64_t state = kFirst ^ left;
    for (; left > 8; at += 8, left -= 8) state = folded(state ^ word(at, 8), kSecond);
    return folded(state ^ word(at, left), kFirst);
  }

  /// Prefetches the slot of a name; later, prefetch its record.
  void prefetch_slot(std::uint64_t hash) const { __builtin_prefetch(&slots_[hash & mask()]); }
  void prefetch_record(std::uint64_t hash) const {
    const Slot slot = slots_[hash & mask()];
    if (slot.record != kFree && slot.tag == tag_of(hash)) {
      __builtin_prefetch(record_at(slot.record));
    }
  }
  /// The number of `text`, or kNone. `hash`: that of the text.
  Vertex find(std::string_view text, std::uint64_t hash) const {
    const Slot& slot = slots_[slot_of(text, hash)];
    return slot.record == kFree ? kNone : record_at(slot.record)->vertex;
  }
  /// The number of `text`, which is added if it is new. `at`: its position in the input.
  Vertex intern(std::string_view text, std::uint64_t hash, const char* at) {
    std::size_t place = slot_of(text, hash);
    if (slots_[place].record != kFree) return record_at(slots_[place].record)->vertex;
    if (records_.size() == kNone)
      throw Error(ErrorKind::does_not_fit, "more than 2^32 - 1 vertices");
    if (2 * (records_.size() + 1) > slots_.size()) {
      grow();
      place = slot_of(text, hash);
    }
    slots_[place] = {tag_of(hash), add_record(text, at)};
    return static_cast<Vertex>(records_.size() - 1);
  }

  std::size_t count() const { return records_.size(); }
  std::string_view text(Vertex v) const {
    const Record* const record = record_at(records_[v]);
    return {reinterpret_cast<const char*>(record + 1), record->length};
  }
  const char* first_seen(Vertex v) const { return record_at(records_[v])->first_seen; }

 private:
  static constexpr std::size_t kFirstSlots = 1024;
  static constexpr std::uint32_t kFree = std::numeric_limits<std::uint32_t>::max();
  static constexpr std::size_t kUnit = 16;                          // bytes; alignment of records
  static constexpr std::size_t kBlockUnits = std::size_t{1} << 16;  // 1 MiB

  struct Slot {
    std::uint32_t tag = 0;
    std::uint32_t record = kFree;  // units from the beginning of the arena
  };
  struct Record {
    const char* first_seen;
    Vertex vertex;
    std::uint32_t length;
  };
  static_assert(sizeof(Record) == kUnit);

  static std::uint64_t folded(std::uint64_t a, std::uint64_t b) {
    __extension__ using Product = unsigned __int128;
    const Product product = Product{a} * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  }
  static std::uint64_t word(const char* at, std::size_t count) {
    if (count == 8) return load<std::uint64_t>(at);
    if (count >= 4) {
      return load<std::uint32_t>(at) | std::uint64_t{load<std::uint32_t>(at + count - 4)} << 32;
    }
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < count; ++i) {
      bytes = bytes << 8 | static_cast<unsigned char>(at[i]);
    }
    return bytes;
  }
  template <class T>
  static T load(const char* at) {
    T value;
    std::memcpy(&value, at, sizeof(value));
    return value;
  }

  std::size_t mask() const { return slots_.size() - 1; }
  static std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }
  const Record* record_at(std::uint32_t unit) const {
    return reinterpret_cast<const Record*>(blocks_[unit / kBlockUnits].get() +
                                           unit % kBlockUnits * kUnit);
  }

  /// The slot of `text`, or the free slot for it.
  std::size_t slot_of(std::string_view text, std::uint64_t hash) const {
    std::size_t place = hash & mask();
    for (; slots_[place].record != kFree; place = (place + 1) & mask()) {
      if (slots_[place].tag != tag_of(hash)) continue;
      const Record* const record = record_at(slots_[place].record);
      if (record->length == text.size() && std::memcmp(record + 1, text.data(), text.size()) == 0) {
        break;
      }
    }
    return place;
  }

  /// A record is within one block; long records have their own block.
  std::uint32_t add_record(std::string_view text, const char* at) {
    const std::size_t units = 1 + (text.size() + kUnit - 1) / kUnit;
    if (text.size() > kFree || blocks_.size() >= kFree / kBlockUnits) {
      throw Error(ErrorKind::does_not_fit, "more than 64 GiB of names");
    }
    if (blocks_.empty() || used_ + units > kBlockUnits) {
      const std::size_t bytes = std::max(units, kBlockUnits) * kUnit;
      blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(bytes));
      used_ = 0;
    }
    const auto unit = static_cast<std::uint32_t>((blocks_.size() - 1) * kBlockUnits + used_);
    used_ += units;
    auto* const record = new (blocks_.back().get() + unit % kBlockUnits * kUnit)
        Record{at, static_cast<Vertex>(records_.size()), static_cast<std::uint32_t>(text.size())};
    std::memcpy(record + 1, text.data(), text.size());
    records_.push_back(unit);
    return unit;
  }

  void grow() {
    slots_.assign(2 * slots_.size(), Slot{});
    for (Vertex v = 0; v < records_.size(); ++v) {
      const std::uint64_t hashed = hash(text(v));
      slots_[slot_of(text(v), hashed)] = {tag_of(hashed), records_[v]};
    }
  }

  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  std::size_t used_ = 0;
  std::vector<std::uint32_t> records_;
  std::vector<Slot> slots_;  // [a power of two]
};

/// The set of integers used as vertices, and the rank of each.
///
/// A bit per integer up to the greatest, with counts per word: a rank costs one look-up, and memory
/// is 1.5 bits per integer. A sorted list if the file is too small to justify that.
class IdRanks {
 public:
  /// `bytes`: the memory that may be used.
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
    if (words_.empty()) return std::ranges::binary_search(sorted_, id);
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
  /// Calls visit(id) for the ids of a chunk. If edges are mirrored, every id has a row, and the
  /// rows of a chunk are neighbours.
  template <class Visit>
  static void visit_ids(const graph::ArcBuckets& arcs, const graph::ArcChunk& chunk,
                        const Visit& visit) {
    chunk.for_each_arc([&, targets_too = !arcs.mirrored()](Vertex row, Vertex to, auto) {
      visit(row);
      if (targets_too) visit(to);
    });
  }

  void mark(const graph::ArcBuckets& arcs) {
    const std::vector<const graph::ArcChunk*> chunks = arcs.chunks();
    std::vector<std::vector<std::uint64_t>> parts(static_cast<std::size_t>(arcs.threads()));
    system::parallel_for(std::ssize(chunks), arcs.threads(), [&](std::int64_t i, int member) {
      std::vector<std::uint64_t>& part = parts[static_cast<std::size_t>(member)];
      if (part.empty()) part.resize(arcs.greatest() / 64 + 1);
      visit_ids(arcs, *chunks[static_cast<std::size_t>(i)], [words = part.data()](Vertex id) {
        words[id / 64] |= std::uint64_t{1} << (id % 64);
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
    for (const graph::ArcChunk* chunk : arcs.chunks()) {
      visit_ids(arcs, *chunk, [&](Vertex id) { sorted_.push_back(id); });
    }
    std::ranges::sort(sorted_);
    sorted_.erase(std::unique(sorted_.begin(), sorted_.end()), sorted_.end());
    count_ = sorted_.size();
  }

  std::vector<std::uint64_t> words_;  // [greatest / 64 + 1]
  std::vector<Vertex> before_;        // [words] ids in the words before
  std::vector<Vertex> sorted_;        // replaces both
  std::size_t count_ = 0;
};

/// A graph with distinct labels, and arcs between their positions.
inline Graph build_labelled(const Source& source, bool directed,
                            std::shared_ptr<graph::ArcBuckets> arcs,
                            std::vector<std::string>&& labels) {
  GraphBuilder builder(std::ssize(labels), directed);
  builder.set_threads(source.options.threads);
  builder.set_arcs(std::move(arcs));
  builder.set_distinct_labels(std::move(labels));
  return std::move(builder).build();
}

inline Graph build_ranked(const Source& source, bool directed,
                          std::shared_ptr<graph::ArcBuckets> arcs, const IdRanks& ranks) {
  std::vector<std::string> labels;
  labels.reserve(ranks.count());
  ranks.for_each([&](Vertex id) { labels.push_back(std::to_string(id)); });
  arcs->relabel(std::ssize(labels), [&](Vertex id) { return ranks.rank(id); });
  return build_labelled(source, directed, std::move(arcs), std::move(labels));
}

}  // namespace apsp::io
