// What a matrix claims: its semiring and type as the row checks see them, and where its arithmetic
// is exact.
#include <algorithm>
#include <cmath>
#include <limits>

#include "graph/components.hpp"
#include "graph/negative_cycle.hpp"
#include "reference/row_checks.hpp"

namespace apsp::reference {
namespace {

constexpr double kAlways = std::numeric_limits<double>::infinity();
constexpr double kMostRoundings = 4096;    // no real path errs by more: roundings cancel
constexpr double kSumOfDoubles = 0x1p-51;  // what reducing a weight here may err by, a term

/// Bottlenecks are weights of the graph, so they are exact once these are rounded to the type.
/// Integers hold integral weights as they are; a fraction must not be cut off here unseen.
double as_held(double weight, ValueType type) {
  if (type != ValueType::f32 || std::abs(weight) > std::numeric_limits<float>::max()) return weight;
  return static_cast<double>(static_cast<float>(weight));
}

}  // namespace

Claim::Claim(const Graph& graph_, Semiring semiring, ValueType type_,
             std::optional<double> tolerance)
    : graph(graph_),
      type(type_),
      additive(semiring == Semiring::min_plus || semiring == Semiring::max_plus),
      sign(semiring == Semiring::min_plus || semiring == Semiring::min_max ? 1 : -1),
      none(sign * no_path(semiring, type)),
      one(sign * empty_path(semiring, type)),
      weights(graph.weights().begin(), graph.weights().end()),
      mixed_signs(graph.weight_facts().least < 0 && graph.weight_facts().greatest > 0),
      component(strong_components(graph).of),
      given_tolerance_(tolerance),
      exact_below_(kAlways) {
  for (double& weight : weights) {
    weight = sign * (semiring == Semiring::or_and ? 1 : as_held(weight, type));
  }
  if (!additive || (type != ValueType::f32 && type != ValueType::f64)) return;
  const double mantissa = type == ValueType::f32 ? 0x1p24 : 0x1p53;
  exact_below_ = graph.weight_facts().integral ? mantissa : 0;
  const auto n = static_cast<double>(graph.vertex_count());
  rounding_tolerance_ = 2 / mantissa * std::min(n, kMostRoundings);
  unit_roundoff = 1 / mantissa;
  if (mixed_signs && !tolerance) reduce(sign);
}

/// The parsed weights count, not what the type holds of them: that is how they are solved.
void Claim::reduce(double weight_sign) {
  const Potentials found = apsp::potentials(graph, weight_sign);
  if (found.cycle) {
    on_cycle = found.cycle->vertices.front();
    return;
  }
  for (const base::DoubleDouble& h : found.h) {
    potentials.push_back(h.high);
    largest_potential = std::max(largest_potential, std::abs(h.high));
  }
  double largest = 0;
  for (Vertex u = 0; u < potentials.size(); ++u) {
    const auto first = static_cast<std::size_t>(graph.offsets()[u]);
    for (std::size_t a = 0; a < graph.targets(u).size(); ++a) {
      const double weight = weight_sign * graph.weights(u)[a];
      largest = std::max(largest, std::abs(weight));
      weights[first + a] = weight + potentials[u] - potentials[graph.targets(u)[a]];
    }
  }
  const double exact = graph.weight_facts().integral ? 0 : kSumOfDoubles;
  forgiven = found.bias * largest + exact * (largest + 2 * largest_potential);
}

double Claim::tolerance_of_row(double magnitude) const {
  if (given_tolerance_) return *given_tolerance_;
  return magnitude < exact_below_ ? 0 : rounding_tolerance_;
}

}  // namespace apsp::reference
