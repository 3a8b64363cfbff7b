// Verification of a matrix of distances (docs/verification.md).
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <apsp/statistics.hpp>
#include <cstdint>
#include <span>

#include "store/store.hpp"
#include "verifier/row_checks.hpp"
#include "verifier/statistics_checks.hpp"

namespace apsp::verifier {

struct PairLimits {
  std::int64_t memory = 0;  ///< bytes for copies of the planes
  /// Pairs to check if the planes do not fit: a few values each, some milliseconds if chunks have
  /// to be decoded; one or two minutes together.
  std::int64_t pairs = 20'000;
  std::uint64_t seed = 1;  ///< selects the pairs
};

struct PairOutcome {
  Tally tally;
  bool drawn = false;  ///< only some of the sources' pairs were checked
};

/// Checks via, and hops if the store has it. `sources`: checked rows, ascending. If these are all
/// and the planes fit in memory, all pairs are checked; otherwise the paths from these sources or,
/// if the planes do not fit, some of them. Requires: `store` has one of the planes. Throws `Error`:
/// interrupted.
PairOutcome check_pairs(const Claim& claim, const store::Store& store,
                        std::span<const Vertex> sources, const PairLimits& limits,
                        const Control& control);

/// Checks the rows of the store and, against them, `claimed`, the stored statistics if any; not for
/// recomputed sums of real weights of both signs, whose errors are not relative. Throws `Error`
/// (usage) if graph and matrix differ in size, or the store lacks columns; or as the store.
VerifyReport verify(const Graph& graph, const store::Store& store, const VerifyOptions& options,
                    const Statistics* claimed = nullptr,
                    ClaimedRows claimed_rows = ClaimedRows::stored);

}  // namespace apsp::verifier
