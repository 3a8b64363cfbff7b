// Connected components with SciPy's labels.
#pragma once

#include <cstdint>
#include <span>

#include "arcs.hpp"

namespace apsp::python::csgraph {

/// Components ignoring directions, for graphs with arcs in both directions: labels [n] ascend in
/// the order of each component's first vertex. Returns the number of components. O(n + m).
std::int32_t weak_components(const Arcs& arcs, std::span<std::int32_t> labels);

/// Strongly connected components (Tarjan, SIAM J. Comput. 1972): labels ascend in the order of
/// completion, so that no arc leads to a larger label. O(n + m).
std::int32_t strong_components(const Arcs& arcs, std::span<std::int32_t> labels);

}  // namespace apsp::python::csgraph
