#include "describe.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "text.hpp"

namespace nb = nanobind;

namespace apsp::python {
namespace {

nb::object describe(const std::optional<VertexPair>& pair) {
  if (!pair) return nb::none();
  return nb::make_tuple(pair->from, pair->to);
}

nb::object describe(const std::optional<ComponentStatistics>& component) {
  if (!component) return nb::none();
  nb::dict told;
  told["components"] = component->components;
  told["vertices"] = component->vertices;
  told["pairs"] = component->pairs;
  told["mean"] = component->mean;
  told["diameter"] = component->diameter;
  told["diameter_pair"] = describe(component->diameter_pair);
  return told;
}

nb::dict describe(const DeviceReport& report) {
  nb::dict told;
  told["ordinal"] = report.ordinal;
  told["name"] = report.name;
  told["streamed"] = report.streamed;
  if (report.streamed) told["panel"] = report.panel;
  if (!report.peers.empty()) told["peers"] = report.peers;
  told["bytes"] = report.bytes;
  told["seconds"] = report.seconds;
  told["seconds_predicted"] = report.seconds_predicted;
  return told;
}

nb::dict describe(const CandidateReport& candidate) {
  nb::dict told;
  told["algorithm"] = name(candidate.algorithm);
  told["device"] = name(candidate.device);
  told["place"] = candidate.place;
  told["known"] = candidate.known;
  told["taken"] = candidate.taken;
  told["why_not"] = candidate.why_not;
  if (!candidate.known) return told;
  told["residence"] = candidate.residence;
  told["seconds"] = candidate.seconds;
  told["bytes"] = candidate.bytes;
  told["bytes_device"] = candidate.bytes_device;
  told["bytes_disk"] = candidate.bytes_disk;
  told["fits"] = candidate.fits;
  return told;
}

nb::dict describe(const PredictionReport& predicted) {
  nb::dict told;
  told["seconds"] = predicted.seconds;
  told["start"] = predicted.start;
  told["solve"] = predicted.solve;
  told["statistics"] = predicted.statistics;
  told["store"] = predicted.store;
  told["rough"] = predicted.rough;
  if (!predicted.measured.empty()) told["measured"] = predicted.measured;
  if (predicted.end > 0) told["end"] = predicted.end;
  return told;
}

}  // namespace

nb::dict describe(const Graph& graph) {
  const WeightFacts& facts = graph.weight_facts();
  nb::dict weights;
  weights["least"] = facts.least;
  weights["greatest"] = facts.greatest;
  weights["integral"] = facts.integral;
  weights["unit"] = facts.unit;
  nb::dict told;
  told["vertices"] = graph.vertex_count();
  told["edges"] = graph.edge_count();
  told["arcs"] = graph.arc_count();
  told["loops"] = graph.loop_count();
  told["directed"] = graph.directed();
  told["symmetric"] = graph.symmetric();
  told["labelled"] = !graph.labels().empty();
  told["weights"] = weights;
  nb::list remarks;
  for (const std::string& remark : graph.remarks()) remarks.append(to_python(remark));
  told["remarks"] = remarks;
  told["bytes"] = graph.memory_bytes();
  return told;
}

nb::list describe(const std::vector<Advice>& list) {
  nb::list all;
  for (const Advice& advice : list) {
    nb::dict options;
    for (const auto& [option, value] : advice) options[nb::str(option.c_str())] = value;
    all.append(options);
  }
  return all;
}

nb::dict describe(const PlanReport& plan) {
  nb::dict told;
  told["line"] = plan.line;
  nb::dict rows;
  for (const auto& [subject, choice] : plan.rows) rows[nb::str(subject.c_str())] = choice;
  told["rows"] = rows;
  told["algorithm"] = name(plan.algorithm);
  told["semiring"] = name(plan.semiring);
  told["value_type"] = name(plan.value_type);
  told["why_value_type"] = plan.why_value_type;
  told["device"] = name(plan.device);
  told["place"] = plan.place;
  told["why_place"] = plan.why_place;
  told["threads"] = plan.threads;
  told["symmetric"] = plan.symmetric;
  told["packed_bits"] = plan.packed_bits;
  told["via"] = plan.via;
  told["sources"] = plan.sources;
  told["targets"] = plan.targets;
  told["relaxations"] = plan.relaxations;
  told["tile"] = plan.tile;
  nb::list candidates;
  for (const CandidateReport& candidate : plan.candidates) candidates.append(describe(candidate));
  told["candidates"] = candidates;
  told["factor_entries"] = plan.factor_entries;
  told["estimated"] = plan.estimated;
  told["matrix_kept"] = plan.matrix_kept;
  told["keep"] = name(plan.keep);
  told["stored"] = name(plan.stored);
  told["bytes"] = plan.bytes;
  told["bytes_allowed"] = plan.bytes_allowed;
  told["bytes_device"] = plan.bytes_device;
  told["bytes_disk"] = plan.bytes_disk;
  told["bytes_disk_allowed"] = plan.bytes_disk_allowed;
  told["precision"] = plan.precision;
  told["predicted"] = describe(plan.predicted);
  told["fits"] = plan.what_would_fit.empty();
  told["what_would_fit"] = plan.what_would_fit;
  told["advice"] = describe(plan.advice);
  return told;
}

nb::dict describe(const SolveReport& report) {
  nb::dict told;
  told["plan"] = report.plan;
  told["algorithm"] = name(report.algorithm);
  told["device"] = name(report.device);
  told["value_type"] = name(report.value_type);
  told["semiring"] = name(report.semiring);
  told["threads"] = report.threads;
  told["tile"] = report.tile;
  told["relaxations"] = report.relaxations;
  told["seconds_prepare"] = report.seconds_prepare;
  told["seconds_solve"] = report.seconds_solve;
  told["seconds_store"] = report.seconds_store;
  told["seconds_total"] = report.seconds_total;
  told["sources"] = report.sources;
  told["targets"] = report.targets;
  told["bytes_matrix"] = report.bytes_matrix;
  told["bytes_planned"] = report.bytes_planned;
  told["bytes_resident"] = report.bytes_resident;
  told["unit_roundoff"] = report.unit_roundoff;
  told["seconds_predicted"] = report.seconds_predicted;
  told["prediction_rough"] = report.prediction_rough;
  told["absolute_error"] = report.absolute_error;
  told["rows_resumed"] = report.rows_resumed;
  told["pivots_resumed"] = report.pivots_resumed;
  told["damaged"] = report.damaged;
  if (report.on_device) told["on_device"] = describe(*report.on_device);
  return told;
}

nb::dict describe(const Statistics& statistics) {
  nb::dict told;
  told["vertices"] = statistics.vertices;
  told["sources"] = statistics.sources;
  told["targets"] = statistics.targets;
  told["pairs"] = statistics.pairs;
  told["reachable_pairs"] = statistics.reachable_pairs;
  told["connected"] = statistics.connected;
  told["least"] = statistics.least;
  told["greatest"] = statistics.greatest;
  told["mean"] = statistics.mean;
  told["median"] = statistics.median;
  told["median_error"] = statistics.median_error;
  told["diameter"] = statistics.diameter;
  told["diameter_pair"] = describe(statistics.diameter_pair);
  told["radius"] = statistics.radius;
  told["radius_pair"] = describe(statistics.radius_pair);
  told["component"] = describe(statistics.component);
  told["diameter_at_least"] = statistics.diameter_at_least;
  told["radius_at_most"] = statistics.radius_at_most;
  nb::list histogram;
  for (const HistogramBin& bin : statistics.histogram) {
    nb::dict bar;
    bar["low"] = bin.low;
    bar["high"] = bin.high;
    bar["pairs"] = bin.pairs;
    histogram.append(bar);
  }
  told["histogram"] = histogram;
  const auto add = [&](const char* key, const std::vector<double>& values) {
    told[key] = values.empty() ? nb::none() : array_of(std::vector<double>(values));
  };
  add("eccentricity", statistics.eccentricity);
  add("closeness", statistics.closeness);
  add("harmonic", statistics.harmonic);
  return told;
}

nb::dict describe(const VerifyReport& report) {
  nb::list checks;
  for (const VerifyCheck& check : report.checks) {
    nb::dict told;
    told["name"] = check.name;
    told["tested"] = check.tested;
    told["failed"] = check.failed;
    told["first_failure"] = check.first_failure;
    checks.append(told);
  }
  nb::dict told;
  told["passed"] = report.passed;
  told["checks"] = checks;
  told["sources_checked"] = report.sources_checked;
  told["sources"] = report.sources;
  told["tolerance"] = report.tolerance;
  told["meaning"] = report.meaning;
  return told;
}

}  // namespace apsp::python
