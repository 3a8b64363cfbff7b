// Is a matrix of distances right? See docs/verification.md for what each check proves.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <apsp/statistics.hpp>
#include <cstdint>
#include <span>

#include "reference/row_checks.hpp"
#include "reference/statistics_checks.hpp"
#include "store/store.hpp"

namespace apsp::reference {

/// How many pairs of intermediate vertices and edge counts are checked.
struct PairLimits {
  std::int64_t memory = 0;  ///< bytes that copies of the planes may take
  /// Pairs to look at where the planes do not fit: a handful of values each, some milliseconds
  /// where a chunk has to be decoded for one; a minute or two in all.
  std::int64_t pairs = 20'000;
  std::uint64_t seed = 1;  ///< which ones
};

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

/// Checks the rows that the store holds, and `claimed`, if any, against them: statistics that are
/// stored with them. Recomputed sums of real weights of both signs may differ by more than a share,
/// so `claimed` is not checked then. Throws `Error` (usage) if graph and matrix differ in size, or
/// the store has not the columns of all vertices; the store's own errors pass through.
VerifyReport verify(const Graph& graph, const store::Store& store, const VerifyOptions& options,
                    const Statistics* claimed = nullptr,
                    ClaimedRows claimed_rows = ClaimedRows::stored);

}  // namespace apsp::reference
