#include "calibration/rate_figures.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

namespace apsp::calibration {
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

/// The figures of sparse solves, each by its name in the files. All of them must be there.
template <class Rates>
using Figures = std::vector<std::pair<const char*, double Rates::*>>;

const Figures<planner::EliminationRates> kElimination = {
    {"ordered", &planner::EliminationRates::ordered},
    {"eliminated", &planner::EliminationRates::eliminated},
    {"assembled", &planner::EliminationRates::assembled},
    {"front", &planner::EliminationRates::front},
    {"swept_alone", &planner::EliminationRates::swept_alone},
    {"swept_wide", &planner::EliminationRates::swept_wide},
    {"supernode", &planner::EliminationRates::supernode},
    {"vertex", &planner::EliminationRates::vertex},
    {"transposed", &planner::EliminationRates::transposed},
    {"counted", &planner::EliminationRates::counted},
    {"counted_swept", &planner::EliminationRates::counted_swept}};
const Figures<planner::SearchRates> kSearch = {{"vertex", &planner::SearchRates::vertex},
                                               {"arc", &planner::SearchRates::arc},
                                               {"values", &planner::SearchRates::values},
                                               {"counted", &planner::SearchRates::counted}};
const Figures<planner::TransferRates> kTransfers = {
    {"copy_bytes_per_second", &planner::TransferRates::copy_bytes_per_second},
    {"disk_write_bytes_per_second", &planner::TransferRates::disk_write_bytes_per_second},
    {"disk_read_bytes_per_second", &planner::TransferRates::disk_read_bytes_per_second}};
const Figures<planner::LinkRates> kLink = {
    {"start", &planner::LinkRates::start},   {"launch", &planner::LinkRates::launch},
    {"pinned", &planner::LinkRates::pinned}, {"in", &planner::LinkRates::in},
    {"out", &planner::LinkRates::out},       {"copied", &planner::LinkRates::copied}};
const Figures<planner::BreadthFirstRates> kBreadthFirst = {
    {"vertex", &planner::BreadthFirstRates::vertex},
    {"line", &planner::BreadthFirstRates::line},
    {"values", &planner::BreadthFirstRates::values},
    {"counted", &planner::BreadthFirstRates::counted}};

template <class Rates>
json written(const Rates& rates, const Figures<Rates>& figures) {
  json object = json::object();
  for (const auto& [name, figure] : figures) object[name] = rates.*figure;
  return object;
}

template <class Rates>
std::optional<Rates> read_all(const json& figures, const Figures<Rates>& names) {
  try {
    if (!figures.is_object()) return std::nullopt;
    Rates rates;
    for (const auto& [name, member] : names) {
      rates.*member = figure(figures.value(name, json()));
      if (rates.*member == 0) return std::nullopt;
    }
    return rates;
  } catch (const NoFigure&) {
    return std::nullopt;
  }
}

/// A figure that need not be there.
template <class Rates>
std::optional<Rates> with_passed(std::optional<Rates> rates, const json& figures) {
  try {
    if (rates) rates->passed = figure_or_none(figures, "passed");
    return rates;
  } catch (const NoFigure&) {
    return std::nullopt;
  }
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

json to_json(const planner::LinkRates& rates) { return written(rates, kLink); }
json to_json(const planner::TransferRates& rates) { return written(rates, kTransfers); }
json to_json(const planner::EliminationRates& rates) { return written(rates, kElimination); }
json to_json(const planner::SearchRates& rates) {
  json object = written(rates, kSearch);
  object.update(known({{"passed", rates.passed}}));
  return object;
}
json to_json(const planner::BreadthFirstRates& rates) {
  json object = written(rates, kBreadthFirst);
  object.update(known({{"passed", rates.passed}}));
  return object;
}

std::optional<planner::LinkRates> link_rates_from_json(const json& figures) {
  return read_all(figures, kLink);
}

std::optional<planner::TransferRates> transfer_rates_from_json(const json& figures) {
  return read_all(figures, kTransfers);
}

std::optional<planner::EliminationRates> elimination_rates_from_json(const json& figures) {
  return read_all(figures, kElimination);
}

std::optional<planner::SearchRates> search_rates_from_json(const json& figures) {
  return with_passed(read_all(figures, kSearch), figures);
}

std::optional<planner::BreadthFirstRates> breadth_first_rates_from_json(const json& figures) {
  return with_passed(read_all(figures, kBreadthFirst), figures);
}

}  // namespace apsp::calibration
