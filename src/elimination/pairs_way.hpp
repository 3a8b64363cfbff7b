// How many pairs are found soonest from a factor: a model of its queries, rows and labels.
#pragma once

#include <apsp/statistics.hpp>
#include <cstdint>
#include <span>
#include <vector>

#include "elimination/labels.hpp"
#include "elimination/tree.hpp"

namespace apsp::elimination {

enum class PairsFrom { queries, rows, labels };

struct PairsWay {
  PairsFrom from = PairsFrom::queries;
  std::vector<SupernodeRun> runs{};  ///< of labels
  double seconds = 0;                ///< of one thread, as assumed
};

/// A row of a factor takes as long as so many pairs of its source (bench/results/sparse.md, pairs).
inline constexpr std::int64_t kPairsOfAFactorsRow = 400;

/// Queries one by one (factor_query.hpp), rows of the distinct sources, or labels that fit the
/// memory, in bytes. It depends on nothing else, so that the same pairs are found in the same way.
PairsWay way_of_pairs(const Tree& tree, ValueType type, const LabelPlan& plan,
                      std::span<const VertexPair> pairs, std::int64_t memory);

/// Seconds in which one thread finds so many pairs of random vertices, by queries, or by labels if
/// all fit the memory, whichever is sooner.
double seconds_of_random_pairs(const Tree& tree, ValueType type, bool symmetric, double pairs,
                               std::int64_t memory);

}  // namespace apsp::elimination
