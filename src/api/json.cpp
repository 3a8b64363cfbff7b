#include "api/json.hpp"

#include <apsp/error.hpp>

#include "base/json.hpp"

namespace apsp::api {
namespace {

using nlohmann::json;

json or_null(const std::optional<double>& value) { return value ? json(*value) : json(nullptr); }

json pair_or_null(const std::optional<VertexPair>& pair, const Graph& graph) {
  if (!pair) return nullptr;
  return {{"from", graph.name(pair->from)}, {"to", graph.name(pair->to)}};
}

json most_central(const std::vector<double>& values, const Graph& graph, std::size_t count) {
  json list = json::array();
  for (const Vertex v : top(values, count)) {
    list.push_back({{"vertex", graph.name(v)}, {"value", values[v]}});
  }
  return list;
}

std::optional<double> number_or_empty(const json& object, const char* key) {
  const json& value = object.at(key);
  return value.is_null() ? std::nullopt : std::optional<double>(value.get<double>());
}

std::optional<VertexPair> pair_or_empty(const json& object, const char* key, const Graph& graph) {
  const json& value = object.at(key);
  if (value.is_null()) return std::nullopt;
  const auto from = graph.find(value.at("from").get<std::string>());
  const auto to = graph.find(value.at("to").get<std::string>());
  if (!from || !to) return std::nullopt;
  return VertexPair{*from, *to};
}

json component_or_null(const std::optional<ComponentStatistics>& component, const Graph& graph) {
  if (!component) return nullptr;
  return {{"components", component->components},
          {"vertices", component->vertices},
          {"pairs", component->pairs},
          {"mean", or_null(component->mean)},
          {"diameter", or_null(component->diameter)},
          {"diameter_pair", pair_or_null(component->diameter_pair, graph)}};
}

/// Empty for null and for older stores.
std::optional<ComponentStatistics> component_or_empty(const json& object, const Graph& graph) {
  const auto found = object.find("component");
  if (found == object.end() || found->is_null()) return std::nullopt;
  return ComponentStatistics{.components = found->at("components").get<std::int64_t>(),
                             .vertices = found->at("vertices").get<std::int64_t>(),
                             .pairs = found->at("pairs").get<std::int64_t>(),
                             .mean = number_or_empty(*found, "mean"),
                             .diameter = number_or_empty(*found, "diameter"),
                             .diameter_pair = pair_or_empty(*found, "diameter_pair", graph)};
}

json to_json(const DeviceReport& report) {
  json object = {{"ordinal", report.ordinal},   {"name", report.name},
                 {"streamed", report.streamed}, {"bytes", report.bytes},
                 {"seconds", report.seconds},   {"seconds_predicted", report.seconds_predicted}};
  if (report.panel > 0) object["panel"] = report.panel;
  if (!report.peers.empty()) object["peers"] = report.peers;
  return object;
}

DeviceReport device_report(const json& object) {
  return {.ordinal = object.at("ordinal").get<int>(),
          .name = object.at("name").get<std::string>(),
          .streamed = object.at("streamed").get<bool>(),
          .panel = object.value("panel", std::int64_t{0}),
          .bytes = object.at("bytes").get<std::int64_t>(),
          .seconds = object.at("seconds").get<double>(),
          .seconds_predicted = object.at("seconds_predicted").get<double>(),
          .peers = object.value("peers", std::vector<int>())};
}

json candidates_json(const PlanReport& plan) {
  json list = json::array();
  for (const CandidateReport& candidate : plan.candidates) {
    json one = {{"algorithm", name(candidate.algorithm)},
                {"device", name(candidate.device)},
                {"place", candidate.place},
                {"known", candidate.known},
                {"taken", candidate.taken},
                {"why_not", candidate.why_not}};
    if (candidate.known) {
      one["residence"] = candidate.residence;
      one["seconds"] = candidate.seconds;
      one["bytes"] = candidate.bytes;
      one["bytes_device"] = candidate.bytes_device;
      one["bytes_disk"] = candidate.bytes_disk;
      one["fits"] = candidate.fits;
    }
    list.push_back(std::move(one));
  }
  return list;
}

[[noreturn]] void not_ours(const char* what, const json::exception& error) {
  throw Error(ErrorKind::input,
              std::string("the stored ") + what + " cannot be read: " + error.what());
}

}  // namespace

json to_json(const Statistics& statistics, const Graph& graph, std::size_t count) {
  json histogram = json::array();
  for (const HistogramBin& bin : statistics.histogram) {
    histogram.push_back({{"low", bin.low}, {"high", bin.high}, {"pairs", bin.pairs}});
  }
  return {
      {"vertices", statistics.vertices},
      {"sources", statistics.sources},
      {"targets", statistics.targets},
      {"pairs", statistics.pairs},
      {"reachable_pairs", statistics.reachable_pairs},
      {"connected", statistics.connected},
      {"least", or_null(statistics.least)},
      {"greatest", or_null(statistics.greatest)},
      {"mean", or_null(statistics.mean)},
      {"median", or_null(statistics.median)},
      {"median_error", statistics.median_error},
      {"diameter", or_null(statistics.diameter)},
      {"diameter_pair", pair_or_null(statistics.diameter_pair, graph)},
      {"radius", or_null(statistics.radius)},
      {"radius_pair", pair_or_null(statistics.radius_pair, graph)},
      {"component", component_or_null(statistics.component, graph)},
      {"diameter_at_least", or_null(statistics.diameter_at_least)},
      {"radius_at_most", or_null(statistics.radius_at_most)},
      {"histogram", histogram},
      {"most_central",
       {{"closeness", most_central(statistics.closeness, graph, count)},
        {"harmonic", most_central(statistics.harmonic, graph, count)}}},
  };
}

Statistics statistics_from_json(const json& object, const Graph& graph) {
  try {
    Statistics statistics;
    statistics.vertices = object.at("vertices").get<std::int64_t>();
    statistics.sources = object.value("sources", statistics.vertices);  // absent in older stores
    statistics.targets = object.value("targets", statistics.vertices);
    statistics.pairs = object.at("pairs").get<std::int64_t>();
    statistics.reachable_pairs = object.at("reachable_pairs").get<std::int64_t>();
    statistics.connected = object.at("connected").get<bool>();
    statistics.least = number_or_empty(object, "least");
    statistics.greatest = number_or_empty(object, "greatest");
    statistics.mean = number_or_empty(object, "mean");
    statistics.median = number_or_empty(object, "median");
    statistics.median_error = object.at("median_error").get<double>();
    statistics.diameter = number_or_empty(object, "diameter");
    statistics.diameter_pair = pair_or_empty(object, "diameter_pair", graph);
    statistics.radius = number_or_empty(object, "radius");
    statistics.radius_pair = pair_or_empty(object, "radius_pair", graph);
    statistics.component = component_or_empty(object, graph);
    if (!statistics.of_all()) {
      statistics.diameter_at_least = number_or_empty(object, "diameter_at_least");
      statistics.radius_at_most = number_or_empty(object, "radius_at_most");
    }
    for (const json& bin : object.at("histogram")) {
      statistics.histogram.push_back({bin.at("low").get<double>(), bin.at("high").get<double>(),
                                      bin.at("pairs").get<std::int64_t>()});
    }
    return statistics;
  } catch (const json::exception& error) {
    not_ours("statistics", error);
  }
}

json to_json(const PlanReport& plan) {
  const PredictionReport& predicted = plan.predicted;
  json object = {{"line", plan.line},
                 {"algorithm", name(plan.algorithm)},
                 {"semiring", name(plan.semiring)},
                 {"value_type", name(plan.value_type)},
                 {"why_value_type", plan.why_value_type},
                 {"device", name(plan.device)},
                 {"place", plan.place},
                 {"why_place", plan.why_place},
                 {"threads", plan.threads},
                 {"symmetric", plan.symmetric},
                 {"packed_bits", plan.packed_bits},
                 {"via", plan.via},
                 {"sources", plan.sources},
                 {"targets", plan.targets},
                 {"relaxations", plan.relaxations},
                 {"tile", plan.tile},
                 {"candidates", candidates_json(plan)},
                 {"factor_entries", plan.factor_entries},
                 {"estimated", plan.estimated},
                 {"matrix_kept", plan.matrix_kept},
                 {"keep", name(plan.keep)},
                 {"stored", name(plan.stored)},
                 {"bytes", plan.bytes},
                 {"bytes_allowed", plan.bytes_allowed},
                 {"bytes_disk", plan.bytes_disk},
                 {"precision", plan.precision},
                 {"predicted",
                  {{"seconds", predicted.seconds},
                   {"start", predicted.start},
                   {"solve", predicted.solve},
                   {"statistics", predicted.statistics},
                   {"store", predicted.store},
                   {"rough", predicted.rough}}}};
  if (!predicted.measured.empty()) object["predicted"]["measured"] = predicted.measured;
  if (predicted.end > 0) object["predicted"]["end"] = predicted.end;
  if (plan.bytes_disk > 0) object["bytes_disk_allowed"] = plan.bytes_disk_allowed;
  if (!plan.what_would_fit.empty()) object["what_would_fit"] = plan.what_would_fit;
  if (!plan.advice.empty()) object["advice"] = to_json(plan.advice);
  if (plan.device == Device::cuda) {
    object["bytes_device"] = plan.bytes_device;
    object["streamed"] = plan.streamed;
    if (plan.panel > 0) object["panel"] = plan.panel;
  }
  return object;
}

json to_json(const std::vector<Advice>& list) {
  json all = json::array();
  for (const Advice& advice : list) {
    json options = json::object();
    for (const auto& [option, value] : advice) options[option] = value;
    all.push_back(std::move(options));
  }
  return all;
}

json to_json(const SolveReport& report) {
  json object = {
      {"plan", report.plan},
      {"algorithm", name(report.algorithm)},
      {"device", name(report.device)},
      {"value_type", name(report.value_type)},
      {"semiring", name(report.semiring)},
      {"threads", report.threads},
      {"tile", report.tile},
      {"relaxations", report.relaxations},
      {"seconds_prepare", report.seconds_prepare},
      {"seconds_solve", report.seconds_solve},
      {"seconds_store", report.seconds_store},
      {"seconds_total", report.seconds_total},
      {"sources", report.sources},
      {"targets", report.targets},
      {"bytes_matrix", report.bytes_matrix},
      {"bytes_planned", report.bytes_planned},
      {"bytes_resident", report.bytes_resident},
      {"unit_roundoff", report.unit_roundoff},
      {"seconds_predicted", report.seconds_predicted},
      {"prediction_rough", report.prediction_rough},
      {"absolute_error", report.absolute_error},
  };
  if (report.rows_resumed > 0) object["rows_resumed"] = report.rows_resumed;
  if (report.pivots_resumed > 0) object["pivots_resumed"] = report.pivots_resumed;
  if (!report.damaged.empty()) object["damaged"] = report.damaged;
  if (report.grid_rows * report.grid_columns > 1) {
    object["grid"] = {{"rows", report.grid_rows}, {"columns", report.grid_columns}};
  }
  if (report.bandwidth > 0) object["bandwidth"] = report.bandwidth;
  if (report.on_device) object["on_device"] = to_json(*report.on_device);
  return object;
}

SolveReport report_from_json(const json& object) {
  try {
    SolveReport report;
    const auto text = [&](const char* key) { return object.at(key).get<std::string>(); };
    report.plan = text("plan");
    report.algorithm = parse_algorithm(text("algorithm")).value_or(Algorithm::automatic);
    report.device = parse_device(text("device")).value_or(Device::automatic);
    report.value_type = parse_value_type(text("value_type")).value_or(ValueType::f64);
    report.semiring = parse_semiring(text("semiring")).value_or(Semiring::min_plus);
    report.threads = object.at("threads").get<int>();
    report.tile = object.at("tile").get<std::int64_t>();
    report.relaxations = object.at("relaxations").get<double>();
    report.seconds_prepare = object.at("seconds_prepare").get<double>();
    report.seconds_solve = object.at("seconds_solve").get<double>();
    report.seconds_store = object.at("seconds_store").get<double>();
    report.seconds_total = object.at("seconds_total").get<double>();
    report.sources = object.value("sources", std::int64_t{0});
    report.targets = object.value("targets", std::int64_t{0});
    report.bytes_matrix = object.at("bytes_matrix").get<std::int64_t>();
    report.bytes_planned = object.value("bytes_planned", std::int64_t{0});
    report.bytes_resident = object.value("bytes_resident", std::int64_t{0});
    report.unit_roundoff = object.at("unit_roundoff").get<double>();
    report.seconds_predicted = object.value("seconds_predicted", 0.0);
    report.prediction_rough = object.value("prediction_rough", true);
    report.absolute_error = object.value("absolute_error", 0.0);
    report.bandwidth = object.value("bandwidth", 0.0);  // absent after a solve by one process
    report.rows_resumed = object.value("rows_resumed", std::int64_t{0});
    report.pivots_resumed = object.value("pivots_resumed", std::int64_t{0});
    report.damaged = object.value("damaged", std::vector<std::string>{});
    if (object.contains("grid")) {
      report.grid_rows = object.at("grid").at("rows").get<int>();
      report.grid_columns = object.at("grid").at("columns").get<int>();
    }
    if (object.contains("on_device")) report.on_device = device_report(object.at("on_device"));
    return report;
  } catch (const json::exception& error) {
    not_ours("report", error);
  }
}

json to_json(const VerifyReport& report) {
  json checks = json::array();
  for (const VerifyCheck& check : report.checks) {
    checks.push_back({{"name", check.name},
                      {"tested", check.tested},
                      {"failed", check.failed},
                      {"first_failure", check.first_failure}});
  }
  return {{"passed", report.passed},
          {"checks", checks},
          {"sources_checked", report.sources_checked},
          {"sources", report.sources},
          {"tolerance", report.tolerance},
          {"meaning", report.meaning}};
}

json to_json(const Graph& graph) {
  const WeightFacts& facts = graph.weight_facts();
  return {{"vertices", graph.vertex_count()},
          {"edges", graph.edge_count()},
          {"arcs", graph.arc_count()},
          {"loops", graph.loop_count()},
          {"directed", graph.directed()},
          {"symmetric", graph.symmetric()},
          {"labelled", !graph.labels().empty()},
          {"weights",
           {{"least", facts.least},
            {"greatest", facts.greatest},
            {"integral", facts.integral},
            {"unit", facts.unit}}},
          {"remarks", graph.remarks()},
          {"digest", graph.digest()}};
}

}  // namespace apsp::api
