// Chooses which pairs of via and hops are checked, and from where their values come.
#pragma once

#include <apsp/progress.hpp>
#include <cstdint>
#include <span>

#include "reference/row_checks.hpp"
#include "store/store.hpp"

namespace apsp::reference {

struct PairLimits {
  std::int64_t memory = 0;  ///< bytes that copies of the planes may take
  /// Pairs to look at where the planes do not fit: a handful of values each, some milliseconds
  /// where a chunk has to be decoded for one; a minute or two in all.
  std::int64_t pairs = 20'000;
  std::uint64_t seed = 1;  ///< which ones
};

/// Half of the memory that is free now.
PairLimits default_limits(std::uint64_t seed);

struct PairOutcome {
  Tally tally;
  bool drawn = false;  ///< not even the sources' pairs were all looked at
};

/// Checks via, and hops where it is held. `sources`: rows that are checked, ascending; if these are
/// all and the planes fit into memory, all pairs; else the paths from these sources; else, where
/// the planes do not fit, some paths from them. Requires: `store` holds one of the planes. Throws
/// `Error`: interrupted, the store's own.
PairOutcome check_pairs(const Claim& claim, const store::Store& store,
                        std::span<const Vertex> sources, const PairLimits& limits,
                        const Control& control);

}  // namespace apsp::reference
