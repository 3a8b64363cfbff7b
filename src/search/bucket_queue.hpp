// A monotone queue of buckets: no pushed key is less than the last popped one.
//
// Entries of a bucket are popped in any order, as in Δ-stepping (Meyer 2003). A vertex whose key
// falls within its bucket is popped again, which is cheaper than sorting if a bucket spans a 1024th
// of the greatest weight. If weights differ by orders of magnitude, this could happen without end:
// so pushes are counted, and `sort_buckets` lets a heap sort the current bucket (Cherkassky 1997).
// The last bucket of the ring also has all greater keys, and is distributed again when it becomes
// current.
//
// Outdated entries are dropped when memory runs out, so memory depends on the number of vertices.
#pragma once

#include <algorithm>
#include <apsp/graph.hpp>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "system/aligned_memory.hpp"

namespace apsp::search {

// A heap of four children a node (Johnson 1975), which share a cache line. Older entries of a
// vertex stay and are recognised by their keys. A key of 32 bits and its vertex are compared as one
// integer.

template <class Key>
class QueueEntry {
 public:
  QueueEntry() = default;
  QueueEntry(Key key, Vertex vertex)
      : word_(std::uint64_t{std::bit_cast<std::uint32_t>(key)} << 32 | vertex) {}
  Key key() const { return std::bit_cast<Key>(static_cast<std::uint32_t>(word_ >> 32)); }
  Vertex vertex() const { return static_cast<Vertex>(word_); }
  friend bool operator<(QueueEntry a, QueueEntry b) { return a.word_ < b.word_; }

 private:
  static_assert(sizeof(Key) == 4);  // the bits of floats ≥ +0 have their order
  std::uint64_t word_;
};

template <>
class QueueEntry<double> {
 public:
  QueueEntry() = default;
  QueueEntry(double key, Vertex vertex) : key_(key), vertex_(vertex) {}
  double key() const { return key_; }
  Vertex vertex() const { return vertex_; }
  friend bool operator<(const QueueEntry& a, const QueueEntry& b) { return a.key_ < b.key_; }

 private:
  double key_;
  Vertex vertex_;
};

template <class Key>
class QuaternaryHeap {
 public:
  using Entry = QueueEntry<Key>;

  /// `memory`: for the most entries at once.
  explicit QuaternaryHeap(Entry* memory) : entries_(memory) {}

  bool empty() const { return size_ == 0; }

  /// Removes the entries for which `is_old` is true and returns their number. O(size).
  template <class IsOld>
  std::int64_t drop(const IsOld& is_old) {
    const std::size_t size = size_;
    size_ = 0;
    for (std::size_t i = 0; i < size; ++i) {  // entries only move forward
      const Entry entry = entries_[i];
      if (!is_old(entry)) push(entry);
    }
    return static_cast<std::int64_t>(size - size_);
  }

  void push(Entry entry) {
    std::size_t at = size_++;
    while (at > 0) {
      const std::size_t parent = (at - 1) / kChildren;
      if (!(entry < entries_[parent])) break;
      entries_[at] = entries_[parent];
      at = parent;
    }
    entries_[at] = entry;
  }

  /// Requires: not empty.
  Entry pop() {
    const Entry least = entries_[0];
    const Entry last = entries_[--size_];
    std::size_t at = 0;
    for (;;) {
      const std::size_t child = kChildren * at + 1;
      if (child >= size_) break;
      const std::size_t best = child + kChildren <= size_ ? least_of_four(child) : least_of(child);
      if (!(entries_[best] < last)) break;
      entries_[at] = entries_[best];
      at = best;
    }
    entries_[at] = last;
    return least;
  }

 private:
  static constexpr std::size_t kChildren = 4;

  std::size_t least_of_four(std::size_t child) const {
    const std::size_t left = entries_[child + 1] < entries_[child] ? child + 1 : child;
    const std::size_t right = entries_[child + 3] < entries_[child + 2] ? child + 3 : child + 2;
    return entries_[right] < entries_[left] ? right : left;
  }
  std::size_t least_of(std::size_t child) const {
    std::size_t best = child;
    for (std::size_t other = child + 1; other < size_; ++other) {
      if (entries_[other] < entries_[best]) best = other;
    }
    return best;
  }

  Entry* entries_;
  std::size_t size_ = 0;
};

template <class Key>
class BucketQueue {
 public:
  using Entry = QueueEntry<Key>;

  /// `pushes`, `room`: the most pushes until the queue is empty, and the most entries. `greatest`:
  /// about the most by which a pushed key exceeds the last popped one.
  BucketQueue(std::int64_t pushes, std::int64_t room, Key greatest)
      : most_pushes_(pushes),
        room_(room),
        memory_(memory_bytes(room)),
        chunks_(memory_.as<Chunk>()),
        heap_(reinterpret_cast<Entry*>(chunks_ + chunk_count(room))) {
    if constexpr (std::is_integral_v<Key>) {
      while ((greatest >> shift_) >= kAhead) ++shift_;
    } else {
      inverse_width_ = greatest > 0 ? Key(kAhead) / greatest : Key(1);
      // Weights near zero have no finite inverse: they share a bucket.
      if (!(inverse_width_ < Key(1e30))) inverse_width_ = Key(1);
    }
  }

  static std::int64_t memory_bytes(std::int64_t room) {
    return chunk_count(room) * static_cast<std::int64_t>(sizeof(Chunk)) +
           room * static_cast<std::int64_t>(sizeof(Entry));
  }

  bool takes(std::int64_t more) const { return pushes_ + more <= most_pushes_; }
  bool has_room(std::int64_t more) const { return held_ + more <= room_; }

  /// Requires: takes(1), has_room(1).
  void push(Key key, Vertex vertex) {
    ++pushes_;
    ++held_;
    add({key, vertex});
  }

  /// O(entries + buckets).
  template <class IsOld>
  void drop(const IsOld& is_old) {
    held_ -= heap_.drop(is_old);
    for (std::uint64_t slot = 0; slot < kBuckets; ++slot) {
      std::uint32_t head = heads_[slot];
      if (head != 0) set_empty(slot);
      while (head != 0) {
        const Chunk taken = chunks_[head];
        head = release(head);
        for (std::uint32_t i = 0; i < taken.count; ++i) {
          const Entry entry = taken.entries[i];
          if (is_old(entry)) {
            --held_;
          } else {
            put(bucket_of(entry.key()), entry);
          }
        }
      }
    }
  }

  /// Pops from the least bucket, or the least entry if buckets are sorted. Returns false, and
  /// resets the queue, if it is empty.
  bool pop(Entry& entry) {
    for (;;) {
      if (!heap_.empty()) {
        entry = heap_.pop();
        --held_;
        return true;
      }
      if (!sorted_ && take_from_current(entry)) {
        --held_;
        return true;
      }
      if (summary_ == 0) {
        current_ = 0;
        pushes_ = 0;
        unused_ = 1;
        free_ = 0;
        return false;
      }
      open_next_bucket();
    }
  }

  /// Sorts entries from now on. Discards all entries.
  void sort_buckets() {
    Entry entry;
    while (pop(entry)) {
    }
    sorted_ = true;
  }
  bool sorted() const { return sorted_; }

 private:
  static constexpr std::uint64_t kBuckets = 4096;  // 64 words of 64 bits
  static constexpr std::uint64_t kAhead = 1024;    // buckets that the greatest weight spans

  /// Two cache lines: lists of single entries took a miss each.
  struct alignas(128) Chunk {
    static constexpr std::size_t kEntries = 120 / sizeof(Entry);
    Entry entries[kEntries];
    std::uint32_t count;
    std::uint32_t next;  // 0: none
  };

  /// Full chunks, a partial one for each bucket, one in progress, and chunk 0, which is unused.
  static std::int64_t chunk_count(std::int64_t room) {
    return room / static_cast<std::int64_t>(Chunk::kEntries) + static_cast<std::int64_t>(kBuckets) +
           2;
  }

  std::uint64_t bucket_of(Key key) const {
    if constexpr (std::is_integral_v<Key>) {
      return key >> shift_;
    } else {
      return static_cast<std::uint64_t>(key * inverse_width_);
    }
  }

  void add(Entry entry) {
    const std::uint64_t bucket = bucket_of(entry.key());
    if (sorted_ && bucket <= current_) {
      heap_.push(entry);
    } else {
      put(bucket, entry);
    }
  }

  void put(std::uint64_t bucket, Entry entry) {
    const std::uint64_t slot = std::min(bucket, current_ + (kBuckets - 1)) % kBuckets;
    std::uint32_t head = heads_[slot];
    if (head == 0 || chunks_[head].count == Chunk::kEntries) {
      head = new_chunk(head);
      heads_[slot] = head;
      filled_[slot / 64] |= std::uint64_t{1} << slot % 64;
      summary_ |= std::uint64_t{1} << slot / 64;
    }
    Chunk& chunk = chunks_[head];
    chunk.entries[chunk.count++] = entry;
  }

  std::uint32_t new_chunk(std::uint32_t next) {
    std::uint32_t chunk = free_;
    if (chunk != 0) {
      free_ = chunks_[chunk].next;
    } else {
      chunk = unused_++;
    }
    chunks_[chunk].count = 0;
    chunks_[chunk].next = next;
    return chunk;
  }

  std::uint32_t release(std::uint32_t chunk) {
    const std::uint32_t next = chunks_[chunk].next;
    chunks_[chunk].next = free_;
    free_ = chunk;
    return next;
  }

  /// Requires: a bucket is not empty.
  std::uint64_t next_filled() const {
    const std::uint64_t from = (current_ + 1) % kBuckets;
    const std::uint64_t rest = filled_[from / 64] >> from % 64;
    if (rest != 0) return from + static_cast<std::uint64_t>(std::countr_zero(rest));
    const int turn = static_cast<int>(from / 64) + 1;
    const auto ahead = static_cast<std::uint64_t>(std::countr_zero(std::rotr(summary_, turn)));
    const std::uint64_t word = (from / 64 + 1 + ahead) % 64;
    return word * 64 + static_cast<std::uint64_t>(std::countr_zero(filled_[word]));
  }

  void set_empty(std::uint64_t slot) {
    heads_[slot] = 0;
    filled_[slot / 64] &= ~(std::uint64_t{1} << slot % 64);
    if (filled_[slot / 64] == 0) summary_ &= ~(std::uint64_t{1} << slot / 64);
  }

  /// Returns false if the current bucket is empty.
  bool take_from_current(Entry& entry) {
    const std::uint64_t slot = current_ % kBuckets;
    while (heads_[slot] != 0) {
      const std::uint32_t head = heads_[slot];
      Chunk& chunk = chunks_[head];
      entry = chunk.entries[--chunk.count];
      if (chunk.count == 0) {
        heads_[slot] = release(head);
        if (heads_[slot] == 0) set_empty(slot);
      }
      const std::uint64_t bucket = bucket_of(entry.key());
      if (bucket <= current_) return true;
      put(bucket, entry);  // it was beyond the ring
    }
    return false;
  }

  void open_next_bucket() {
    const std::uint64_t slot = next_filled();
    current_ += (slot - current_) % kBuckets;
    if (!sorted_) return;
    std::uint32_t chunk = heads_[slot];
    set_empty(slot);
    while (chunk != 0) {
      for (std::uint32_t i = 0; i < chunks_[chunk].count; ++i) {
        add(chunks_[chunk].entries[i]);
      }
      chunk = release(chunk);
    }
  }

  std::int64_t most_pushes_;
  std::int64_t room_;
  std::int64_t pushes_ = 0;
  std::int64_t held_ = 0;
  system::AlignedMemory memory_;
  Chunk* chunks_;
  QuaternaryHeap<Key> heap_;
  std::uint64_t current_ = 0;
  std::uint32_t unused_ = 1;  // first chunk that was never used
  std::uint32_t free_ = 0;
  std::uint64_t summary_ = 0;  // nonzero words of `filled_`
  std::array<std::uint64_t, 64> filled_ = {};
  std::array<std::uint32_t, kBuckets> heads_ = {};  // lists of chunks; only the first is partial
  int shift_ = 0;
  bool sorted_ = false;
  Key inverse_width_ = 1;
};

/// A queue for label-correcting searches: vertices in buckets by distance, first in, first out
/// within a bucket. Distances beyond the ring are stored separately.
class LabelBuckets {
 public:
  /// `mean`: the mean weight.
  explicit LabelBuckets(double mean)
      : inverse_width_(mean > kLeastMean ? kOfMean / mean : 1), ring_(kBuckets) {}

  bool empty() const { return held_ == 0 && far_.empty(); }
  /// Sets the current bucket. Requires: empty.
  void begin_at(double distance) {
    ring_[current_ % kBuckets].clear();
    current_ = number_of(distance);
    next_ = 0;
  }
  void push(double distance, Vertex v) {
    const std::uint64_t number = std::max(number_of(distance), current_);
    if (number - current_ < kBuckets) {
      ring_[number % kBuckets].push_back(v);
      ++held_;
    } else {
      far_.push_back({number, v});
      far_from_ = std::min(far_from_, number);
    }
  }
  /// Returns false, and makes the next bucket current, if the current one is empty.
  bool pop(Vertex& v) {
    std::vector<Vertex>& bucket = ring_[current_ % kBuckets];
    if (next_ == bucket.size()) {
      bucket.clear();
      next_ = 0;
      current_ = held_ == 0 ? far_from_ : current_ + 1;
      if (current_ == far_from_) bring_near();
      return false;
    }
    v = bucket[next_++];
    --held_;
    return true;
  }
  /// Whether the distance is in the current or an earlier bucket.
  bool is_due(double distance) const { return number_of(distance) <= current_; }
  void clear() {
    for (std::vector<Vertex>& bucket : ring_) bucket.clear();
    far_.clear();
    far_from_ = kNever;
    held_ = 0;
  }

 private:
  static constexpr double kOfMean = 16;         // buckets of the mean weight
  static constexpr double kLeastMean = 1e-300;  // smaller ones share a bucket
  static constexpr double kMost = 1e18;
  static constexpr std::size_t kBuckets = 128;
  static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

  struct Far {
    std::uint64_t number;
    Vertex vertex;
  };

  std::uint64_t number_of(double distance) const {
    return static_cast<std::uint64_t>(std::min(distance * inverse_width_, kMost));
  }

  void bring_near() {
    far_from_ = kNever;
    std::erase_if(far_, [&](const Far& one) {
      if (one.number - current_ < kBuckets) {
        ring_[one.number % kBuckets].push_back(one.vertex);
        ++held_;
        return true;
      }
      far_from_ = std::min(far_from_, one.number);
      return false;
    });
  }

  double inverse_width_;
  std::uint64_t current_ = 0;
  std::size_t next_ = 0;
  std::int64_t held_ = 0;
  std::vector<std::vector<Vertex>> ring_;
  std::vector<Far> far_;
  std::uint64_t far_from_ = kNever;  // the least in `far_`
};

}  // namespace apsp::search
