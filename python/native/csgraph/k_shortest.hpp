// The k shortest loopless paths between two vertices (Yen, Management Science 1971).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "arcs.hpp"

namespace apsp::python::csgraph {

struct Path {
  std::vector<Vertex> vertices;  // both ends included
  double length = 0;
  auto operator<=>(const Path&) const = default;
};

/// Returns at most k paths by ascending length; none without a path; from a vertex to itself one
/// without arcs. Negative weights are reduced by potentials (Johnson 1977). O(k n) searches. Throws
/// `Error`: negative_cycle, interrupted.
std::vector<Path> k_shortest_paths(const std::shared_ptr<const Arcs>& arcs, Vertex source,
                                   Vertex sink, std::int64_t k, const Control& control);

}  // namespace apsp::python::csgraph
