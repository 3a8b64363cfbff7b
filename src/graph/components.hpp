// Components of a graph.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>
#include <vector>

namespace apsp {

struct Components {
  std::int64_t count = 0;
  std::vector<std::int64_t> of;  ///< [n] component of each vertex, numbered by least vertex
};

/// Weak components: directions ignored. O(n + m).
Components weak_components(const Graph& graph);
/// Strong components (Tarjan 1972, without recursion). O(n + m).
Components strong_components(const Graph& graph);

}  // namespace apsp
