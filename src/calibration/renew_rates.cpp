#include "calibration/renew_rates.hpp"

#include "base/control.hpp"
#include "base/processors.hpp"
#include "calibration/measured_rates.hpp"

namespace apsp::calibration {

void renew_rates(int threads, const Control& control) {
  constexpr double kEach = 0.25;  // s
  RatePolicy policy = rate_policy(control.cancellation);
  policy.measuring = Measuring::always;
  policy.renew = true;
  policy.most_on_host = kEach;
  policy.most_sparse = kEach;
  const std::string folder = policy.folder;  // there once something is kept
  MeasuredRates measured(std::move(policy));
  const planner::RateSource source = measured.source();
  const int all = base::thread_count(threads);
  const ValueType types[] = {ValueType::u16, ValueType::i32, ValueType::f32};
  base::ProgressTask progress(control, "measuring", std::size(types), "type");
  for (const ValueType type : types) {
    const planner::KernelKind kind{Semiring::min_plus, type, kernels::Sign::non_negative};
    source.host(kind, places::Shape::full, all, 0);
    source.host(kind, places::Shape::symmetric, all, 0);
    source.elimination(kind, all, 0);
    source.search(kind, all, 0);
    source.breadth_first(kind, all, 0);
    progress.advance(1);
  }
  const planner::Devices devices = measured.find()();
  if (!devices.list.empty()) {
    source.link(planner::with_free_memory(devices, devices.list.front()), 0);
  }
  if (!folder.empty()) source.transfers(folder + "/rates.json", all, 0);
}

}  // namespace apsp::calibration
