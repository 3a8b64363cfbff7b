// A binary heap that has each vertex once and can decrease its key. Memory is O(vertices).
#pragma once

#include <apsp/graph.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace apsp::search {

/// `Before(a, b)`: whether key a is popped before key b.
template <class Key, class Before>
class VertexHeap {
 public:
  explicit VertexHeap(std::size_t vertices) : place_(vertices, kAbsent) {}

  bool empty() const { return entries_.empty(); }

  /// Inserts the vertex or decreases its key. Ignores a greater key.
  void lower(Vertex vertex, const Key& key) {
    std::uint32_t& place = place_[vertex];
    if (place == kAbsent) {
      place = static_cast<std::uint32_t>(entries_.size());
      entries_.push_back({key, vertex});
    } else if (Before()(key, entries_[place].key)) {
      entries_[place].key = key;
    } else {
      return;
    }
    rise(place);
  }

  /// Requires: not empty.
  Vertex pop() {
    const Vertex first = entries_.front().vertex;
    place_[first] = kAbsent;
    const Entry last = entries_.back();
    entries_.pop_back();
    if (!entries_.empty()) sink(last);
    return first;
  }

 private:
  static constexpr std::uint32_t kAbsent = ~std::uint32_t{0};

  struct Entry {
    Key key;
    Vertex vertex;
  };

  void put(std::size_t at, const Entry& entry) {
    entries_[at] = entry;
    place_[entry.vertex] = static_cast<std::uint32_t>(at);
  }
  void rise(std::size_t at) {
    const Entry entry = entries_[at];
    while (at > 0 && Before()(entry.key, entries_[(at - 1) / 2].key)) {
      put(at, entries_[(at - 1) / 2]);
      at = (at - 1) / 2;
    }
    put(at, entry);
  }
  void sink(const Entry& entry) {
    std::size_t at = 0;
    for (std::size_t child = 1; child < entries_.size(); child = 2 * at + 1) {
      const std::size_t other = child + 1;
      if (other < entries_.size() && Before()(entries_[other].key, entries_[child].key)) {
        child = other;
      }
      if (!Before()(entries_[child].key, entry.key)) break;
      put(at, entries_[child]);
      at = child;
    }
    put(at, entry);
  }

  std::vector<Entry> entries_;
  std::vector<std::uint32_t> place_;
};

}  // namespace apsp::search
