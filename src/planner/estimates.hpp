// Facts that a plan takes from samples of a large graph. The solve looks at all of it.
#pragma once

#include <apsp/graph.hpp>
#include <limits>
#include <optional>

#include "elimination/tree_samples.hpp"
#include "planner/search_model.hpp"
#include "planner/value_type.hpp"

namespace apsp::planner {

/// Graphs of so many vertices take longer to order than to read.
inline constexpr std::int64_t kLeastEstimated = 131072;
inline constexpr std::int64_t kNeverEstimated = std::numeric_limits<std::int64_t>::max();

struct Estimates {
  elimination::TreeSamples trees;
  SampledSearches found;  ///< of one search
  /// Of sums of non-negative weights, where all arcs lead both ways.
  std::optional<LongestDistance> longest{};
};

/// Empty where samples tell too little: as `TreeSamples::of`, where a search does not reach all
/// vertices, and where it ends much sooner than the regions promise, because some arcs lead far.
/// `least`: vertices of the smallest graph that is sampled. Throws `Error` as an order.
std::optional<Estimates> estimates_of(const Graph& graph, std::int64_t least);

}  // namespace apsp::planner
