// Removes the pendant trees of a symmetric graph and counts the pairs whose paths use them
// (Baglioni 2012, Sarıyüce 2013). Other graphs stay whole.
//
// Vertices with one neighbour are removed repeatedly; a tree keeps one. Paths in a tree are unique,
// so counting needs no distances. Pairs: a source and any other vertex of its component.
//
// If sums are exact, d(leaf, v) = d(leaf, root) + d(root, v), so the root represents all sources of
// its trees. Rounded sums may tie from the leaf only (0.1 + 0.3 is (0.1 + 0.2) + 0.1, but 0.3 is
// not 0.2 + 0.1): then each source needs a row.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>
#include <span>
#include <vector>

#include "search/links.hpp"

namespace apsp::paths {

enum class PathSums { exact, rounded };

class PendantTrees {
 public:
  /// `sources`: distinct. O(n + m) time, about 80 bytes a vertex.
  PendantTrees(const Graph& graph, std::span<const Vertex> sources,
               PathSums sums = PathSums::exact);

  /// [n] a permutation: remaining vertices, neighbours close together, then those of trees.
  std::span<const Vertex> order() const { return order_; }
  std::int64_t remaining() const { return remaining_; }
  /// Sources of the rows that are needed. Exact sums: remaining vertices that represent a source.
  /// Rounded sums: all sources. A component of one remaining vertex needs none.
  std::span<const Vertex> row_sources() const { return row_sources_; }
  /// Number of sources that the row of `source` represents.
  std::int64_t sources_of_row(Vertex source) const {
    return sums_ == PathSums::exact ? sources_[source] : 1;
  }
  /// The remaining vertex to which the tree of v is attached; v itself if it remains.
  Vertex root(Vertex v) const { return root_[v]; }

  // Numbers for v and its trees.
  std::int64_t vertices(Vertex v) const { return vertices_[v]; }
  std::int64_t sources(Vertex v) const { return sources_[v]; }

  /// Pairs whose paths pass through v from or to a vertex of its trees.
  std::int64_t pairs_through(Vertex v) const;
  /// Pairs that begin or end at v. Requires: the graph is symmetric.
  std::int64_t pairs_at(Vertex v) const;
  /// Pairs whose paths use the arc from → to; 0 outside trees.
  std::int64_t pairs_along(Vertex from, Vertex to) const;

 private:
  /// Returns the removed vertices, children before parents.
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
  std::vector<Vertex> parent_;           // [n] towards the root; itself if it remains
  std::vector<Vertex> root_;             // [n]
  std::vector<bool> is_source_;          // [n]
  std::vector<std::int64_t> vertices_;   // [n]
  std::vector<std::int64_t> sources_;    // [n]
  std::vector<std::int64_t> between_;    // [n] pairs from a child's tree to other vertices
  std::vector<std::int64_t> component_;  // [n]
  std::vector<std::int64_t> component_vertices_, component_sources_;  // [components]
};

}  // namespace apsp::paths
