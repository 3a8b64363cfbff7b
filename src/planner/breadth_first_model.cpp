#include "planner/breadth_first_model.hpp"

#include <algorithm>

namespace apsp::planner {

BlockCounts block_counts(const SampledSearches& found, double vertices, double arcs) {
  constexpr double kApart = 1.2;
  const double width = 2 * found.near_levels + 1;  // of a block, from one end to the other
  return {std::min(kApart * found.most_levels, width), vertices, arcs};
}

double breadth_first_seconds(const BlockCounts& counts, const BreadthFirstRates& rates) {
  const double sources = std::min<double>(kSourcesAtOnce, counts.vertices);
  return counts.levels * (counts.vertices * rates.vertex + counts.arcs * rates.line) +
         sources * counts.vertices / rates.values;
}

BreadthFirstRates scaled_to(double seconds, const BlockCounts& counts,
                            const BreadthFirstRates& rates) {
  const double times = seconds / breadth_first_seconds(counts, rates);
  BreadthFirstRates scaled = rates;
  scaled.vertex *= times;
  scaled.line *= times;
  scaled.values /= times;
  return scaled;
}

}  // namespace apsp::planner
