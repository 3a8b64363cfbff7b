// A directed graph without the vertices that lie on no path from a cycle to a cycle. They are found
// by taking away, again and again, vertices that no arc enters (starts) or leaves (ends), as
// searches for strong components begin ("trimming").
//
// No path between two vertices of the core runs over a start or an end, so that eliminating one
// should join no neighbours; but an order and a tree that know no directions would join all of
// them. The distances of starts and ends cost a relaxation an arc instead (trimmed_rows.hpp).
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>
#include <vector>

namespace apsp::elimination {

/// Arcs by the vertex that they lead to.
struct ArcsInto {
  std::vector<std::int64_t> offsets = {0};  // [vertices + 1]
  std::vector<std::int32_t> from;           // [arcs]
  std::vector<double> weight;               // [arcs]

  void end_vertex() { offsets.push_back(static_cast<std::int64_t>(from.size())); }
};

struct Trim {
  /// Arcs into a start come only from starts, which precede it.
  std::vector<Vertex> starts;
  /// All that are neither starts nor ends; rising.
  std::vector<Vertex> core;
  /// Arcs out of an end lead only to ends, which follow it.
  std::vector<Vertex> ends;
  Graph core_graph;  // vertices by their place in `core`

  // Vertices at both ends of an arc are counted by their place in these lists.
  ArcsInto starts_from_starts, core_from_starts;
  ArcsInto ends_from_starts, ends_from_core, ends_from_ends;

  std::int64_t vertices() const { return std::ssize(starts) + std::ssize(core) + std::ssize(ends); }
  /// Bytes of the arcs and lists, without the core's graph.
  std::int64_t bytes() const;
};

Trim trim(const Graph& graph);

}  // namespace apsp::elimination
