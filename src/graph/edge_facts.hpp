// What all edges, or all arcs of rows, together say of a graph, in one pass by all threads.
#pragma once

#include <apsp/graph.hpp>

#include <cstdint>
#include <span>

namespace apsp::graph {

struct EdgeFacts {
  WeightFacts weights;
  std::int64_t loops = 0;
};

/// Throws `Error` (usage) for the first edge with an end that is no vertex, or a weight that is not
/// finite.
EdgeFacts edge_facts(std::span<const Edge> edges, std::size_t n);

/// Of rows that came sorted, `longest_path` among them. offsets: [n + 1], rising from 0. Pages of
/// mapped files are given back on the way. Throws `Error` (usage) as above, and for arcs out of
/// order.
EdgeFacts row_facts(std::span<const std::int64_t> offsets, const ArcArrays& arcs);

/// Gives the pages of the first `count` arcs back, where they rest in files.
void release_arcs(const ArcArrays& arcs, std::int64_t count);

}  // namespace apsp::graph
