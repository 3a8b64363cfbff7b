#include "planner/device_row_costs.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/device.hpp"
#include "paths/device_predecessors.hpp"
#include "planner/device_model.hpp"

namespace apsp::planner {

DevicePlan begun_rows(const Problem& problem, std::int64_t n, const DeviceMeans& means,
                      const NamedDevice& there) {
  DevicePlan plan = DevicePlan::begun(problem.kernel(), n, means.memory, there);
  plan.link = means.link;
  plan.row_rates = means.rates.value_or(assumed_device_row_rates(plan.device));
  return plan;
}

PredecessorCosts predecessor_costs(const DevicePlan& plan, const RowUses& uses, std::int64_t arcs,
                                   std::int64_t sources, std::int64_t piece) {
  if (!uses.finds_predecessors) return {};
  using paths::DevicePredecessors;
  constexpr double kLooked = 8e10, kWritten = 2.5e11;  // arcs and pairs a second of an H200
  const ValueType type = plan.kernel.type;
  const auto rows = static_cast<double>(sources);
  const double seconds =
      rows * static_cast<double>(arcs) / kLooked + rows * static_cast<double>(plan.n) / kWritten;
  return {DevicePredecessors::device_bytes(plan.n, arcs, sources, type, piece),
          DevicePredecessors::host_bytes(plan.n, arcs, sources, type, piece),
          seconds / plan.row_rates.speed(&DeviceRowRates::swept) / plan.devices()};
}

void add_host_costs(std::int64_t sources, std::int64_t targets, std::int64_t pinned,
                    const statistics::CountMethod& counting, RowsOnDevices& on) {
  // Eight slices of a sum for each vertex on the device, as many here, and in the totals.
  const std::int64_t of_vertex = counting.binned ? 360 : 160;
  constexpr std::int64_t kPlaceCounted = 24;
  DevicePlan& plan = on.devices;
  RowCosts& costs = on.rows.costs;
  if (!on.rows.uses.gives_columns && !on.rows.uses.stays_on_device) {
    const double out = plan.link.out * plan.devices();
    const auto pairs = static_cast<double>(sources) * static_cast<double>(targets);
    const int size = plan.kernel.value_bytes() +
                     (on.rows.uses.finds_predecessors ? kernels::predecessor_size(plan.n) : 0);
    plan.seconds =
        std::max(plan.seconds, pairs * size / out) + static_cast<double>(pinned) / plan.link.pinned;
  }
  costs.columns_seconds = costs.rows_seconds = plan.seconds;
  costs.counted_swept = costs.counted_with_rows = 0;
  costs.measured = plan.row_rates.measured;
  // Counts of each device, which are added up.
  costs.columns_worker_bytes =
      plan.devices() * (plan.n * of_vertex + counting.bins() * kPlaceCounted);
  costs.block_bytes = 0;
}

statistics::CountMethod count_method(const Problem& problem) {
  const bool countable = problem.semiring == Semiring::min_plus &&
                         problem.sign == kernels::Sign::non_negative && problem.selection.all();
  if (!countable || problem.n == 0) return {};
  if (is_integer(problem.type) &&
      problem.distance_bound < static_cast<double>(kernels::kCountLimit - 1)) {
    statistics::CountMethod method(static_cast<std::int64_t>(std::ceil(problem.distance_bound)) +
                                   1);
    method.may_have_component = !problem.symmetric;
    return method;
  }
  // Sums of rounded values may exceed the bound of exact ones, or be less.
  constexpr double kRounding = 1 + 0x1p-10;
  const double least = problem.whole ? 1 : problem.least_distance / kRounding;
  // Each of up to n roundings lengthens a sum by one part in 2^24 (f32) or 2^53, at most.
  const double each = problem.type == ValueType::f32 ? 0x1p-23 : 0x1p-52;
  const double longer = std::max(kRounding, 1 + static_cast<double>(problem.n) * each);
  const double greatest = std::max(least, problem.distance_bound * longer);
  auto method = statistics::CountMethod::binned_between(problem.type, problem.n, problem.whole,
                                                        least, greatest)
                    .value_or(statistics::CountMethod());
  method.may_have_component = method.counts() && !problem.symmetric;
  return method;
}

}  // namespace apsp::planner
