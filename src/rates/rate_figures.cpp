#include "rates/rate_figures.hpp"

namespace apsp::rates {

using nlohmann::json;

std::optional<double> figure_from_json(const json& value) {
  if (!value.is_number()) return std::nullopt;
  const double number = value.get<double>();
  if (!std::isfinite(number) || number < 0) return std::nullopt;
  return number;
}

json to_json(const planner::RateCurve& curve) {
  json points = json::array();
  for (const planner::CurvePoint& point : curve.points()) {
    points.push_back(json::array({point.n, point.seconds}));
  }
  return points;
}

std::optional<planner::RateCurve> curve_from_json(const json& points) {
  if (!points.is_array()) return std::nullopt;
  std::vector<planner::CurvePoint> list;
  for (const json& point : points) {
    if (!point.is_array() || point.size() != 2) return std::nullopt;
    const auto n = figure_from_json(point[0]), seconds = figure_from_json(point[1]);
    if (!n || !seconds) return std::nullopt;
    list.push_back({*n, *seconds});
  }
  planner::RateCurve curve(std::move(list));
  if (curve.empty()) return std::nullopt;
  return curve;
}

planner::RateCurve slower_curve(const planner::RateCurve& one, const planner::RateCurve& other) {
  std::vector<planner::CurvePoint> points;
  for (const planner::RateCurve* const curve : {&one, &other}) {
    for (const planner::CurvePoint& point : curve->points()) {
      points.push_back({point.n, std::max(one.seconds(point.n), other.seconds(point.n))});
    }
  }
  return planner::RateCurve(std::move(points));
}

}  // namespace apsp::rates
