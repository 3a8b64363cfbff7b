// Distances of pairs that have an end in common, from one sweep over the factor for each.
#pragma once

#include <apsp/progress.hpp>
#include <apsp/statistics.hpp>
#include <span>

#include "sparse/factor_rows.hpp"
#include "sparse/pair_ends.hpp"

namespace apsp::sparse {

/// The fewest pairs of a group that are cheaper than queries one by one.
inline constexpr std::size_t kFewestOfAGroup = 3;

/// Calls take once for each pair, grouped by one end. Few pairs of a group are queries. Others take
/// a sweep from that end to the ancestors of the other ends only, or a row. Requires: fewer than
/// 2^32 pairs. Throws `Error` (interrupted).
void distances_by_groups(const FactorRows& rows, std::span<const VertexPair> pairs, End by,
                         int threads, const Control& control, const TakePair& take);

}  // namespace apsp::sparse
