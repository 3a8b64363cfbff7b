// The pattern of a graph, and orders of elimination.
//
// A vertex is identified by its number in the graph, or by its position in the order. Positions are
// signed, so that −1 means "none".
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace apsp::sparse {

/// The undirected adjacency of a graph, from which an order is computed.
struct Pattern {
  std::vector<std::int64_t> offsets = {0};  // [n + 1]
  std::vector<Vertex> neighbours;           // ascending in a row, without loops and duplicates

  std::int64_t vertices() const { return std::ssize(offsets) - 1; }
  std::span<const Vertex> of(Vertex v) const {
    return {neighbours.data() + offsets[v], neighbours.data() + offsets[v + 1]};
  }
  std::int64_t degree(Vertex v) const { return offsets[v + 1] - offsets[v]; }
};

Pattern pattern_of(const Graph& graph);
/// The pattern of the groups of vertices: neighbours are those of any of their vertices.
Pattern contracted(const Pattern& pattern, std::int64_t groups,
                   const std::function<Vertex(Vertex)>& group_of);

using Position = std::int32_t;

/// Returns values[i] for a non-negative signed i.
template <class Values>
decltype(auto) at(Values& values, std::int64_t i) {
  return values[static_cast<std::size_t>(i)];
}

struct Order {
  std::vector<Vertex> vertex_at;      // [n], by position
  std::vector<Position> position_of;  // [n], by vertex
  std::int64_t peak_bytes = 0;        // memory of all ordering processes
};

/// Throws `Error` (defect) unless `vertex_at` is a permutation. `vertices`: if there are more than
/// positions, the others have position −1.
Order order_of(std::vector<Vertex> vertex_at, std::size_t vertices = 0);

/// Returns 0, 1, 2, ….
Order natural_order(std::int64_t n);

/// The order does not depend on these.
struct OrderOptions {
  int workers = 1;  // processes at a time, at most
  Control control = {};
};

/// Returns an order by nested dissection with METIS (George 1973; Karypis 1998): separators last.
/// If many vertices have a degree of 2 or less, these come first (small_degrees.hpp). Graphs with
/// hubs, which have no small separators, are ordered by minimum degree, and the dense remainder is
/// one supernode (minimum_degree.hpp). Equal graphs have equal orders. Throws `Error`: does_not_fit
/// for more arcs than METIS can number, interrupted.
Order nested_dissection(const Pattern& pattern, const OrderOptions& options = {});

/// Vertices and edge ends of a pattern, and of the core that METIS orders.
struct OrderSizes {
  std::int64_t vertices = 0, neighbours = 0;
  std::int64_t core_vertices = 0, core_neighbours = 0;
};
/// Bytes that all processes take while METIS orders a pattern and its tree is made, the pattern
/// included.
std::int64_t ordering_bytes(const OrderSizes& sizes, int workers);
/// Returns the sizes, with vertices of small degree eliminated if there are many.
OrderSizes order_sizes(const Pattern& pattern);

/// The order of the boundary algorithm: parts of the graph one after another, and last all vertices
/// that have a neighbour in another part (Xia 2021, §III-C, after Djidjev 2014).
///
/// The elimination tree has two levels: the inside of each part is a supernode, whose row structure
/// is the part's boundary, and all boundaries are the root. Closing the parts and the root are the
/// paper's steps 2 and 3; a sweep from one part to another is its two products. METIS chooses parts
/// so that few arcs cross (Karypis 1998).
struct BoundaryOrder {
  /// The boundary of a part is contiguous. Parts that touch no boundary of theirs come first.
  Order order;
  std::vector<Position> first;  // first position of each supernode, ascending
};

/// Returns at most `parts` parts; one that is all boundary has no supernode. Equal graphs have
/// equal orders. Throws `Error`: does_not_fit; defect unless parts ≥ 1.
BoundaryOrder boundary_order(const Pattern& pattern, std::int64_t parts);

}  // namespace apsp::sparse
