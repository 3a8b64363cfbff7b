// A monotone queue: buckets of keys, and a heap of the bucket that is being emptied (the "hot
// queue" of Cherkassky 1997). Nothing that comes in is less than what came out last.
//
// The heap holds one bucket, some few entries, so nearly every operation is a list's: constant
// time, whatever the weights. Where weights differ by orders of magnitude one bucket takes most
// entries, and the queue is the heap alone: O(log m) an operation at worst. A ring of buckets
// reaches `kBuckets` widths ahead. What lies beyond waits in the last of them and is dealt out
// again when its turn comes.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "base/aligned_memory.hpp"
#include "search/quaternary_heap.hpp"

namespace apsp::search {

template <class Key>
class BucketHeap {
 public:
  using Entry = QueueEntry<Key>;

  /// At most `capacity` entries at once; `greatest`: about the most that a key exceeds the last one
  /// that came out.
  BucketHeap(std::int64_t capacity, Key greatest)
      : memory_(memory_bytes(capacity)),
        nodes_(memory_.as<Node>()),
        heap_(reinterpret_cast<Entry*>(nodes_ + capacity + 1)) {
    if constexpr (std::is_integral_v<Key>) {
      while ((greatest >> shift_) >= kAhead) ++shift_;
      one_key_ = shift_ == 0;
    } else {
      inverse_width_ = greatest > 0 ? Key(kAhead) / greatest : Key(1);
      // Weights near zero have no such inverse: all of them share a bucket.
      if (!(inverse_width_ < Key(1e30))) inverse_width_ = Key(1);
    }
  }

  static std::int64_t memory_bytes(std::int64_t capacity) {
    return (capacity + 1) * static_cast<std::int64_t>(sizeof(Node) + sizeof(Entry));
  }

  void push(Key key, Vertex vertex) {
    const Entry entry(key, vertex);
    const std::uint64_t bucket = bucket_of(key);
    if (bucket <= current_ && !one_key_) {
      heap_.push(entry);
    } else {
      put(bucket, entry);
    }
  }

  /// The least entry, taken out; false if there is none. The queue is then as new.
  bool pop(Entry& entry) {
    for (;;) {
      if (!heap_.empty()) {
        entry = heap_.pop();
        return true;
      }
      if (one_key_) {
        const std::uint64_t slot = current_ % kBuckets;
        const std::uint32_t node = heads_[slot];
        if (node != 0) {
          entry = nodes_[node].entry;
          heads_[slot] = nodes_[node].next;
          nodes_[node].next = free_;
          free_ = node;
          if (bucket_of(entry.key()) <= current_) return true;
          put(bucket_of(entry.key()), entry);
          continue;
        }
        filled_[slot / 64] &= ~(std::uint64_t{1} << slot % 64);
        if (filled_[slot / 64] == 0) summary_ &= ~(std::uint64_t{1} << slot / 64);
      }
      if (summary_ == 0) {
        current_ = 0;
        unused_ = 1;
        free_ = 0;
        return false;
      }
      open_next_bucket();
    }
  }

 private:
  static constexpr std::uint64_t kBuckets = 4096;  // 64 words of 64 bits
  static constexpr std::uint64_t kAhead = 1024;    // buckets that the greatest weight spans

  struct Node {
    Entry entry;
    std::uint32_t next;  // 0: the last one of its list
  };

  std::uint64_t bucket_of(Key key) const {
    if constexpr (std::is_integral_v<Key>) {
      return key >> shift_;
    } else {
      return static_cast<std::uint64_t>(key * inverse_width_);
    }
  }

  void put(std::uint64_t bucket, Entry entry) {
    const std::uint64_t slot = std::min(bucket, current_ + (kBuckets - 1)) % kBuckets;
    std::uint32_t node = free_;
    if (node != 0) {
      free_ = nodes_[node].next;
    } else {
      node = unused_++;
    }
    nodes_[node] = {entry, heads_[slot]};
    heads_[slot] = node;
    filled_[slot / 64] |= std::uint64_t{1} << slot % 64;
    summary_ |= std::uint64_t{1} << slot / 64;
  }

  /// Requires: a bucket is filled.
  std::uint64_t next_filled() const {
    const std::uint64_t from = (current_ + 1) % kBuckets;
    const std::uint64_t rest = filled_[from / 64] >> from % 64;
    if (rest != 0) return from + static_cast<std::uint64_t>(std::countr_zero(rest));
    const int turn = static_cast<int>(from / 64) + 1;
    const auto ahead = static_cast<std::uint64_t>(std::countr_zero(std::rotr(summary_, turn)));
    const std::uint64_t word = (from / 64 + 1 + ahead) % 64;
    return word * 64 + static_cast<std::uint64_t>(std::countr_zero(filled_[word]));
  }

  void open_next_bucket() {
    const std::uint64_t slot = next_filled();
    current_ += (slot - current_) % kBuckets;
    if (one_key_) return;
    std::uint32_t node = heads_[slot];
    heads_[slot] = 0;
    filled_[slot / 64] &= ~(std::uint64_t{1} << slot % 64);
    if (filled_[slot / 64] == 0) summary_ &= ~(std::uint64_t{1} << slot / 64);
    while (node != 0) {
      const auto [entry, next] = nodes_[node];
      nodes_[node].next = free_;
      free_ = node;
      push(entry.key(), entry.vertex());
      node = next;
    }
  }

  base::AlignedMemory memory_;
  Node* nodes_;               // [capacity + 1], the first one unused
  QuaternaryHeap<Key> heap_;  // of all entries up to bucket `current_`
  std::uint64_t current_ = 0;
  std::uint32_t unused_ = 1;                        // nodes from here on were never used
  std::uint32_t free_ = 0;                          // list of nodes that were
  std::uint64_t summary_ = 0;                       // words of `filled_` that are not 0
  std::array<std::uint64_t, 64> filled_ = {};       // buckets that have entries
  std::array<std::uint32_t, kBuckets> heads_ = {};  // lists of nodes
  int shift_ = 0;
  bool one_key_ = false;  // a bucket
  Key inverse_width_ = 1;
};

}  // namespace apsp::search
