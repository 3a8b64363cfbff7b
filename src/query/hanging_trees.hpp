// A symmetric graph without the trees that hang from it, and what its paths do in these trees.
//
// A vertex with one neighbour is removed, again and again (Baglioni 2012, Sarıyüce 2013). Each
// vertex that remains stands for itself and the trees that hang from it. Paths inside a tree are
// the only ones, so pairs of vertices are counted, and no distance is looked at. All counts are
// whole numbers. A tree keeps one vertex. From a graph that is not symmetric nothing is removed.
//
// Pairs are ordered: a source, and any other vertex of its component.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>
#include <span>
#include <vector>

#include "search/links.hpp"

namespace apsp::query {

class HangingTrees {
 public:
  /// `sources`: distinct. O(n + m), some 80 bytes a vertex.
  HangingTrees(const Graph& graph, std::span<const Vertex> sources);

  /// [n] every vertex once: those that remain, neighbours near each other, then the trees.
  std::span<const Vertex> order() const { return order_; }
  /// Vertices that remain.
  std::int64_t remaining() const { return remaining_; }
  /// Vertices that remain with others and stand for a source: distances from them are needed.
  std::span<const Vertex> roots() const { return roots_; }

  // Of a vertex with the trees that hang from it.
  std::int64_t vertices(Vertex v) const { return vertices_[v]; }
  std::int64_t sources(Vertex v) const { return sources_[v]; }

  /// Pairs whose paths pass through v inside of a tree, or from a tree to what remains. Paths
  /// through v between two other vertices that remain are not counted here.
  std::int64_t pairs_through(Vertex v) const;
  /// Pairs that begin or end at v. Requires: the graph is symmetric.
  std::int64_t pairs_at(Vertex v) const;
  /// Pairs whose paths take the arc from → to. 0 unless it is an arc of a tree.
  std::int64_t pairs_along(Vertex from, Vertex to) const;

 private:
  /// The vertices of trees, children before parents.
  std::vector<Vertex> remove(const search::Links& links);
  void count(const Graph& graph);
  bool removed(Vertex v) const { return parent_[v] != v; }
  std::int64_t component_vertices(Vertex v) const {
    return component_vertices_[static_cast<std::size_t>(component_[v])];
  }
  std::int64_t component_sources(Vertex v) const {
    return component_sources_[static_cast<std::size_t>(component_[v])];
  }

  std::vector<Vertex> order_;  // [n]
  std::int64_t remaining_ = 0;
  std::vector<Vertex> roots_;
  std::vector<Vertex> parent_;           // [n] towards what remains; itself: it remains
  std::vector<bool> is_source_;          // [n]
  std::vector<std::int64_t> vertices_;   // [n]
  std::vector<std::int64_t> sources_;    // [n]
  std::vector<std::int64_t> between_;    // [n] pairs from a child's tree to others
  std::vector<std::int64_t> component_;  // [n]
  std::vector<std::int64_t> component_vertices_, component_sources_;  // [components]
};

}  // namespace apsp::query
