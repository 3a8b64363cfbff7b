#include "planner/prediction.hpp"

#include <algorithm>

#include "planner/device_model.hpp"
#include "planner/disk_model.hpp"

namespace apsp::planner {
namespace {

KernelKind kernel_of(const Plan& plan) {
  return {plan.kernel_semiring(), plan.type, plan.sign, plan.with_via};
}

bool has_unknown_parts(const Plan& plan, const SolveOptions& options) {
  return options.predecessors || options.hops || options.tile > 0 || plan.signed_weights != nullptr;
}

double pairs_of(const Plan& plan) {
  return static_cast<double>(plan.sources()) * static_cast<double>(plan.targets());
}

Prediction predict_rows(const Plan& plan, const SolveOptions& options) {
  const RowsPlan& rows = *plan.rows;
  const double pairs = rows.gives_columns    ? rows.counted_swept
                       : rows.counts_columns ? rows.counted_beside
                                             : rows.counted;
  Prediction prediction;
  prediction.solve = rows.seconds();
  if (options.statistics && pairs > 0) prediction.statistics = pairs_of(plan) / pairs;
  if (plan.on_device) {
    prediction.start = plan.on_device->link.start;
    prediction.end = kDeviceEndSeconds;
  }
  prediction.seconds = prediction.start + prediction.solve + prediction.statistics;
  prediction.measured = rows.measured;
  prediction.rough = rows.measured.empty();
  return prediction;
}

/// `guess`: seconds of the solve by cautious figures.
DiskRates disk_rates(const RateSource& source, const std::string& output, int threads,
                     double guess) {
  if (!source.transfers) return {};
  const auto found = source.transfers(output, threads, guess);
  if (!found || found->disk_read_bytes_per_second <= 0) return {};
  return {found->disk_read_bytes_per_second, found->disk_write_bytes_per_second, false};
}

Prediction predict_solve(const Plan& plan, std::int64_t arcs, const SolveOptions& options,
                         const RateSource& rates) {
  if (plan.rows) return predict_rows(plan, options);
  if (plan.on_device) return predict_on_device(*plan.on_device, {arcs, options.statistics});
  const KernelKind kernel = kernel_of(plan);
  Prediction prediction =
      predict_on_host({plan.n, arcs, kernel, plan.shape, plan.threads, options.statistics},
                      host_rates(rates, kernel, plan.shape, plan.threads, plan.n));
  if (!plan.on_disk) return prediction;
  const double in_memory = prediction.solve;
  const auto on_disk = [&](const DiskRates& disk) {
    return predict_on_disk(*plan.on_disk, plan.n, size_of(plan.type), in_memory, disk);
  };
  const DiskRates disk = disk_rates(rates, options.output, plan.threads, on_disk({}));
  prediction.solve = on_disk(disk);
  prediction.seconds += prediction.solve - in_memory;
  prediction.rough = prediction.rough || disk.rough;
  return prediction;
}

}  // namespace

double output_bytes(const Plan& plan, const SolveOptions& options) {
  if (plan.stored == Keep::factor && plan.rows) {
    return static_cast<double>(plan.rows->source_bytes);
  }
  double a_pair = size_of(plan.type);
  for (const bool plane : {options.predecessors, plan.with_via, options.hops}) {
    if (plane) a_pair += sizeof(std::int32_t);
  }
  return pairs_of(plan) * a_pair;
}

std::int64_t disk_bytes(const Plan& plan, const SolveOptions& options) {
  if (options.output.empty()) return 0;
  constexpr double kMost = 0x1p62;
  return static_cast<std::int64_t>(std::min(output_bytes(plan, options), kMost));
}

Prediction predict(const Plan& plan, std::int64_t arcs, const SolveOptions& options,
                   const RateSource& rates) {
  Prediction prediction = predict_solve(plan, arcs, options, rates);
  if (!options.output.empty()) {
    const double bytes = output_bytes(plan, options);
    const StoreRates store =
        store_rates(rates, {options.output, options.compress, plan.threads, bytes});
    prediction.store = predict_store(bytes, store);
    prediction.seconds += prediction.store;
    prediction.rough = prediction.rough || store.rough;
    if (!store.measured.empty()) {
      prediction.measured = std::min(prediction.measured, store.measured);
    }
  }
  prediction.rough = prediction.rough || has_unknown_parts(plan, options);
  if (prediction.rough) prediction.measured.clear();
  return prediction;
}

}  // namespace apsp::planner
