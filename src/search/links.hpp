// Arcs without weights, for searches that only count arcs: compressed rows of 32-bit numbers,
// loops and parallel arcs left out.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>
#include <span>
#include <vector>

namespace apsp::search {

struct Links {
  std::vector<std::uint32_t> first;  // [n + 1] arcs of all vertices before each
  std::vector<Vertex> targets;       // [arcs], rising in a row

  std::int64_t vertices() const { return std::ssize(first) - 1; }
  std::uint32_t degree(Vertex v) const { return first[v + std::size_t{1}] - first[v]; }
  std::span<const Vertex> of(Vertex v) const { return {targets.data() + first[v], degree(v)}; }
};

/// Throws `Error` (does_not_fit) for more arcs than offsets of 32 bits reach.
void check_arc_count(const Graph& graph);

/// Throws `Error` (does_not_fit) for 2^32 arcs or more.
Links links_of(const Graph& graph);
/// Every arc reversed. O(n + m).
Links reversed(const Links& links);

/// [n] every vertex once, in clusters of `size` that lie near each other: each is what a
/// breadth-first search from the first vertex at the rim of the clusters before it finds first. O(n
/// + m).
std::vector<Vertex> clustered_order(const Links& links, std::int64_t size);

/// The graph of strong components: acyclic, and two vertices reach the same where they share one.
struct ComponentLinks {
  std::vector<std::uint32_t> of;  // [n] component of each vertex; arcs lead to greater ones
  Links before;                   // [components] the components from which arcs come, each once
};

/// O(n + m log(largest row)). Throws `Error` (does_not_fit) for 2^32 arcs or more.
ComponentLinks component_links(const Graph& graph);

}  // namespace apsp::search
