// The tables of planner/rates.hpp give figures as JSON, as the cache and the files of
// tests/machines hold them, and the slowest of several machines. A figure of 0 is left out.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "base/json.hpp"
#include "planner/rates.hpp"

namespace apsp::calibration {

/// [[n, seconds], …].
nlohmann::json to_json(const planner::RateCurve& curve);
/// Empty for what is broken: no list of pairs of numbers, no point above 0.
std::optional<planner::RateCurve> curve_from_json(const nlohmann::json& points);
/// Empty for what is not a number, negative, or not finite.
std::optional<double> figure_from_json(const nlohmann::json& value);
/// The longer time at every size that either knows.
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

/// Empty where a figure that is needed is not there, or one is broken. Without the date.
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

/// The longer of two times, the lower of two rates, the slower curve and the older date: processes
/// that work together end with the last of them. A figure that one lacks is the other's.
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

}  // namespace apsp::calibration
