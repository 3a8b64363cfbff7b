// Components of a graph.
#pragma once

#include <apsp/graph.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace apsp {

struct Components {
  std::int64_t count = 0;
  std::vector<std::int64_t> of;  ///< [n] component of each vertex, numbered by least vertex

  std::vector<std::int64_t> sizes() const {
    std::vector<std::int64_t> vertices(static_cast<std::size_t>(count));
    for (const std::int64_t component : of) ++vertices[static_cast<std::size_t>(component)];
    return vertices;
  }
};

/// Weak components: directions ignored. O(n + m).
Components weak_components(const Graph& graph);
/// Strong components (Tarjan 1972, without recursion). O(n + m).
Components strong_components(const Graph& graph);
/// Strong components, numbered so that every arc between two of them leads to the greater number.
Components ordered_strong_components(const Graph& graph);

}  // namespace apsp

namespace apsp::graph {

/// The largest of several strong components; among equal ones that with the smallest vertex.
struct LargestComponent {
  std::int64_t components = 0;
  std::vector<Vertex> vertices;
  std::vector<std::uint8_t> holds;  // [n] 0 or 1

  std::int64_t size() const { return std::ssize(vertices); }
};

/// Empty if the graph is strongly connected. O(n + m).
std::optional<LargestComponent> largest_of_several(const Graph& graph);

// The strong components with their vertices, and the acyclic arcs between them.

class Condensation {
 public:
  /// O(n + m). `graph` must outlive this. `whole`: the graph is known to be strongly connected.
  explicit Condensation(const Graph& graph, bool whole = false);

  std::size_t count() const { return static_cast<std::size_t>(components_.count); }
  std::size_t of(Vertex v) const { return static_cast<std::size_t>(components_.of[v]); }
  std::span<const Vertex> vertices(std::size_t c) const {
    return std::span(vertices_).subspan(begin_[c], begin_[c + 1] - begin_[c]);
  }

  /// The largest sum along a path of components: `inside` of each, and an arc from each to the
  /// next. The lightest of several arcs between two components counts; it joins all their vertices
  /// if `inside` [components] bounds the distances within each. O(n + m).
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
  std::vector<std::size_t> begin_;
  std::vector<Vertex> vertices_;
};

}  // namespace apsp::graph
