#include "graph/whole_weights.hpp"

#include <algorithm>
#include <cmath>

namespace apsp::graph {

bool whole_weights(const Graph& graph) {
  const WeightFacts& facts = graph.weight_facts();
  if (facts.integral) return true;
  const double largest = std::max(std::abs(facts.least), std::abs(facts.greatest));
  if (largest <= 0x1p53 || largest >= 0x1p64) return false;
  bool whole = true;
  graph.visit_all(
      [&](Vertex, Vertex, double weight) { whole = whole && weight == std::trunc(weight); });
  return whole;
}

}  // namespace apsp::graph
