// Paths from only distances and the graph.
//
// For a source, the tight arcs, d(u) ⊗ w = d(v), hold every tree of best paths, so one path costs a
// walk over them and no second matrix is needed during the solve. Zero-weight cycles are tight too
// and must not trap the walk, so trees grow from the source by breadth. Real weights: a sum rounded
// differently leaves a slack w + d(u) − d(v) near zero; the tree of least total slack is the tree
// of shortest paths.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <apsp/semiring.hpp>
#include <cstdint>
#include <span>
#include <vector>

#include "store/store.hpp"

namespace apsp::paths {

/// [n] the vertex before v on a best path from `source`: of all best paths one with fewest edges,
/// then the smallest predecessor (bottlenecks and real weights: see
/// path_trees.hpp). −1 for the source and for vertices without a path. `row`: [n] distances from
/// `source`, as doubles, no path as `no_path(semiring, type)` or ±inf. Throws `Error`: input (the
/// distances do not belong to the graph), usage.
std::vector<std::int64_t> predecessors(const Graph& graph, Semiring semiring, ValueType type,
                                       Vertex source, std::span<const double> row);

/// Throws `Error` (usage) unless 0 ≤ place < count, of vertices.
void require_place(std::int64_t count, std::int64_t place);

/// source … target from a predecessor row; {source} for source = target; empty without a path.
/// Throws `Error`: input (the predecessors do not lead back to the source), usage.
std::vector<Vertex> walk_back(std::span<const std::int64_t> predecessors, Vertex source,
                              Vertex target);

/// What stands for "no path" in a row of doubles, whatever the value type: ±infinity, or-and: 0.
double no_path_of_rows(Semiring semiring);
/// row ← values of this type, no path as above.
void convert_row(Semiring semiring, ValueType type, const void* values, std::span<double> row);
/// A value of the distance plane as a double, as `read_row` gives it. `to_itself`: it is that of a
/// vertex to itself.
double as_double(Semiring semiring, ValueType type, const void* value, bool to_itself);
/// A row of the distance plane as doubles, [columns], no path as ±infinity (or-and: 0); the empty
/// path of a bottleneck semiring, from a vertex to itself, as ±infinity too. Rows and columns are
/// counted as the store holds them (store::Layout).
std::vector<double> read_row(const store::Store& store, std::int64_t row);
/// One value of it.
double read_value(const store::Store& store, std::int64_t row, std::int64_t col);

/// Fills the predecessor plane from the distance plane, O(n·m) in all, row bands in parallel.
/// `from` and `into` may be one store (its planes differ). Takes a band of `into`'s tiles of either
/// plane. Throws `Error`: input (names the first source that fails), interrupted, the stores' own.
void write_predecessors(const Graph& graph, const store::Store& from, store::Store& into,
                        int threads, const Control& control);

/// An edge of a path.
struct Hop {
  Vertex from = 0, to = 0;
  double weight = 0;  ///< of the best edge from `from` to `to`
  double so_far = 0;  ///< value of the path up to `to`
};

/// The hops of a path of `graph` whose distances have this type. O(edges of the path · log degree).
/// Throws `Error` (input) where the graph lacks an edge of it.
std::vector<Hop> hops(const Graph& graph, Semiring semiring, ValueType type,
                      std::span<const Vertex> path);

}  // namespace apsp::paths
