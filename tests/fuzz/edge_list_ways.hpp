// The two ways through the rows of an edge list (src/io/edge_list_rows.hpp): where the short one
// succeeds, the long one gives the same arcs.
#pragma once

#include <cstddef>
#include <cstdint>

namespace apsp::fuzz {

/// Aborts where they differ.
void check_edge_list_ways(const std::uint8_t* data, std::size_t size);

}  // namespace apsp::fuzz
