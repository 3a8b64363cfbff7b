// Paths from distances and the graph, without a second matrix during the solve (path_trees.hpp).
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <apsp/semiring.hpp>
#include <cstdint>
#include <span>
#include <vector>

#include "store/store.hpp"

namespace apsp::paths {

/// [n] the vertex before v on a best path with the fewest edges, then the smallest (exceptions:
/// path_trees.hpp); −1 for the source and without a path. `row`: [n] distances, no path as
/// `no_path(semiring, type)` or ±infinity. Throws `Error`: input (of another graph), usage.
std::vector<std::int64_t> predecessors(const Graph& graph, Semiring semiring, ValueType type,
                                       Vertex source, std::span<const double> row);

/// Throws `Error` (usage) unless 0 ≤ place < count.
void require_place(std::int64_t count, std::int64_t place);

/// Path source … target; {source} if equal; empty without a path. Throws `Error`: input (the
/// predecessors do not lead back to the source), usage.
std::vector<Vertex> walk_back(std::span<const std::int64_t> predecessors, Vertex source,
                              Vertex target);

/// No path in a row of doubles: ±infinity; or-and: 0.
double no_path_of_rows(Semiring semiring);
/// row ← `values`, no path as `no_path_of_rows`.
void convert_row(Semiring semiring, ValueType type, const void* values, std::span<double> row);
/// A distance as `read_row` converts it. `to_itself`: source and target are equal.
double as_double(Semiring semiring, ValueType type, const void* value, bool to_itself);
/// [columns] a row of distances, no path as `no_path_of_rows`; the empty path of a bottleneck
/// semiring as ±infinity. Indices are those of the store (store::Layout).
std::vector<double> read_row(const store::Store& store, std::int64_t row);
double read_value(const store::Store& store, std::int64_t row, std::int64_t col);

/// Fills the predecessor plane of `into`, which may be `from`. Requires: both hold all columns, and
/// `from` all rows in memory or the rows of `into`. O(n·m), dense graphs less if `from` holds all
/// rows (essential_arcs.hpp); memory: a row of tiles of both, and those arcs. Throws `Error`: input
/// (names the first source that fails), interrupted, the stores' own.
void write_predecessors(const Graph& graph, const store::Store& from, store::Store& into,
                        int threads, const Control& control);

struct Hop {
  Vertex from = 0, to = 0;
  double weight = 0;  ///< best of parallel edges
  double so_far = 0;  ///< value of the path up to `to`
};

/// O(edges of the path · log degree). Throws `Error` (input) if the graph lacks an edge.
std::vector<Hop> hops(const Graph& graph, Semiring semiring, ValueType type,
                      std::span<const Vertex> path);

}  // namespace apsp::paths
