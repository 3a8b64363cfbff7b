// Rates (planner/rates.hpp) as JSON, for the cache and for tests/machines, and the slowest of
// several machines. Figures of 0 are left out.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "base/json.hpp"
#include "planner/rates.hpp"

namespace apsp::rates {

/// [[n, seconds], …].
nlohmann::json to_json(const planner::RateCurve& curve);
/// Empty if broken: no list of pairs of numbers, or no positive point.
std::optional<planner::RateCurve> curve_from_json(const nlohmann::json& points);
/// Empty if not a number, negative, or infinite.
std::optional<double> figure_from_json(const nlohmann::json& value);
/// The longer time at every size of either curve.
planner::RateCurve slower_curve(const planner::RateCurve& one, const planner::RateCurve& other);

template <class Rates>
concept HasCurve = requires {
  Rates::kCurve;
};

/// {"vertex": 3e-8, …}, without the date.
template <class Rates>
nlohmann::json to_json(Rates rates) {
  nlohmann::json figures = nlohmann::json::object();
  for (const planner::RateField<Rates>& field : Rates::kFields) {
    if (field.of(rates) > 0) figures[std::string(field.name)] = field.of(rates);
  }
  if constexpr (HasCurve<Rates>) {
    figures[std::string(Rates::kCurve.name)] = to_json(rates.*Rates::kCurve.of);
  }
  return figures;
}

/// Empty if a required figure is missing or one is broken. The date is not set.
template <class Rates>
std::optional<Rates> rates_from_json(const nlohmann::json& figures) {
  if (!figures.is_object()) return std::nullopt;
  Rates rates;
  for (const planner::RateField<Rates>& field : Rates::kFields) {
    const auto value = figure_from_json(figures.value(field.name, nlohmann::json(0)));
    if (!value || (field.needed && *value == 0)) return std::nullopt;
    field.of(rates) = *value;
  }
  if constexpr (HasCurve<Rates>) {
    auto curve = curve_from_json(figures.value(Rates::kCurve.name, nlohmann::json()));
    if (!curve) return std::nullopt;
    rates.*Rates::kCurve.of = *std::move(curve);
  }
  if constexpr (requires { rates.uncalibrated; }) rates.uncalibrated = false;
  return rates;
}

/// The longer times, lower rates, slower curves and the older date, because processes that work
/// together wait for the slowest. A figure that only one has is taken.
template <class Rates>
Rates slowest(Rates one, Rates other) {
  for (const planner::RateField<Rates>& field : Rates::kFields) {
    double& a = field.of(one);
    const double b = field.of(other);
    const bool both = a > 0 && b > 0;
    a = field.is_time() || !both ? std::max(a, b) : std::min(a, b);
  }
  if constexpr (HasCurve<Rates>) {
    one.*Rates::kCurve.of = slower_curve(one.*Rates::kCurve.of, other.*Rates::kCurve.of);
  }
  one.measured = std::min(one.measured, other.measured);
  return one;
}

}  // namespace apsp::rates
