#include "planner/host_model.hpp"

#include <algorithm>
#include <string>

#include "kernels/cpu/cpu_kernels.hpp"

namespace apsp::planner {
namespace {

/// Cautious: every machine of the last ten years does more than this.
constexpr double kRelaxationsALane = 2e9;        // of one lane and thread, a second
constexpr double kBitRelaxationsALane = 5e9;     // the same of packed bits, a lane a bit
constexpr double kViaCost = 2, kGuardsCost = 3;  // signed integers carry two guards
constexpr double kStartSeconds = 3e-3;           // to try kernels out
constexpr double kPageBytes = 2e9;               // first touched by all threads, a second
constexpr double kStoreBytes = 3e8, kStoreSeconds = 0.02;
/// Vertices, for each thread, at which half of the full rate is reached.
constexpr double kHalfRateVertices = 120;

std::int64_t vector_bytes() {
  const std::string set = kernels::cpu::instruction_set();
  if (set.starts_with("AVX3")) return 64;
  return set.starts_with("AVX2") ? 32 : 16;
}

double thread_rate(const KernelKind& kernel, std::int64_t vector_bytes) {
  const auto bytes = static_cast<double>(vector_bytes);
  if (kernel.in_bits()) return 8 * bytes * kBitRelaxationsALane;
  double rate = bytes / size_of(kernel.type) * kRelaxationsALane;
  if (kernel.tracks_via) rate /= kViaCost;
  const bool guarded = kernel.type == ValueType::i32 && kernel.sign == kernels::Sign::any;
  return guarded ? rate / kGuardsCost : rate;
}

double cost(const HostProblem& problem, const HostRates& rates) {
  const double arcs = rates.arcs > 0 ? static_cast<double>(problem.arcs) / rates.arcs : 0;
  return rates.solve.seconds(static_cast<double>(problem.n)) + arcs;
}

}  // namespace

HostRates assumed_host_rates(const KernelKind& kernel, places::Shape shape, int threads,
                             std::int64_t vector_bytes) {
  const double team = std::max(1, threads);
  const double rate = thread_rate(kernel, vector_bytes) * team;
  const double value = size_of(kernel.type) + (kernel.tracks_via ? 4 : 0);
  std::vector<CurvePoint> points;
  for (const double n : {256.0, 1024.0, 8192.0, 65536.0}) {
    const double work = n * n * n / rate / (shape == places::Shape::symmetric ? 1.5 : 1);
    points.push_back({n, work * (1 + kHalfRateVertices * team / n) + n * n * value / kPageBytes});
  }
  return {RateCurve(std::move(points)), kStartSeconds, kAssumedPairs * team, kAssumedArcs * team,
          true};
}

StoreRates assumed_store_rates() { return {kStoreSeconds, kStoreBytes, true}; }

StoreRates store_rates_by(const TransferRates& transfers) {
  const double seconds_a_byte =
      1 / transfers.copy_bytes_per_second + 1 / transfers.disk_write_bytes_per_second;
  return {kStoreSeconds, 1 / seconds_a_byte, false, transfers.measured};
}

HostRates host_rates(const RateSource& source, const KernelKind& kernel, places::Shape shape,
                     int threads, std::int64_t n) {
  HostRates assumed = assumed_host_rates(kernel, shape, threads, vector_bytes());
  if (!source.host) return assumed;
  const double guess = assumed.solve.seconds(static_cast<double>(n));
  return source.host(kernel, shape, threads, guess).value_or(std::move(assumed));
}

StoreRates store_rates(const RateSource& source, const StoreProblem& problem) {
  StoreRates assumed = assumed_store_rates();
  const double guess = predict_store(problem.bytes, assumed);
  if (source.store) {
    const auto known = source.store(problem.output, problem.compress, problem.threads, guess);
    if (known) return *known;
  }
  if (problem.compress || !source.transfers) return assumed;
  const auto transfers = source.transfers(problem.output, problem.threads, guess);
  return transfers ? store_rates_by(*transfers) : assumed;
}

Prediction predict_on_host(const HostProblem& problem, const HostRates& rates) {
  const auto n = static_cast<double>(problem.n);
  Prediction prediction;
  prediction.start = rates.start;
  prediction.solve = cost(problem, rates);
  if (problem.statistics && rates.statistics > 0) prediction.statistics = n * n / rates.statistics;
  prediction.seconds = prediction.start + prediction.solve + prediction.statistics;
  prediction.rough = rates.rough;
  prediction.measured = rates.measured;
  return prediction;
}

double predict_store(double bytes, const StoreRates& rates) {
  return rates.start + (rates.bytes > 0 ? bytes / rates.bytes : 0);
}

}  // namespace apsp::planner
