// A symmetric graph without the trees that hang from it, and what its paths do in these trees.
//
// A vertex with one neighbour is removed, again and again (Baglioni 2012, Sarıyüce 2013). Each
// vertex that remains stands for itself and the trees that hang from it. Paths inside a tree are
// the only ones, so pairs of vertices are counted, and no distance is looked at. All counts are
// whole numbers. A tree keeps one vertex. From a graph that is not symmetric nothing is removed.
//
// A vertex that remains also stands for the sources of its trees, but only where sums are exact:
// d(leaf, v) = d(leaf, root) + d(root, v) then, so the same paths are shortest from both. A rounded
// sum that begins at the leaf may tie where the one that begins at the root does not (0.1 + 0.3 is
// (0.1 + 0.2) + 0.1, but 0.3 is not 0.2 + 0.1). Then each source of a tree needs its own row.
//
// Pairs are ordered: a source, and any other vertex of its component.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>
#include <span>
#include <vector>

#include "search/links.hpp"

namespace apsp::paths {

/// How sums of weights along paths are found.
enum class PathSums { exact, rounded };

class PendantTrees {
 public:
  /// `sources`: distinct. O(n + m), some 80 bytes a vertex.
  PendantTrees(const Graph& graph, std::span<const Vertex> sources,
               PathSums sums = PathSums::exact);

  /// [n] every vertex once: those that remain, neighbours near each other, then the trees.
  std::span<const Vertex> order() const { return order_; }
  /// Vertices that remain.
  std::int64_t remaining() const { return remaining_; }
  /// Sources of the rows of distances that are needed. Exact sums: the vertices that remain with
  /// others and stand for a source. Rounded sums: all sources whose root remains with others.
  std::span<const Vertex> row_sources() const { return row_sources_; }
  /// The number of sources that share the row of `source`.
  std::int64_t sources_of_row(Vertex source) const {
    return sums_ == PathSums::exact ? sources_[source] : 1;
  }
  /// The remaining vertex from which the tree of v hangs; v itself if it remains.
  Vertex root(Vertex v) const { return root_[v]; }

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
  void find_roots();
  void count(const Graph& graph);
  void choose_rows();
  bool removed(Vertex v) const { return parent_[v] != v; }
  std::int64_t component_vertices(Vertex v) const {
    return component_vertices_[static_cast<std::size_t>(component_[v])];
  }
  std::int64_t component_sources(Vertex v) const {
    return component_sources_[static_cast<std::size_t>(component_[v])];
  }

  PathSums sums_;
  std::vector<Vertex> order_;  // [n]
  std::int64_t remaining_ = 0;
  std::vector<Vertex> row_sources_;
  std::vector<Vertex> parent_;           // [n] towards what remains; itself: it remains
  std::vector<Vertex> root_;             // [n]
  std::vector<bool> is_source_;          // [n]
  std::vector<std::int64_t> vertices_;   // [n]
  std::vector<std::int64_t> sources_;    // [n]
  std::vector<std::int64_t> between_;    // [n] pairs from a child's tree to others
  std::vector<std::int64_t> component_;  // [n]
  std::vector<std::int64_t> component_vertices_, component_sources_;  // [components]
};

}  // namespace apsp::paths
