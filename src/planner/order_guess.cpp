#include "planner/order_guess.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "elimination/minimum_degree.hpp"
#include "elimination/order.hpp"
#include "elimination/small_degrees.hpp"
#include "planner/elimination_model.hpp"

namespace apsp::planner {
namespace {

/// Arcs at each vertex, a pair that has both ways once.
std::vector<std::int64_t> degrees_of(const Graph& graph) {
  std::vector<std::int64_t> degrees(static_cast<std::size_t>(graph.vertex_count()));
  for (std::size_t v = 0; v < degrees.size(); ++v) {
    degrees[v] = graph.out_degree(static_cast<Vertex>(v));
  }
  if (!graph.symmetric()) graph.visit_all([&](Vertex, Vertex v, double) { ++degrees[v]; });
  return degrees;
}

}  // namespace

OrderGuess guess_order(const Graph& graph) {
  constexpr double kNeighbour = 0.3e-6;  // s
  // Of vertices with so many neighbours, such a share is left; of twice as many, so much more.
  constexpr double kDegree = 12.8, kLeft = 0.22, kMoreLeft = 0.09, kLeastLeft = 0.125;
  const std::vector<std::int64_t> degrees = degrees_of(graph);
  const auto n = static_cast<double>(degrees.size());
  double ends = 0, small = 0;
  for (const std::int64_t degree : degrees) {
    ends += static_cast<double>(degree);
    small += degree <= 2 ? 1 : 0;
  }
  if (elimination::share_of_hubs(degrees) >= elimination::kShareOfHubs) {
    const double left = kLeft + kMoreLeft * std::log2(std::max(1.0, ends) / n / kDegree);
    return {kNeighbour * ends, n * std::clamp(left, kLeastLeft, 1.0)};
  }
  if (!graph.symmetric()) return {ordering_seconds(n, ends / 2)};
  if (small * elimination::kFewestEliminated < n) small = 0;
  return {ordering_seconds(n - small, std::max(0.0, ends / 2 - small))};
}

double least_relaxations(const OrderGuess& guess, double vertices) {
  constexpr double kCautious = 0.5;
  return kCautious * guess.widest * guess.widest * (vertices + guess.widest / 2);
}

}  // namespace apsp::planner
