// A directed graph without the vertices that lie on no way from a cycle to a cycle: nothing leads
// to such a vertex, or it leads nowhere, and so on for what is left (trimming, as searches for
// strong components begin).
//
// No path between two others of what is left runs over it, so eliminating it should join nobody;
// but an order and a tree that know no directions join all its neighbours. Its distances cost an
// arc each instead (trimmed_rows.hpp).
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
  /// Only other starts lead to them, and they stand before; they lead to anything.
  std::vector<Vertex> starts;
  /// Whatever is neither; rising.
  std::vector<Vertex> core;
  /// They lead only to other ends, which stand behind; anything leads to them.
  std::vector<Vertex> ends;
  Graph core_graph;  // vertices by their place in `core`

  /// From starts, by place: into starts, and into the core.
  ArcsInto starts_from_starts, core_from_starts;
  /// Into ends: from starts, the core and ends, by place.
  ArcsInto ends_from_starts, ends_from_core, ends_from_ends;

  std::int64_t vertices() const { return std::ssize(starts) + std::ssize(core) + std::ssize(ends); }
  /// Bytes of the arcs and lists, without the core's graph.
  std::int64_t bytes() const;
};

Trim trim(const Graph& graph);

}  // namespace apsp::elimination
