// The graph of strong components: acyclic, and two vertices reach the same where they share one.
#pragma once

#include <apsp/graph.hpp>

#include <cstdint>
#include <vector>

#include "search/links.hpp"

namespace apsp::search {

struct ComponentLinks {
  std::vector<std::uint32_t> of;  // [n] component of each vertex; arcs lead to greater ones
  Links before;                   // [components] the components from which arcs come, each once
};

/// O(n + m log(largest row)). Throws `Error` (does_not_fit) for 2^32 arcs or more.
ComponentLinks component_links(const Graph& graph);

}  // namespace apsp::search
