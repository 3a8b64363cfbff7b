// Connected components, labelled as SciPy labels them.
#pragma once

#include <cstdint>
#include <span>

#include "arcs.hpp"

namespace apsp::python::csgraph {

/// Of an undirected graph, or of a directed one whose arcs lead both ways: labels [n] rise in the
/// order of each component's first vertex. Returns the number of components. O(n + m).
std::int32_t weak_components(const Arcs& arcs, std::span<std::int32_t> labels);

/// Strongly connected components (Tarjan, SIAM J. Comput. 1972): labels rise in the order in which
/// components are completed, so that no arc leads to a larger label. O(n + m).
std::int32_t strong_components(const Arcs& arcs, std::span<std::int32_t> labels);

}  // namespace apsp::python::csgraph
