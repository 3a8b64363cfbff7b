// Single-source shortest paths by Dijkstra's algorithm, for many sources one after another.
//
// The heap holds each open vertex once and decreases its key: 20 bytes per vertex, 16 per open
// vertex. A search resets only what the previous one touched, so searches in small components cost
// only their arcs.
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

  /// `arcs`: a Graph or a type with its `for_each_arc`. Enters only vertices v with inside(v).
  /// Requires: no arc is negative. O((n + m) log n) of the visited vertices and arcs.
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

  /// Reached vertices in order of distance.
  std::span<const Vertex> reached() const { return settled_; }
  double distance(Vertex v) const { return distance_[v]; }
  /// The predecessor of v on its path; the source's is itself.
  Vertex parent(Vertex v) const { return parent_[v]; }

 private:
  static constexpr std::size_t kChildren = 4;

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

  std::vector<double> distance_;
  std::vector<Vertex> parent_;
  std::vector<Vertex> place_;
  std::vector<OpenVertex> heap_;
  std::vector<Vertex> settled_;
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
