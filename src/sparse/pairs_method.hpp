// The fastest method for many pairs of a factor, sweeps of groups or labels, by a model of their
// times.
#pragma once

#include <apsp/progress.hpp>
#include <apsp/statistics.hpp>
#include <cstdint>
#include <span>

#include "sparse/hub_label_query.hpp"

namespace apsp::sparse {

enum class PairsFrom { groups, labels };

struct PairsMethod {
  PairsFrom from = PairsFrom::groups;
  End by = End::source;    ///< the common end of a group
  StoredLabels stored{};   ///< of labels
  double seconds = 0;      ///< of one thread, assumed
  std::int64_t bytes = 0;  ///< of labels, without those of each thread
};

/// Seconds of a row by one thread, without a copy of the factor, assumed.
double row_seconds(const Tree& tree);

/// Whether so many pairs with a common end take a row instead of a sweep to their other ends.
bool worth_a_row(const Tree& tree, std::size_t pairs);

/// Chooses groups of pairs (grouped_pairs.hpp) or labels within the memory, in bytes. So many
/// blocks are stored that the first touch of their memory costs no more than making the labels of
/// the other end once for each. The choice depends only on the arguments, so that results can be
/// reproduced. Throws `Error` (interrupted).
PairsMethod method_of_pairs(const Factor& factor, std::span<const VertexPair> pairs,
                            std::int64_t memory, const Control& control = {});

/// The same for so many random pairs.
PairsMethod method_of_random_pairs(const Tree& tree, ValueType type, double pairs,
                                   std::int64_t memory);

}  // namespace apsp::sparse
