// Shortest paths from one vertex, as far as arcs lead, one source after another.
//
// Dijkstra's algorithm with a heap that holds each open vertex once and moves it up when its
// distance falls: a search takes 20 bytes a vertex, 16 an open one and none an arc. What a search
// has touched is cleared by the next one, so many searches of small components cost no more than
// their arcs.
#pragma once

#include <algorithm>
#include <apsp/graph.hpp>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

namespace apsp::graph {

class Search {
 public:
  static constexpr double kUnreached = std::numeric_limits<double>::infinity();

  explicit Search(std::int64_t n)
      : distance_(static_cast<std::size_t>(n), kUnreached),
        parent_(distance_.size()),
        place_(distance_.size()) {}

  /// `arcs`: a Graph, or what has its `for_each_arc`. Only vertices v with inside(v) are entered.
  /// Requires: no arc is negative. O((n + m) log n) of the vertices and arcs met.
  template <class Arcs, class Inside>
  void run(Arcs&& arcs, Vertex source, Inside&& inside) {
    for (const Vertex v : settled_) distance_[v] = kUnreached;
    settled_.clear();
    enter(source, 0, source);
    while (!heap_.empty()) {
      const Vertex u = take_nearest();
      settled_.push_back(u);
      arcs.for_each_arc(u, [&](Vertex v, double weight) {
        const double length = distance_[u] + weight;
        if (length < distance_[v] && inside(v)) enter(v, length, u);
      });
    }
  }

  /// Vertices that were reached, by rising distance.
  std::span<const Vertex> reached() const { return settled_; }
  double distance(Vertex v) const { return distance_[v]; }
  /// The last vertex before v on the path to it; the source's is itself.
  Vertex parent(Vertex v) const { return parent_[v]; }

 private:
  static constexpr std::size_t kChildren = 4;

  /// An open vertex, with its distance beside it: a heap then reads no other memory.
  struct OpenVertex {
    double distance;
    Vertex vertex;
  };

  void enter(Vertex v, double length, Vertex from) {
    if (distance_[v] == kUnreached) {
      place_[v] = static_cast<Vertex>(heap_.size());
      heap_.push_back({length, v});
    }
    distance_[v] = length;
    parent_[v] = from;
    rise(place_[v], {length, v});
  }

  Vertex take_nearest() {
    const OpenVertex nearest = heap_.front(), last = heap_.back();
    heap_.pop_back();
    if (!heap_.empty()) sink(last);
    return nearest.vertex;
  }

  void put(std::size_t place, const OpenVertex& open) {
    heap_[place] = open;
    place_[open.vertex] = static_cast<Vertex>(place);
  }

  void rise(std::size_t place, const OpenVertex& open) {
    while (place > 0) {
      const std::size_t above = (place - 1) / kChildren;
      if (heap_[above].distance <= open.distance) break;
      put(place, heap_[above]);
      place = above;
    }
    put(place, open);
  }

  /// From the top.
  void sink(const OpenVertex& open) {
    std::size_t place = 0;
    for (;;) {
      const std::size_t first = kChildren * place + 1;
      if (first >= heap_.size()) break;
      std::size_t least = first;
      for (std::size_t child = first + 1; child < std::min(first + kChildren, heap_.size());
           ++child) {
        if (heap_[child].distance < heap_[least].distance) least = child;
      }
      if (open.distance <= heap_[least].distance) break;
      put(place, heap_[least]);
      place = least;
    }
    put(place, open);
  }

  std::vector<double> distance_;  // [n]
  std::vector<Vertex> parent_;    // [n]
  std::vector<Vertex> place_;     // [n] in the heap, of open vertices
  std::vector<OpenVertex> heap_;  // a vertex is no nearer than the one above it
  std::vector<Vertex> settled_;
};

/// The arcs of a graph by their heads. 12 bytes an arc and 8 a vertex; O(n + m).
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
  /// Calls visit(tail, weight) for every arc that enters v.
  template <class Visit>
  void for_each_arc(Vertex v, Visit&& visit) const {
    for (std::int64_t a = offsets[v]; a < offsets[v + std::size_t{1}]; ++a) {
      visit(tails[a], weights[a]);
    }
  }

  std::vector<std::int64_t> offsets;  // [n + 1]
  std::shared_ptr<Vertex[]> tails;    // [arcs], rising for each head; parallel ones as they came
  std::shared_ptr<double[]> weights;  // [arcs]
};

}  // namespace apsp::graph
