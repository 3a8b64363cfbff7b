#include "planner/breadth_first_model.hpp"

#include <cmath>

namespace apsp::planner {
namespace {

double seconds(double levels, double vertices, double arcs, const BreadthFirstRates& rates) {
  const double blocks = std::ceil(vertices / kSourcesAtOnce);
  return blocks * levels * (vertices + arcs) * rates.line + vertices * vertices / rates.values;
}

}  // namespace

double breadth_first_seconds(const Found& found, double vertices, double arcs,
                             const BreadthFirstRates& rates) {
  constexpr double kApart = 1.2;
  return seconds(kApart * found.levels, vertices, arcs, rates);
}

double reaching_seconds(double vertices, double arcs, const BreadthFirstRates& rates) {
  return seconds(1, vertices, arcs, rates);
}

}  // namespace apsp::planner
