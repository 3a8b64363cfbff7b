// A heap of four children a node (Johnson 1975) with lazy deletion: a vertex whose key falls is put
// in again, and its older entries are recognised by their keys when they come out.
//
// Four children share a cache line, and the heap is half as deep as one of two. A key of 32 bits
// and its vertex are one word of 64, so an order of entries is one comparison of integers.
#pragma once

#include <apsp/graph.hpp>

#include <bit>
#include <cstdint>
#include <span>
#include <type_traits>

namespace apsp::search {

/// A key ≥ 0 and its vertex, ordered by key.
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

  /// `memory`: as many entries as will ever be in it at once.
  explicit QuaternaryHeap(Entry* memory) : entries_(memory) {}

  bool empty() const { return size_ == 0; }

  /// Takes out the entries of which `is_old` says so; returns how many they were. O(size).
  template <class IsOld>
  std::int64_t drop(const IsOld& is_old) {
    const std::size_t size = size_;
    size_ = 0;
    for (std::size_t i = 0; i < size; ++i) {  // an entry is never put behind where it stood
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

  /// The least entry, taken out. Requires: not empty.
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

  Entry* entries_;  // [capacity]
  std::size_t size_ = 0;
};

}  // namespace apsp::search
