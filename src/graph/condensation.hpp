// The strong components of a graph with their vertices, and the arcs between them, which form no
// cycle.
#pragma once

#include <apsp/graph.hpp>

#include <cstddef>
#include <span>
#include <vector>

#include "graph/components.hpp"

namespace apsp::graph {

class Condensation {
 public:
  /// O(n + m). `graph` must outlive this.
  explicit Condensation(const Graph& graph);

  std::size_t count() const { return static_cast<std::size_t>(components_.count); }
  std::size_t of(Vertex v) const { return static_cast<std::size_t>(components_.of[v]); }
  std::span<const Vertex> vertices(std::size_t c) const {
    return std::span(vertices_).subspan(begin_[c], begin_[c + 1] - begin_[c]);
  }

  /// The largest sum, along a path of components, of `inside` of each and of an arc from each to
  /// the next. Of several arcs between two components the lightest counts, whatever its ends: it
  /// joins all their vertices if `inside` [components] bounds the distances within each. O(n + m).
  double longest_path(const std::vector<double>& inside) const;

 private:
  /// Calls visit(component, weight) for every arc from c to another component.
  template <class F>
  void for_each_arc_from(std::size_t c, F&& visit) const {
    for (const Vertex v : vertices(c)) {
      graph_.for_each_arc(v, [&](Vertex to, double weight) {
        if (of(to) != c) visit(of(to), weight);
      });
    }
  }

  const Graph& graph_;
  Components components_;
  std::vector<std::size_t> begin_;  // [components + 1]
  std::vector<Vertex> vertices_;    // [n] by component
};

}  // namespace apsp::graph
