// Dijkstra's algorithm (Dijkstra 1959) for sums of weights and for the largest weight of a path.
//
// The queue pops vertices only nearly in order of keys (bucket_queue.hpp). Vertices may be popped
// again, but their final keys are the least ones, bit for bit. Vertices of one or two neighbours in
// a symmetric graph skip the queue: their chain is walked at once. Roads consist of such chains.
// Arcs are stored next to their weights, without loops and with the better one of parallel arcs.
#pragma once

#include <algorithm>
#include <apsp/graph.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/control.hpp"
#include "graph/arc_walk.hpp"
#include "search/bucket_queue.hpp"
#include "search/links.hpp"

namespace apsp::search {

template <class Key>
struct KeyedArc {
  Vertex to = 0;
  Key weight = 0;  // less is better
};

template <class Key>
struct SearchArcs {
  std::vector<std::uint32_t> first;  // [n + 1] offset of each vertex
  std::vector<KeyedArc<Key>> arcs;
  Key greatest = 0;
  bool symmetric = false;  // every arc has a reverse arc of the same weight

  std::int64_t vertices() const { return std::ssize(first) - 1; }
};

/// Vertex order[i] of the graph becomes vertex i. `key_of(from, to, weight)`: less is better. O(n +
/// m). Throws `Error` (does_not_fit) for 2^32 arcs or more.
template <class Key, class KeyOf>
SearchArcs<Key> search_arcs(const Graph& graph, std::span<const Vertex> order, KeyOf&& key_of) {
  check_arc_count(graph);
  std::vector<Vertex> number(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) number[order[i]] = static_cast<Vertex>(i);
  SearchArcs<Key> result;
  result.symmetric = graph.symmetric();
  result.first.reserve(order.size() + 1);
  result.first.push_back(0);
  result.arcs.reserve(static_cast<std::size_t>(graph.arc_count()));
  graph::ArcWalk walk(graph, graph::Pages::given_back);
  for (const Vertex from : order) {
    base::poll(result.first.size());
    walk.for_each_arc(from, [&](Vertex target, double weight) {
      if (from == target) return;
      const Key key = key_of(from, target, weight);
      const Vertex to = number[target];
      result.greatest = std::max(result.greatest, key);
      const bool parallel = result.arcs.size() > result.first.back() && result.arcs.back().to == to;
      if (!parallel) {
        result.arcs.push_back({to, key});
      } else if (key < result.arcs.back().weight) {
        result.arcs.back().weight = key;
      }
    });
    result.first.push_back(static_cast<std::uint32_t>(result.arcs.size()));
  }
  return result;
}

/// The key of a path from those of its arcs, which are ≥ 0.
enum class PathKey { sum, greatest };

template <class Key, PathKey kPath>
class DijkstraSearch {
 public:
  /// No path. It must exceed the sum of any two integer keys.
  static constexpr Key kUnreached = std::numeric_limits<Key>::has_infinity
                                        ? std::numeric_limits<Key>::infinity()
                                        : std::numeric_limits<Key>::max();

  /// Requires: `arcs` outlives this.
  explicit DijkstraSearch(const SearchArcs<Key>& arcs)
      : first_(arcs.first.data()),
        arcs_(arcs.arcs.data()),
        chains_(arcs.symmetric),
        keys_(static_cast<std::size_t>(arcs.vertices())),
        queue_(most_pushes(arcs), room(arcs), arcs.greatest) {}

  static std::int64_t memory_bytes(const SearchArcs<Key>& arcs) {
    return arcs.vertices() * static_cast<std::int64_t>(sizeof(Key)) +
           static_cast<std::int64_t>(sizeof(BucketQueue<Key>)) +
           BucketQueue<Key>::memory_bytes(room(arcs));
  }

  /// [n] the least keys or kUnreached, valid until the next call. O((n + m) log m).
  std::span<const Key> run(Vertex source) {
    std::fill(keys_.begin(), keys_.end(), kUnreached);
    cleared_ = false;
    if (!search<false>(source)) {
      queue_.sort_buckets();
      std::fill(keys_.begin(), keys_.end(), kUnreached);
      search<false>(source);
    }
    return keys_;
  }

  /// Calls visit(v, key) for every vertex with a key of at most `limit`, in any order. O(m' log m')
  /// for the m' arcs of these vertices.
  template <class Visit>
  void run_within(Vertex source, Key limit, Visit&& visit) {
    if (!cleared_) std::fill(keys_.begin(), keys_.end(), kUnreached);
    limit_ = limit;
    if (!search<true>(source)) {
      queue_.sort_buckets();
      clear_reached();
      search<true>(source);
    }
    for (const Vertex v : reached_) visit(v, keys_[v]);
    clear_reached();
    cleared_ = true;
  }

  /// Whether weights that need sorted buckets have occurred; later searches sort them too.
  bool sorts_buckets() const { return queue_.sorted(); }

 private:
  /// Sorted: one entry for each arc and the source. Unsorted: up to n more.
  static std::int64_t most_pushes(const SearchArcs<Key>& arcs) {
    return std::ssize(arcs.arcs) + arcs.vertices() + 1;
  }
  /// A vertex has one current entry, and at most n arcs.
  static std::int64_t room(const SearchArcs<Key>& arcs) {
    return std::min(most_pushes(arcs), 2 * arcs.vertices() + 1);
  }

  void clear_reached() {
    for (const Vertex v : reached_) keys_[v] = kUnreached;
    reached_.clear();
  }

  /// Returns false if the queue took too many entries. `kBounded`: only up to `limit_`. Requires:
  /// all keys are kUnreached.
  template <bool kBounded>
  bool search(Vertex source) {
    keys_[source] = 0;
    if constexpr (kBounded) reached_.push_back(source);
    queue_.push(0, source);
    QueueEntry<Key> entry;
    for (std::size_t looks = 1; queue_.pop(entry); ++looks) {
      base::poll(looks);
      const Vertex v = entry.vertex();
      const Key key = entry.key();
      if (key != keys_[v]) continue;  // outdated
      const KeyedArc<Key>* const end = arcs_ + first_[v + std::size_t{1}];
      const std::ptrdiff_t degree = end - (arcs_ + first_[v]);
      if (!queue_.takes(degree)) return false;
      if (!queue_.has_room(degree)) {
        queue_.drop([&](const QueueEntry<Key>& old) { return old.key() != keys_[old.vertex()]; });
      }
      for (const KeyedArc<Key>* arc = arcs_ + first_[v]; arc != end; ++arc) {
        const Key through = extended(key, arc->weight);
        if (through < keys_[arc->to]) reach<kBounded>(v, arc->to, through);
      }
    }
    return true;
  }

  static Key extended(Key path, Key weight) {
    if constexpr (kPath == PathKey::sum) return static_cast<Key>(path + weight);
    return std::max(path, weight);
  }

  /// Requires: `key` is less than that of v, for a path that ends with from → v.
  template <bool kBounded>
  void reach(Vertex from, Vertex v, Key key) {
    for (;;) {
      if constexpr (kBounded) {
        if (limit_ < key) return;
        if (keys_[v] == kUnreached) reached_.push_back(v);
      }
      keys_[v] = key;
      const KeyedArc<Key>* arc = arcs_ + first_[v];
      const std::uint32_t degree = first_[v + std::size_t{1}] - first_[v];
      if (!chains_ || degree > 2) break;
      if (arc->to == from) {
        if (degree == 1) return;
        ++arc;
      }
      from = v;
      v = arc->to;
      key = extended(key, arc->weight);
      if (!(key < keys_[v])) return;
    }
    queue_.push(key, v);
  }

  const std::uint32_t* first_;
  const KeyedArc<Key>* arcs_;
  bool chains_;
  std::vector<Key> keys_;
  bool cleared_ = false;  // all keys are kUnreached
  Key limit_ = 0;
  std::vector<Vertex> reached_;
  BucketQueue<Key> queue_;
};

}  // namespace apsp::search
