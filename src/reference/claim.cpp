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

}  // namespace

Claim::Claim(const Graph& graph_, Semiring semiring, ValueType type_,
             std::optional<double> tolerance)
    : graph(graph_),
      type(type_),
      additive(semiring == Semiring::min_plus || semiring == Semiring::max_plus),
      sign(semiring == Semiring::min_plus || semiring == Semiring::min_max ? 1 : -1),
      none(sign * no_path(semiring, type)),
      one(sign * empty_path(semiring, type)),
      mixed_signs(graph.weight_facts().least < 0 && graph.weight_facts().greatest > 0),
      component(strong_components(graph).of),
      given_tolerance_(tolerance),
      unweighted_(semiring == Semiring::or_and),
      exact_below_(kAlways) {
  if (!additive || (type != ValueType::f32 && type != ValueType::f64)) return;
  const double mantissa = type == ValueType::f32 ? 0x1p24 : 0x1p53;
  exact_below_ = graph.weight_facts().integral ? mantissa : 0;
  const auto n = static_cast<double>(graph.vertex_count());
  rounding_tolerance_ = 2 / mantissa * std::min(n, kMostRoundings);
  unit_roundoff_ = 1 / mantissa;
  // Normal weights of both signs may leave less. Weights that the type cuts excuse nothing.
  const double least = type == ValueType::f64 ? std::numeric_limits<double>::denorm_min()
                       : graph.weight_facts().below_f32 > 0
                           ? 0
                           : static_cast<double>(std::numeric_limits<float>::denorm_min());
  underflow_ = least * std::min(n, kMostRoundings);
  if (mixed_signs && !tolerance) find_potentials();
}

void Claim::find_potentials() {
  const Potentials found = apsp::potentials(graph, sign);
  if (found.cycle) {
    on_cycle = found.cycle->vertices.front();
    return;
  }
  for (const base::DoubleDouble& h : found.h) {
    potentials.push_back(h.high);
    largest_potential_ = std::max(largest_potential_, std::abs(h.high));
  }
  const WeightFacts& facts = graph.weight_facts();
  const double largest = std::max(std::abs(facts.least), std::abs(facts.greatest));
  const double rounding = facts.integral ? 0 : kSumOfDoubles;
  forgiven = found.bias * largest + rounding * (largest + 2 * largest_potential_) + underflow_;
}

double Claim::tolerance_of_row(double magnitude) const {
  if (given_tolerance_) return *given_tolerance_;
  return magnitude + 2 * largest_potential_ < exact_below_ ? 0 : rounding_tolerance_;
}

}  // namespace apsp::reference
