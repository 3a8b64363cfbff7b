// How long nested dissection and the boundary algorithm take: pure functions of what the symbolic
// elimination counts and of a machine's figures.
//
//   elimination   fronts × front + entries / assembled + relaxations / eliminated
//   sweeps        blocks × (supernodes × supernode + vertices × vertex)
//                 + relaxations alone / swept_alone + relaxations together / swept_wide
//
// A supernode of one vertex has one row, into which the rows above it go one after another; several
// rows share what they load. Where each pair comes once, a sweep ends at the first of its sources,
// so that the part of an entry that is swept is its place in the order.
#pragma once

#include <cstdint>
#include <span>

#include "elimination/tree.hpp"
#include "planner/rates.hpp"

namespace apsp::planner {

/// Relaxations of all sweeps, by the rows of the supernode that they go into.
struct SweptCounts {
  double alone = 0;
  double together = 0;
};

struct EliminationCounts {
  double vertices = 0;
  double supernodes = 0;
  double front_entries = 0;  // of all fronts
  double eliminated = 0;     // relaxations of the elimination
  double upward = 0;         // relaxations of all sweeps up, from every source to its root
  double visited_supernodes = 0, visited_vertices = 0;  // by a sweep down
  SweptCounts all;                                      // down, from every vertex
  SweptCounts once;  // down, to the vertices behind the block of sources
};

/// `block`: sources that are swept at once. `ways`: the supernodes that a sweep down visits,
/// falling; none: all.
EliminationCounts counts_of(const elimination::Tree& tree, std::int64_t block,
                            std::span<const elimination::SupernodeId> ways = {});

/// The wider a value, the lower are rates of relaxations and entries. Statistics add whole numbers
/// faster.
EliminationRates assumed_elimination_rates(Semiring semiring, ValueType type);

/// How a machine sweeps.
struct SweepShape {
  std::int64_t block = 1;  // sources that are swept at once
  int threads = 1;
  bool once = false;   // each pair of a symmetric graph once; of all sources
  double sources = 0;  // 0: all
};

/// Seconds in which METIS orders a graph: 3 µs a vertex and 0.4 a pair of neighbours, within 2.2
/// times of generated graphs with 500 to 40,000 vertices and of real ones. `arcs`: where some lead
/// both ways, it comes out up to twice as long.
double ordering_seconds(double vertices, double arcs);

/// The part of the seconds of one process that several take (elimination/dissection.hpp). All
/// levels of separators take about as long, if one process finds them; the upper ones have fewer
/// separators than there are processes.
double dissecting_share(double vertices, int processes);

/// Seconds by all threads. `symmetric`: of the graph, whose fronts are closed by half.
double eliminating_seconds(const EliminationCounts& counts, bool symmetric, int threads,
                           const EliminationRates& rates);
/// Seconds that each relaxation of fronts takes of these, of both directions.
double relaxation_seconds(bool symmetric, int threads, const EliminationRates& rates);
double sweeping_seconds(const EliminationCounts& counts, const SweepShape& shape,
                        const EliminationRates& rates);

/// How many times longer `items` of one size take than if threads shared them evenly.
double unevenness(double items, int threads);

}  // namespace apsp::planner
