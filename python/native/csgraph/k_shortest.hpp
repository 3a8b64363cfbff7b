// The k shortest paths without loops from one vertex to another (Yen, Management Science 1971).
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

/// At most k of them, by rising length. Negative weights are reduced by potentials first (Johnson
/// 1977). None where there is no path; from a vertex to itself one, without arcs. Throws `Error`:
/// negative_cycle, interrupted. O(k n) searches.
std::vector<Path> k_shortest_paths(const std::shared_ptr<const Arcs>& arcs, Vertex source,
                                   Vertex sink, std::int64_t k, const Control& control);

}  // namespace apsp::python::csgraph
