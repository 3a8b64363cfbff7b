// Facts that a plan estimates from samples of a large graph.
#pragma once

#include <apsp/graph.hpp>
#include <limits>
#include <optional>

#include "planner/search_model.hpp"
#include "planner/value_type.hpp"
#include "sparse/tree_samples.hpp"

namespace apsp::planner {

/// Graphs of so many vertices take longer to order than to read.
inline constexpr std::int64_t kLeastEstimated = 131072;
inline constexpr std::int64_t kNeverEstimated = std::numeric_limits<std::int64_t>::max();

struct Estimates {
  sparse::TreeSamples trees;
  SampledSearches found;
  /// Known for sums of non-negative weights if all arcs have reverse arcs.
  std::optional<LongestDistance> longest{};
};

/// Returns nothing if samples are not representative: as `TreeSamples::of`, if a search does not
/// reach all vertices, or ends much sooner than the regions suggest because of long arcs. `least`:
/// vertices of the smallest graph that is sampled. Throws `Error` as an order.
std::optional<Estimates> estimates_of(const Graph& graph, std::int64_t least);

}  // namespace apsp::planner
