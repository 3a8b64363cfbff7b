// Paths from distances and the graph alone.
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
#include <memory>
#include <span>
#include <vector>

#include "store/store.hpp"

namespace apsp::query {

/// [n] the vertex before v on a best path from `source`: of all best paths one with fewest edges,
/// then the smallest predecessor (bottlenecks and real weights: see tight_tree.hpp,
/// slack_tree.hpp). −1 for the source and for vertices without a path. `row`: [n] distances from
/// `source`, as doubles, no path as `no_path(semiring, type)` or ±inf. Throws `Error`: input (the
/// distances do not belong to the graph), usage.
std::vector<std::int64_t> predecessors(const Graph& graph, Semiring semiring, ValueType type,
                                       Vertex source, std::span<const double> row);

/// source … target from a predecessor row; {source} for source = target; empty without a path.
/// Throws `Error`: input (the predecessors do not lead back to the source), usage.
std::vector<Vertex> walk_back(std::span<const std::int64_t> predecessors, Vertex source,
                              Vertex target);

/// A value of the distance plane as a double, as `read_row` gives it. `to_itself`: it is that of a
/// vertex to itself.
double as_double(Semiring semiring, ValueType type, const void* value, bool to_itself);
/// A row of the distance plane as doubles, [columns], no path as ±infinity (or-and: 0); the empty
/// path of a bottleneck semiring, from a vertex to itself, as ±infinity too. Rows and columns are
/// counted as the store holds them (store::Layout).
std::vector<double> read_row(const store::Store& store, std::int64_t row);
/// One value of it.
double read_value(const store::Store& store, std::int64_t row, std::int64_t col);

/// Rows of predecessors from rows of distances, one after another with the same memory. One a
/// thread.
class PredecessorTree {
 public:
  /// Of distances as a store of this layout holds them. `graph` outlives this.
  PredecessorTree(const Graph& graph, const store::Layout& layout);
  ~PredecessorTree();
  PredecessorTree(const PredecessorTree&) = delete;
  PredecessorTree& operator=(const PredecessorTree&) = delete;

  /// distances: [n]; out: [n], −1: none. Throws `Error` (input).
  void write(Vertex source, const void* distances, std::int32_t* out);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Fills the predecessor plane from the distance plane, O(n·m) in all, row bands in parallel.
/// `from` and `into` may be one store (its planes differ). Takes a band of `into`'s tiles of either
/// plane. Throws `Error`: input (names the first source that fails), interrupted, the stores' own.
void write_predecessors(const Graph& graph, const store::Store& from, store::Store& into,
                        int threads, const Control& control);

}  // namespace apsp::query
