// The fastest method for many pairs of a factor: queries, rows or labels, by a model of their
// times.
#pragma once

#include <apsp/statistics.hpp>
#include <cstdint>
#include <span>
#include <vector>

#include "sparse/labels.hpp"
#include "sparse/tree.hpp"

namespace apsp::sparse {

enum class PairsFrom { queries, rows, labels };

struct PairsWay {
  PairsFrom from = PairsFrom::queries;
  std::vector<SupernodeRun> runs{};
  double seconds = 0;  ///< of one thread, assumed
};

/// The time of a row of a factor, in pairs of one source (bench/results/sparse.md, pairs).
inline constexpr std::int64_t kPairsOfAFactorsRow = 400;

/// Chooses queries (factor_query.hpp), rows of the distinct sources, or labels that fit the memory,
/// in bytes. The choice depends only on the arguments, so that results can be reproduced.
PairsWay way_of_pairs(const Tree& tree, ValueType type, const LabelPlan& plan,
                      std::span<const VertexPair> pairs, std::int64_t memory);

/// Returns the seconds of one thread for so many random pairs, by queries, or by labels if all fit
/// the memory, whichever is faster.
double seconds_of_random_pairs(const Tree& tree, ValueType type, bool symmetric, double pairs,
                               std::int64_t memory);

}  // namespace apsp::sparse
