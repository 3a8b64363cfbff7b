#include "planner/prediction.hpp"

#include <algorithm>
#include <cmath>

#include "paths/essential_arcs.hpp"
#include "planner/dense_model.hpp"
#include "planner/device_model.hpp"
#include "planner/memory.hpp"

namespace apsp::planner {
namespace {

double pairs_of(const Plan& plan) {
  return static_cast<double>(plan.sources()) * static_cast<double>(plan.targets());
}

Prediction predict_rows(const Plan& plan, const SolveOptions& options) {
  const RowsPlan& rows = *plan.rows();
  const double pairs = rows.uses.gives_columns    ? rows.costs.counted_swept
                       : rows.uses.counts_columns ? rows.costs.counted_with_rows
                                                  : rows.costs.counted;
  Prediction prediction;
  prediction.solve = rows.seconds();
  if (options.question.statistics && pairs > 0) prediction.statistics = pairs_of(plan) / pairs;
  if (plan.on_device) {
    prediction.start = plan.on_device->link.start;
    prediction.end = kDeviceEndSeconds;
  }
  prediction.seconds = prediction.start + prediction.solve + prediction.statistics;
  prediction.measured = rows.costs.measured;
  prediction.rough = rows.costs.measured.empty();
  return prediction;
}

/// Seconds of the host's threads for predecessors from distances: of a thread of a server of 2026,
/// for a pair and for an arc that a tree looks at. Rounded sums take a longer search for each.
double predecessor_seconds(const Plan& plan, std::int64_t arcs, const SolveOptions& options) {
  constexpr double kPair = 20e-9, kArc = 1.3e-9, kScatteredArc = 3e-9, kRounded = 2.7;
  constexpr double kEssential = 4;  // of n random weights, times ln n
  const bool by_device = plan.rows() && plan.rows()->uses.finds_predecessors;
  if (!options.question.predecessors || by_device || plan.n == 0) return 0;
  const auto n = static_cast<double>(plan.n);
  const double degree = static_cast<double>(arcs) / n;
  const bool all = plan.keeps_matrix() || plan.selection.all();
  const bool dense = all && paths::EssentialArcs::bytes(plan.n, arcs) > 0;
  const double looked_at =
      dense ? kArc * std::min(degree, kEssential * std::log(n)) : kScatteredArc * degree;
  return pairs_of(plan) * (kPair + looked_at) * (plan.unit_roundoff > 0 ? kRounded : 1) /
         plan.threads;
}

/// Predicts only the relaxations of a matrix on disk.
Prediction predict_without_disk(const Plan& plan, const MatrixWork& work, const RateSource& rates) {
  if (!plan.on_device) {
    return predict_on_host(work,
                           host_rates(rates, plan.kernel(), plan.shape, plan.threads, plan.n));
  }
  const DeviceRates& there = plan.on_device->rates;
  Prediction prediction = predict_matrix(work, there, there.setup + relaxing_seconds(plan));
  prediction.end = kDeviceEndSeconds;
  return prediction;
}

Prediction predict_solve(const Plan& plan, std::int64_t arcs, const SolveOptions& options,
                         const RateSource& rates) {
  if (plan.rows()) return predict_rows(plan, options);
  const MatrixWork work{plan.n, arcs, options.question.statistics};
  if (!plan.on_disk() && plan.on_device) {
    return predict_on_device(*plan.on_device, arcs, options.question.statistics);
  }
  Prediction prediction = predict_without_disk(plan, work, rates);
  if (!plan.on_disk()) return prediction;
  const double without = prediction.solve;
  const TransferRates disk = disk_rates(plan, options, rates);
  prediction.solve = predict_on_disk(*plan.on_disk(), plan.n, plan.value_bytes(), without, disk);
  prediction.seconds += prediction.solve - without;
  prediction.rough = prediction.rough || disk.measured.empty();
  return prediction;
}

}  // namespace

double relaxing_seconds(const Plan& plan) {
  return plan.relaxations() * plan.on_disk()->share_of_device(plan.n) /
         plan.on_device->rates.copies.relaxations;
}

TransferRates disk_rates(const Plan& plan, const SolveOptions& options, const RateSource& source) {
  if (!source.transfers) return {};
  const double guess = predict_on_disk(*plan.on_disk(), plan.n, plan.value_bytes(), 0, {});
  const auto found =
      source.transfers({.threads = plan.threads, .path = options.storage.output, .guess = guess});
  return found && found->disk_read_bytes_per_second > 0 ? *found : TransferRates();
}

Prediction predict(const Plan& plan, std::int64_t arcs, const SolveOptions& options,
                   const RateSource& rates) {
  Prediction prediction = predict_solve(plan, arcs, options, rates);
  if (!options.storage.output.empty()) {
    const auto bytes = static_cast<double>(output_bytes(plan, options));
    const StoreRates store = store_rates(rates,
                                         {.threads = plan.threads,
                                          .path = options.storage.output,
                                          .compress = options.storage.compress},
                                         bytes);
    prediction.store = predict_store(bytes, store);
    prediction.seconds += prediction.store;
    prediction.rough = prediction.rough || store.uncalibrated;
    if (!store.measured.empty()) {
      prediction.measured = std::min(prediction.measured, store.measured);
    }
  }
  const double trees = predecessor_seconds(plan, arcs, options);
  prediction.store += trees;
  prediction.seconds += trees;
  prediction.rough = prediction.rough || options.question.predecessors || options.question.hops ||
                     options.method.tile > 0 || plan.signed_weights != nullptr;
  if (prediction.rough) prediction.measured.clear();
  return prediction;
}

void set_costs(const PlanRequest& asked, Plan& plan) {
  plan.bytes = plan_memory(asked.graph, asked.options, plan).peak();
  plan.disk.output = output_bytes(plan, asked.options);
  plan.predicted = predict(plan, asked.graph.arc_count(), asked.options, asked.rates);
}

}  // namespace apsp::planner
