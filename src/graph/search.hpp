// Single-source shortest paths by Dijkstra's algorithm, for many sources one after another.
//
// Open vertices wait in a radix heap, once for each length that was better than the ones before: 12
// bytes per vertex, 16 per waiting length. A search resets only what the previous one touched, so
// searches in small components cost only their arcs.
#pragma once

#include <algorithm>
#include <apsp/graph.hpp>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

namespace apsp::graph {

/// A monotone priority queue: no key is less than the last one taken (Ahuja 1990). The bits of
/// doubles ≥ 0 ascend as the doubles do. Bucket i holds keys whose highest bit that differs from
/// the last one taken is bit i − 1, so a key moves down at most 64 times, on the whole a few times.
class RadixHeap {
 public:
  struct Entry {
    double key;
    Vertex vertex;
  };

  bool empty() const { return count_ == 0; }
  void clear() {
    for (auto& bucket : buckets_) bucket.clear();
    count_ = 0;
    last_ = 0;
  }
  void push(const Entry& entry) {
    bucket_of(entry).push_back(entry);
    ++count_;
  }
  /// Takes an entry of the least key. Requires: not empty.
  Entry take() {
    if (buckets_[0].empty()) refill();
    const Entry least = buckets_[0].back();
    buckets_[0].pop_back();
    --count_;
    return least;
  }

 private:
  static std::uint64_t bits(const Entry& entry) { return std::bit_cast<std::uint64_t>(entry.key); }
  std::vector<Entry>& bucket_of(const Entry& entry) {
    return buckets_[static_cast<std::size_t>(std::bit_width(bits(entry) ^ last_))];
  }

  /// Makes the least key the last one, which moves all entries of the first bucket in use down.
  void refill() {
    auto& bucket = *std::ranges::find_if(buckets_, [](const auto& some) { return !some.empty(); });
    last_ = bits(*std::ranges::min_element(bucket, {}, bits));
    for (const Entry& entry : bucket) bucket_of(entry).push_back(entry);
    bucket.clear();
  }

  std::array<std::vector<Entry>, 65> buckets_;
  std::size_t count_ = 0;
  std::uint64_t last_ = 0;
};

class Search {
 public:
  static constexpr double kUnreached = std::numeric_limits<double>::infinity();

  explicit Search(std::int64_t n)
      : distance_(static_cast<std::size_t>(n), kUnreached), parent_(distance_.size()) {}

  /// `arcs`: a Graph or a type with its `for_each_arc`. Enters only vertices v with inside(v).
  /// Requires: no arc is negative. O(m + n log n) of the visited vertices and arcs.
  template <class Arcs, class Inside>
  void run(Arcs&& arcs, Vertex source, Inside&& inside) {
    for (const Vertex v : settled_) distance_[v] = kUnreached;
    settled_.clear();
    open_.clear();
    enter(source, 0, source);
    while (!open_.empty()) {
      const RadixHeap::Entry nearest = open_.take();
      const Vertex u = nearest.vertex;
      if (nearest.key > distance_[u]) continue;  // it was settled by a shorter path
      settled_.push_back(u);
      arcs.for_each_arc(u, [&](Vertex v, double weight) {
        const double length = nearest.key + weight;
        if (length < distance_[v] && inside(v)) enter(v, length, u);
      });
    }
  }

  /// Reached vertices in order of distance.
  std::span<const Vertex> reached() const { return settled_; }
  double distance(Vertex v) const { return distance_[v]; }
  /// The predecessor of v on its path; the source's is itself.
  Vertex parent(Vertex v) const { return parent_[v]; }

 private:
  void enter(Vertex v, double length, Vertex from) {
    distance_[v] = length;
    parent_[v] = from;
    open_.push({length, v});
  }

  std::vector<double> distance_;
  std::vector<Vertex> parent_;
  std::vector<Vertex> settled_;
  RadixHeap open_;
};

/// The arcs of a graph by head. 12 bytes per arc and 8 per vertex; O(n + m).
struct ReversedArcs {
  explicit ReversedArcs(const Graph& graph)
      : offsets(static_cast<std::size_t>(graph.vertex_count()) + 1),
        tails(new Vertex[static_cast<std::size_t>(graph.arc_count())]),
        weights(new double[static_cast<std::size_t>(graph.arc_count())]) {
    graph.visit_all([&](Vertex, Vertex to, double) { ++offsets[to + std::size_t{1}]; });
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
    std::vector<std::int64_t> next(offsets.begin(), offsets.end() - 1);
    graph.visit_all([&](Vertex from, Vertex to, double weight) {
      const std::int64_t at = next[to]++;
      tails[at] = from;
      weights[at] = weight;
    });
  }

  std::int64_t degree(Vertex v) const { return offsets[v + std::size_t{1}] - offsets[v]; }
  template <class Visit>
  void for_each_arc(Vertex v, Visit&& visit) const {
    for (std::int64_t a = offsets[v]; a < offsets[v + std::size_t{1}]; ++a) {
      visit(tails[a], weights[a]);
    }
  }

  std::vector<std::int64_t> offsets;
  std::shared_ptr<Vertex[]>
      tails;  // [arcs], increasing for each head; parallel ones in their order
  std::shared_ptr<double[]> weights;
};

}  // namespace apsp::graph
