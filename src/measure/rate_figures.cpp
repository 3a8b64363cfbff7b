#include "measure/rate_figures.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

namespace apsp::measure {
namespace {

using nlohmann::json;

/// Thrown and caught in this file.
struct NoFigure {};

double figure(const json& value) {
  if (!value.is_number()) throw NoFigure{};
  const double number = value.get<double>();
  if (!std::isfinite(number) || number < 0) throw NoFigure{};
  return number;
}

double figure_or_none(const json& figures, const char* name) {
  return figures.contains(name) ? figure(figures[name]) : 0;
}

planner::RateCurve curve_of(const json& points) {
  if (!points.is_array()) throw NoFigure{};
  std::vector<planner::CurvePoint> list;
  for (const json& point : points) {
    if (!point.is_array() || point.size() != 2) throw NoFigure{};
    list.push_back({figure(point[0]), figure(point[1])});
  }
  planner::RateCurve curve(std::move(list));
  if (curve.empty()) throw NoFigure{};
  return curve;
}

json known(std::initializer_list<std::pair<const char*, double>> figures) {
  json object = json::object();
  for (const auto& [name, value] : figures) {
    if (value > 0) object[name] = value;
  }
  return object;
}

template <class Rates, class F>
std::optional<Rates> read(const json& figures, F&& fill) {
  try {
    if (!figures.is_object()) throw NoFigure{};
    Rates rates;
    fill(rates);
    rates.rough = false;
    return rates;
  } catch (const NoFigure&) {
    return std::nullopt;
  }
}

}  // namespace

json to_json(const planner::RateCurve& curve) {
  json points = json::array();
  for (const planner::CurvePoint& point : curve.points()) {
    points.push_back(json::array({point.n, point.seconds}));
  }
  return points;
}

json to_json(const planner::HostRates& rates) {
  json object =
      known({{"start", rates.start}, {"statistics", rates.statistics}, {"arcs", rates.arcs}});
  object["solve"] = to_json(rates.solve);
  return object;
}

json to_json(const planner::DeviceRates& rates) {
  json object = known({{"start", rates.start},
                       {"beside", rates.beside},
                       {"touched", rates.touched},
                       {"relaxations", rates.copies.relaxations},
                       {"in", rates.copies.in},
                       {"out", rates.copies.out},
                       {"both", rates.copies.both},
                       {"statistics", rates.statistics},
                       {"arcs", rates.arcs}});
  object["run"] = to_json(rates.run);
  return object;
}

json to_json(const planner::StoreRates& rates) {
  return known({{"start", rates.start}, {"bytes", rates.bytes}});
}

std::optional<planner::HostRates> host_rates_from_json(const json& figures) {
  return read<planner::HostRates>(figures, [&](planner::HostRates& rates) {
    rates.solve = curve_of(figures.value("solve", json()));
    rates.start = figure_or_none(figures, "start");
    rates.statistics = figure_or_none(figures, "statistics");
    rates.arcs = figure_or_none(figures, "arcs");
  });
}

std::optional<planner::DeviceRates> device_rates_from_json(const json& figures) {
  return read<planner::DeviceRates>(figures, [&](planner::DeviceRates& rates) {
    rates.run = curve_of(figures.value("run", json()));
    rates.start = figure_or_none(figures, "start");
    rates.beside = figure_or_none(figures, "beside");
    rates.touched = figure_or_none(figures, "touched");
    rates.copies = {.relaxations = figure_or_none(figures, "relaxations"),
                    .in = figure_or_none(figures, "in"),
                    .out = figure_or_none(figures, "out"),
                    .both = figure_or_none(figures, "both")};
    rates.statistics = figure_or_none(figures, "statistics");
    rates.arcs = figure_or_none(figures, "arcs");
  });
}

std::optional<planner::StoreRates> store_rates_from_json(const json& figures) {
  return read<planner::StoreRates>(figures, [&](planner::StoreRates& rates) {
    rates.start = figure_or_none(figures, "start");
    rates.bytes = figure_or_none(figures, "bytes");
    if (rates.bytes == 0) throw NoFigure{};
  });
}

}  // namespace apsp::measure
