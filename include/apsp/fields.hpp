// The fields of every report, once: JSON in both directions, the attributes of stored results,
// Python's dictionaries and docs/schema.json (scripts/schema) follow from these lists.
//
//     visit_fields(report, [](const char* name, const auto& value, Presence) { … });
//
// A field that is added to a struct is added to its list here, and nowhere else.
#pragma once

#include <concepts>
#include <type_traits>

#include <apsp/graph.hpp>
#include <apsp/solve.hpp>
#include <apsp/statistics.hpp>

namespace apsp {

enum class Presence {
  required,  ///< always written, and an error if it is missing where a report is read
  added,     ///< always written; results of earlier versions lack it, and get its default
  if_set,    ///< written if it differs from its default
};

/// `T`, const or not.
template <class T, class Report>
concept IsReport = std::same_as<std::remove_const_t<T>, Report>;

template <IsReport<PredictionReport> R, class Visit>
void visit_fields(R& r, Visit&& visit) {
  using enum Presence;
  visit("seconds", r.seconds, required);
  visit("start", r.start, required);
  visit("solve", r.solve, required);
  visit("statistics", r.statistics, required);
  visit("store", r.store, required);
  visit("rough", r.rough, required);
  visit("measured", r.measured, if_set);
  visit("end", r.end, if_set);
}

/// A candidate that was not looked at has no prediction.
template <IsReport<CandidateReport> R, class Visit>
void visit_fields(R& r, Visit&& visit) {
  using enum Presence;
  visit("algorithm", r.algorithm, required);
  visit("device", r.device, required);
  visit("place", r.place, required);
  visit("known", r.known, required);
  visit("taken", r.taken, required);
  visit("why_not", r.why_not, required);
  if (!r.known) return;
  visit("residence", r.residence, if_set);
  visit("seconds", r.seconds, added);
  visit("bytes", r.bytes, added);
  visit("bytes_device", r.bytes_device, added);
  visit("bytes_disk", r.bytes_disk, added);
  visit("fits", r.fits, added);
}

/// `rows` is left out: it says the same in words.
template <IsReport<PlanReport> R, class Visit>
void visit_fields(R& r, Visit&& visit) {
  using enum Presence;
  visit("line", r.line, required);
  visit("algorithm", r.algorithm, required);
  visit("semiring", r.semiring, required);
  visit("value_type", r.value_type, required);
  visit("why_value_type", r.why_value_type, required);
  visit("device", r.device, required);
  visit("place", r.place, required);
  visit("why_place", r.why_place, required);
  visit("threads", r.threads, required);
  visit("symmetric", r.symmetric, required);
  visit("packed_bits", r.packed_bits, required);
  visit("via", r.via, required);
  visit("sources", r.sources, required);
  visit("targets", r.targets, required);
  visit("relaxations", r.relaxations, required);
  visit("tile", r.tile, required);
  visit("candidates", r.candidates, required);
  visit("factor_entries", r.factor_entries, required);
  visit("estimated", r.estimated, required);
  visit("matrix_kept", r.matrix_kept, required);
  visit("keep", r.keep, required);
  visit("stored", r.stored, required);
  visit("bytes", r.bytes, required);
  visit("bytes_allowed", r.bytes_allowed, required);
  visit("bytes_device", r.bytes_device, required);
  visit("streamed", r.streamed, if_set);
  visit("panel", r.panel, if_set);
  visit("bytes_disk", r.bytes_disk, required);
  visit("bytes_disk_allowed", r.bytes_disk_allowed, if_set);
  visit("precision", r.precision, required);
  visit("predicted", r.predicted, required);
  visit("what_would_fit", r.what_would_fit, if_set);
  visit("advice", r.advice, if_set);
}

template <IsReport<DeviceReport> R, class Visit>
void visit_fields(R& r, Visit&& visit) {
  using enum Presence;
  visit("ordinal", r.ordinal, required);
  visit("name", r.name, required);
  visit("streamed", r.streamed, required);
  visit("panel", r.panel, if_set);
  visit("bytes", r.bytes, required);
  visit("seconds", r.seconds, required);
  visit("seconds_predicted", r.seconds_predicted, required);
  visit("peers", r.peers, if_set);
}

template <IsReport<GridShape> R, class Visit>
void visit_fields(R& r, Visit&& visit) {
  visit("rows", r.rows, Presence::required);
  visit("columns", r.columns, Presence::required);
}

template <IsReport<SolveReport> R, class Visit>
void visit_fields(R& r, Visit&& visit) {
  using enum Presence;
  visit("plan", r.plan, required);
  visit("algorithm", r.algorithm, required);
  visit("device", r.device, required);
  visit("value_type", r.value_type, required);
  visit("semiring", r.semiring, required);
  visit("threads", r.threads, required);
  visit("tile", r.tile, required);
  visit("relaxations", r.relaxations, required);
  visit("seconds_prepare", r.seconds_prepare, required);
  visit("seconds_solve", r.seconds_solve, required);
  visit("seconds_store", r.seconds_store, required);
  visit("seconds_total", r.seconds_total, required);
  visit("sources", r.sources, added);
  visit("targets", r.targets, added);
  visit("bytes_matrix", r.bytes_matrix, required);
  visit("bytes_planned", r.bytes_planned, added);
  visit("bytes_resident", r.bytes_resident, added);
  visit("unit_roundoff", r.unit_roundoff, required);
  visit("seconds_predicted", r.seconds_predicted, added);
  visit("prediction_rough", r.prediction_rough, added);
  visit("absolute_error", r.absolute_error, added);
  visit("rows_resumed", r.rows_resumed, if_set);
  visit("pivots_resumed", r.pivots_resumed, if_set);
  visit("damaged", r.damaged, if_set);
  visit("grid", r.grid, if_set);
  visit("bandwidth", r.bandwidth, if_set);
  visit("on_device", r.on_device, if_set);
}

template <IsReport<HistogramBin> R, class Visit>
void visit_fields(R& r, Visit&& visit) {
  visit("low", r.low, Presence::required);
  visit("high", r.high, Presence::required);
  visit("pairs", r.pairs, Presence::required);
}

template <IsReport<ComponentStatistics> R, class Visit>
void visit_fields(R& r, Visit&& visit) {
  using enum Presence;
  visit("components", r.components, required);
  visit("vertices", r.vertices, required);
  visit("pairs", r.pairs, required);
  visit("mean", r.mean, required);
  visit("diameter", r.diameter, required);
  visit("diameter_pair", r.diameter_pair, required);
}

/// `eccentricity`, `closeness` and `harmonic`, which have a value for every vertex, are left out.
template <IsReport<Statistics> R, class Visit>
void visit_fields(R& r, Visit&& visit) {
  using enum Presence;
  visit("vertices", r.vertices, required);
  visit("sources", r.sources, added);
  visit("targets", r.targets, added);
  visit("pairs", r.pairs, required);
  visit("reachable_pairs", r.reachable_pairs, required);
  visit("connected", r.connected, required);
  visit("least", r.least, required);
  visit("greatest", r.greatest, required);
  visit("mean", r.mean, required);
  visit("median", r.median, required);
  visit("median_error", r.median_error, required);
  visit("diameter", r.diameter, required);
  visit("diameter_pair", r.diameter_pair, required);
  visit("radius", r.radius, required);
  visit("radius_pair", r.radius_pair, required);
  visit("component", r.component, added);
  visit("diameter_at_least", r.diameter_at_least, added);
  visit("radius_at_most", r.radius_at_most, added);
  visit("characteristic_path_length", r.characteristic_path_length, added);
  visit("global_efficiency", r.global_efficiency, added);
  visit("harmonic_mean_distance", r.harmonic_mean_distance, added);
  visit("wiener_index", r.wiener_index, added);
  visit("effective_diameter", r.effective_diameter, added);
  visit("average_eccentricity", r.average_eccentricity, added);
  visit("histogram", r.histogram, required);
}

template <IsReport<VerifyCheck> R, class Visit>
void visit_fields(R& r, Visit&& visit) {
  using enum Presence;
  visit("name", r.name, required);
  visit("tested", r.tested, required);
  visit("failed", r.failed, required);
  visit("first_failure", r.first_failure, required);
}

template <IsReport<VerifyReport> R, class Visit>
void visit_fields(R& r, Visit&& visit) {
  using enum Presence;
  visit("passed", r.passed, required);
  visit("checks", r.checks, required);
  visit("sources_checked", r.sources_checked, required);
  visit("sources", r.sources, required);
  visit("tolerance", r.tolerance, required);
  visit("meaning", r.meaning, required);
}

template <IsReport<WeightFacts> R, class Visit>
void visit_fields(R& r, Visit&& visit) {
  using enum Presence;
  visit("least", r.least, required);
  visit("greatest", r.greatest, required);
  visit("integral", r.integral, required);
  visit("unit", r.unit, required);
}

/// Structs that have a list of fields.
template <class T>
concept HasFields = requires(T& value) {
  visit_fields(value, [](const char*, auto&, Presence) {});
};

}  // namespace apsp
