#include "planner/search_model.hpp"

namespace apsp::planner {

double searching_seconds(const Found& found, double sources, double vertices,
                         const SearchRates& rates) {
  return sources *
         (found.vertices * rates.vertex + found.arcs * rates.arc + vertices / rates.values);
}

}  // namespace apsp::planner
