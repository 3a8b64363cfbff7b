// Arcs without weights, loops and parallel arcs, in compressed rows.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>
#include <span>
#include <vector>

namespace apsp::search {

struct Links {
  std::vector<std::uint32_t> first;  // [n + 1] offset of each vertex
  std::vector<Vertex> targets;       // [arcs], ascending in a row

  std::int64_t vertices() const { return std::ssize(first) - 1; }
  std::uint32_t degree(Vertex v) const { return first[v + std::size_t{1}] - first[v]; }
  std::span<const Vertex> of(Vertex v) const { return {targets.data() + first[v], degree(v)}; }
};

/// Throws `Error` (does_not_fit) for 2^32 arcs or more.
void check_arc_count(const Graph& graph);

Links links_of(const Graph& graph);
Links reversed(const Links& links);

/// [n] all vertices in clusters of `size`, each found by a breadth-first search from the rim of the
/// earlier ones. O(n + m).
std::vector<Vertex> clustered_order(const Links& links, std::int64_t size);

/// Strong components, and the arcs between them.
struct ComponentLinks {
  std::vector<std::uint32_t> of;  // [n]; arcs lead to greater components
  Links before;                   // [components] distinct predecessors
};

/// O(n + m log(largest row)). Throws as `check_arc_count`.
ComponentLinks component_links(const Graph& graph);

}  // namespace apsp::search
