#include "calibration/slowest_rates.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "calibration/rate_figures.hpp"

namespace apsp::calibration {
namespace {

using nlohmann::json;
using planner::RateCurve;

/// Figures in seconds; all others are rates.
constexpr std::array<std::string_view, 8> kTimes = {"start",     "launch", "beside", "front",
                                                    "supernode", "vertex", "arc",    "line"};

bool is_time(std::string_view name) {
  return std::find(kTimes.begin(), kTimes.end(), name) != kTimes.end();
}

RateCurve points_of(const json& list) {
  std::vector<planner::CurvePoint> points;
  for (const json& point : list) points.push_back({point[0], point[1]});
  return RateCurve(std::move(points));
}

json slower_curve(const json& one, const json& other) {
  const RateCurve a = points_of(one), b = points_of(other);
  std::vector<planner::CurvePoint> points;
  for (const RateCurve* const curve : {&a, &b}) {
    for (const planner::CurvePoint& point : curve->points()) {
      points.push_back({point.n, std::max(a.seconds(point.n), b.seconds(point.n))});
    }
  }
  return to_json(RateCurve(std::move(points)));
}

}  // namespace

json slowest_rates(const json& one, const json& other) {
  json slower = one;
  for (const auto& [name, figure] : other.items()) {
    if (!one.contains(name)) {
      slower[name] = figure;
    } else if (figure.is_array()) {
      slower[name] = slower_curve(one[name], figure);
    } else {
      const double a = one[name], b = figure;
      slower[name] = is_time(name) ? std::max(a, b) : std::min(a, b);
    }
  }
  return slower;
}

}  // namespace apsp::calibration
