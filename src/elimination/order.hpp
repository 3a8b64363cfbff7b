// The order in which vertices are eliminated.
//
// A vertex is known by its number in the graph, or by its position in the order. Positions are
// 32-bit and signed, so that −1 can say "none".
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>
#include <vector>

#include "elimination/pattern.hpp"

namespace apsp::elimination {

using Position = std::int32_t;

struct Order {
  std::vector<Vertex> vertex_at;      // [n], by position
  std::vector<Position> position_of;  // [n], by vertex
};

/// Throws `Error` (defect) unless every vertex below the size stands there once.
Order order_of(std::vector<Vertex> vertex_at);

/// 0, 1, 2, …: for tests, and for graphs whose numbers are an order already.
Order natural_order(std::int64_t n);

/// Nested dissection by METIS (George 1973; Karypis 1998): separators last. Where many vertices
/// have a degree of 2 or less, they come first (small_degrees.hpp), and METIS orders the rest.
/// Graphs that have no small separators, as their hubs tell, are ordered by minimum degree instead,
/// and what is dense in the end is one supernode (minimum_degree.hpp). The same graph gives the
/// same order. Throws `Error` (does_not_fit) for more arcs than METIS can number.
Order nested_dissection(const Pattern& pattern);

}  // namespace apsp::elimination
