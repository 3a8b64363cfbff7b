// The pattern of a graph, and the orders in which its vertices are eliminated.
//
// A vertex is known by its number in the graph, or by its position in the order. Positions are
// 32-bit and signed, so that −1 can say "none".
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <cstdint>
#include <span>
#include <vector>

namespace apsp::elimination {

/// Which vertices are neighbours, whichever way their arcs point: an order is made of them.
struct Pattern {
  std::vector<std::int64_t> offsets = {0};  // [n + 1]
  std::vector<Vertex> neighbours;           // rising in a row; no loops, none twice

  std::int64_t vertices() const { return std::ssize(offsets) - 1; }
  std::span<const Vertex> of(Vertex v) const {
    return {neighbours.data() + offsets[v], neighbours.data() + offsets[v + 1]};
  }
  std::int64_t degree(Vertex v) const { return offsets[v + 1] - offsets[v]; }
};

Pattern pattern_of(const Graph& graph);

using Position = std::int32_t;

/// values[i], where i is a position, or another number that is signed but not negative.
template <class Values>
decltype(auto) at(Values& values, std::int64_t i) {
  return values[static_cast<std::size_t>(i)];
}

struct Order {
  std::vector<Vertex> vertex_at;      // [n], by position
  std::vector<Position> position_of;  // [n], by vertex
  std::int64_t bytes_found = 0;       // what all processes took while it was found
};

/// Throws `Error` (defect) unless every vertex below the size is there once.
Order order_of(std::vector<Vertex> vertex_at);

/// 0, 1, 2, …: for tests, and for graphs whose numbers are an order already.
Order natural_order(std::int64_t n);

/// How an order is found; which one does not depend on it.
struct OrderOptions {
  int workers = 1;  // processes that work at a time, at most
  Control control = {};
};

/// Nested dissection by METIS (George 1973; Karypis 1998): separators last. Where many vertices
/// have a degree of 2 or less, they come first (small_degrees.hpp), and METIS orders the rest.
/// Graphs that have no small separators, as their hubs tell, are ordered by minimum degree instead,
/// and what is dense in the end is one supernode (minimum_degree.hpp). The same graph gives the
/// same order. Throws `Error`: does_not_fit for more arcs than METIS can number, interrupted.
Order nested_dissection(const Pattern& pattern, const OrderOptions& options = {});

/// Vertices and ends of edges of a pattern, and of what METIS sees of it.
struct OrderSizes {
  std::int64_t vertices = 0, neighbours = 0;
  std::int64_t core_vertices = 0, core_neighbours = 0;  // as many where it sees all
};
/// What all processes take while they find an order by METIS and then its tree, the pattern
/// included.
std::int64_t ordering_bytes(const OrderSizes& sizes, int workers);
/// After vertices of small degree are eliminated, if those are many.
OrderSizes order_sizes(const Pattern& pattern);

/// The order of the boundary algorithm: parts of the graph one after another, and last all vertices
/// that have a neighbour in another part (Xia 2021, §III-C, after Djidjev 2014).
///
/// Its elimination tree has two levels. The inside of a part is one supernode, whose row structure
/// is the part's own boundary; all boundaries are the root. Closing the parts and the root are the
/// paper's steps 2 and 3; a sweep from the vertices of a part to those of another is its two
/// products. METIS cuts the parts so that few arcs cross (Karypis 1998).
struct BoundaryOrder {
  /// The boundary of a part is contiguous too. Parts that do not touch theirs come first.
  Order order;
  std::vector<Position> first;  // where each supernode begins, rising
};

/// At most so many parts; one that is all boundary has no supernode. The same graph gives the same
/// order. Throws `Error`: does_not_fit; defect unless parts ≥ 1.
BoundaryOrder boundary_order(const Pattern& pattern, std::int64_t parts);

}  // namespace apsp::elimination
