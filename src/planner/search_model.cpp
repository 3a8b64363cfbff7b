#include "planner/search_model.hpp"

namespace apsp::planner {

double searching_seconds(const SampledSearches& found, double vertices, const SearchRates& rates) {
  return found.vertices * rates.vertex + found.arcs * rates.arc + vertices / rates.values;
}

SearchRates scaled_to(double seconds, const SampledSearches& found, double vertices,
                      const SearchRates& rates) {
  const double times = seconds / searching_seconds(found, vertices, rates);
  SearchRates scaled = rates;
  scaled.vertex *= times;
  scaled.arc *= times;
  scaled.values /= times;
  return scaled;
}

}  // namespace apsp::planner
