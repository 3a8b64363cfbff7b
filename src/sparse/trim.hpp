// The acyclic fringe of a directed graph: vertices on no path from a cycle to a cycle. They are
// found by peeling, again and again, vertices without incoming (starts) or outgoing arcs (ends).
//
// No path between two vertices of the core passes a start or an end, so eliminating one should join
// no neighbours; an undirected elimination tree would join all of them. Distances of starts and
// ends cost a relaxation for each arc instead (trimmed_rows.hpp).
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>
#include <vector>

namespace apsp::sparse {

/// Arcs by the vertex that they lead to.
struct ArcsInto {
  std::vector<std::int64_t> offsets = {0};  // [vertices + 1]
  std::vector<std::int32_t> from;           // [arcs]
  std::vector<double> weight;               // [arcs]

  void end_vertex() { offsets.push_back(static_cast<std::int64_t>(from.size())); }
};

struct Trim {
  /// Arcs into a start come only from earlier starts.
  std::vector<Vertex> starts;
  /// Vertices that are neither starts nor ends, ascending.
  std::vector<Vertex> core;
  /// Arcs out of an end lead only to later ends.
  std::vector<Vertex> ends;
  Graph core_graph;  // vertices are indices of `core`

  // Arcs between indices of these lists.
  ArcsInto starts_from_starts, core_from_starts;
  ArcsInto ends_from_starts, ends_from_core, ends_from_ends;

  std::int64_t vertices() const { return std::ssize(starts) + std::ssize(core) + std::ssize(ends); }
  /// Bytes of the arcs and lists, without the core's graph.
  std::int64_t bytes() const;
};

Trim trim(const Graph& graph);

}  // namespace apsp::sparse
