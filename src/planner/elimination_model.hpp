// Seconds of nested dissection and the boundary algorithm: pure functions of the counts of the
// symbolic elimination and of a machine's rates.
//
//   elimination   fronts × front + entries / assembled + relaxations / eliminated
//   sweeps        blocks × (supernodes × supernode + vertices × vertex)
//                 + relaxations alone / swept_alone + relaxations together / swept_wide
//
// A supernode of one vertex relaxes one row from the rows above it, one after another; several rows
// share what they load. If each pair comes once, a sweep ends at the first of its sources, so the
// swept part of an entry is its place in the order.
#pragma once

#include <cstdint>
#include <span>

#include "planner/rates.hpp"
#include "sparse/tree.hpp"

namespace apsp::planner {

/// Relaxations of all sweeps, by the rows of the supernode that they go into.
struct SweptCounts {
  double alone = 0;
  double together = 0;
};

struct EliminationCounts {
  double vertices = 0;
  double supernodes = 0;
  double front_entries = 0;
  double eliminated = 0;
  double upward = 0;                                    // relaxations of all upward sweeps
  double visited_supernodes = 0, visited_vertices = 0;  // by a downward sweep
  SweptCounts all;                                      // downward, from every vertex
  SweptCounts once;  // downward, to the vertices after the block of sources
};

/// `block`: sources of a sweep. `visited`: the supernodes that a downward sweep visits, descending;
/// none: all.
EliminationCounts counts_of(const sparse::Tree& tree, std::int64_t block,
                            std::span<const sparse::SupernodeId> visited = {});

/// Wider values have lower rates of relaxations and entries. Statistics add integers faster.
EliminationRates assumed_elimination_rates(Semiring semiring, ValueType type);

struct SweepShape {
  std::int64_t block = 1;
  int threads = 1;
  bool once = false;   // each pair of a symmetric graph once; for all sources
  double sources = 0;  // 0: all
};

/// Returns the seconds in which METIS orders a graph: 3 µs a vertex and 0.4 a pair of neighbours,
/// within 2.2 times of generated graphs with 500 to 40,000 vertices and of real ones. Too long by
/// up to 2 if `arcs` have reverse arcs.
double ordering_seconds(double vertices, double arcs);

/// Returns the share of one process's seconds that several take (sparse/dissection.hpp). Each
/// level of separators takes about as long for one process; the upper levels have fewer separators
/// than there are processes.
double dissecting_share(double vertices, int processes);

/// Seconds of all threads. `symmetric`: of the graph, whose fronts are half closed.
double eliminating_seconds(const EliminationCounts& counts, bool symmetric, int threads,
                           const EliminationRates& rates);
/// Seconds of one relaxation of fronts among these, both directions.
double relaxation_seconds(bool symmetric, int threads, const EliminationRates& rates);
double sweeping_seconds(const EliminationCounts& counts, const SweepShape& shape,
                        const EliminationRates& rates);

/// The ratio of the time of `items` of one size to that of an even division among threads.
double unevenness(double items, int threads);

}  // namespace apsp::planner
