// How long nested dissection and the boundary algorithm take: pure functions of what the symbolic
// elimination counts and of a machine's figures.
//
//   elimination   relaxations of all fronts / eliminated
//   sweeps        blocks × (supernodes × supernode + vertices × vertex) + relaxations / swept
//
// The rows of the path from the root are read again and again: where they outgrow the cache, a
// relaxation takes longer.
#pragma once

#include <apsp/semiring.hpp>
#include <cstdint>

#include "elimination/tree.hpp"
#include "planner/sparse_rates.hpp"

namespace apsp::planner {

struct EliminationCounts {
  double vertices = 0;
  double supernodes = 0;
  double height = 0;      // positions of the longest path
  double eliminated = 0;  // relaxations of the elimination
  double swept = 0;       // relaxations of all sweeps, down from every source and up to its root
};

/// `block`: sources that are swept at once.
EliminationCounts counts_of(const elimination::Tree& tree, std::int64_t block);

/// Seconds of one thread.
double eliminating_seconds(const EliminationCounts& counts, ValueType type,
                           const EliminationRates& rates);
/// Of all sources; `block` as above.
double sweeping_seconds(const EliminationCounts& counts, ValueType type, std::int64_t block,
                        const EliminationRates& rates);
/// Of turning all distances into rows, besides.
double turning_seconds(const EliminationCounts& counts, const EliminationRates& rates);

}  // namespace apsp::planner
