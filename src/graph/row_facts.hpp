// What all arcs of rows together say of a graph, in one pass by all threads.
#pragma once

#include <apsp/graph.hpp>

#include <cstdint>
#include <span>

namespace apsp::graph {

struct RowFacts {
  WeightFacts weights;
  std::int64_t loops = 0;
};

/// Of rows that came sorted. offsets: [n + 1], rising from 0. Pages of mapped files are given back
/// on the way. Throws `Error` (usage) for an end that is no vertex, a weight that is not finite and
/// arcs out of order.
RowFacts row_facts(std::span<const std::int64_t> offsets, const ArcArrays& arcs, int threads);

/// Gives the pages of the first `count` arcs back, where they rest in files.
void release_arcs(const ArcArrays& arcs, std::int64_t count);

}  // namespace apsp::graph
