// What a matrix claims: its semiring and type as the row checks see them, and where its arithmetic
// is exact.
#include <algorithm>
#include <cmath>
#include <limits>

#include "graph/components.hpp"
#include "reference/row_checks.hpp"

namespace apsp::reference {
namespace {

constexpr double kAlways = std::numeric_limits<double>::infinity();
constexpr double kMostRoundings = 4096;  // no real path errs by more: roundings cancel

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
}

double Claim::tolerance_of_row(double magnitude) const {
  if (given_tolerance_) return *given_tolerance_;
  return magnitude < exact_below_ ? 0 : rounding_tolerance_;
}

}  // namespace apsp::reference
