#include "planner/dense_model.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "kernels/cpu/cpu_kernels.hpp"

namespace apsp::planner {

namespace {

/// Cautious: every machine of the last ten years is faster.
constexpr double kRelaxationsALane = 2e9;        // of one lane and thread, a second
constexpr double kBitRelaxationsALane = 5e9;     // the same of packed bits, a lane for each bit
constexpr double kViaCost = 2, kGuardsCost = 3;  // signed integers carry two guards
constexpr double kStartSeconds = 3e-3;           // to try out kernels
constexpr double kPageBytes = 2e9;               // first touched by all threads, a second
/// Vertices, for each thread, at which half of the full rate is reached.
constexpr double kHalfRateVertices = 120;

double vector_bytes() {
  const std::string set = kernels::cpu::instruction_set();
  if (set.starts_with("AVX3")) return 64;
  return set.starts_with("AVX2") ? 32 : 16;
}

double thread_rate(const KernelKind& kernel) {
  const double bytes = vector_bytes();
  if (kernel.in_bits()) return 8 * bytes * kBitRelaxationsALane;
  double rate = bytes / kernel.value_bytes() * kRelaxationsALane;
  if (kernel.tracks_via) rate /= kViaCost;
  const bool guarded = kernel.type == ValueType::i32 && kernel.sign == kernels::Sign::any;
  return guarded ? rate / kGuardsCost : rate;
}

HostRates assumed_host_rates(const KernelKind& kernel, dense::Shape shape, int threads) {
  const double team = std::max(1, threads);
  const double rate = thread_rate(kernel) * team;
  const double value = kernel.value_bytes() + (kernel.tracks_via ? 4 : 0);
  std::vector<CurvePoint> points;
  for (const double n : {256.0, 1024.0, 8192.0, 65536.0}) {
    const double work = n * n * n / rate / (shape == dense::Shape::symmetric ? 1.5 : 1);
    points.push_back({n, work * (1 + kHalfRateVertices * team / n) + n * n * value / kPageBytes});
  }
  return {RateCurve(std::move(points)), kStartSeconds, kAssumedPairs * team, kAssumedArcs * team,
          true};
}

/// Every byte is copied into the system's memory, then written.
StoreRates store_rates_by(const TransferRates& transfers) {
  const double seconds_a_byte =
      1 / transfers.copy_bytes_per_second + 1 / transfers.disk_write_bytes_per_second;
  return {.bytes = 1 / seconds_a_byte, .uncalibrated = false, .measured = transfers.measured};
}

struct DiskSeconds {
  double in, out;
};
DiskSeconds disk_seconds(std::int64_t n, int value_size, const TransferRates& rates) {
  const double bytes = static_cast<double>(n) * static_cast<double>(n) * value_size;
  return {bytes / rates.disk_read_bytes_per_second, bytes / rates.disk_write_bytes_per_second};
}

}  // namespace

HostRates host_rates(const RateSource& source, const KernelKind& kernel, dense::Shape shape,
                     int threads, std::int64_t n) {
  HostRates assumed = assumed_host_rates(kernel, shape, threads);
  if (!source.host) return assumed;
  const double guess = assumed.solve.seconds(static_cast<double>(n));
  return source.host({.kernel = kernel, .shape = shape, .threads = threads, .guess = guess})
      .value_or(std::move(assumed));
}

StoreRates store_rates(const RateSource& source, RateQuery output, double bytes) {
  output.guess = predict_store(bytes, StoreRates());
  if (source.store) {
    if (const auto known = source.store(output)) return *known;
  }
  if (output.compress || !source.transfers) return {};
  const auto transfers = source.transfers(output);
  return transfers ? store_rates_by(*transfers) : StoreRates();
}

Prediction predict_on_host(const MatrixWork& work, const HostRates& rates) {
  return predict_matrix(work, rates, rates.solve.seconds(static_cast<double>(work.n)));
}

double predict_store(double bytes, const StoreRates& rates) {
  return rates.start + (rates.bytes > 0 ? bytes / rates.bytes : 0);
}

double steps_on_disk(const dense::DiskPlan& plan, std::int64_t n, int value_size, double work,
                     const TransferRates& rates) {
  const std::int64_t count = plan.steps(n);
  const auto steps = static_cast<double>(count);
  const auto [in, out] = disk_seconds(n, value_size, rates);
  if (plan.stays) {
    const double of_pair = work / steps / steps;  // a block of rows and one of pivots
    double come = 0, worked = 0, left = 0;
    for (std::int64_t block = 1; block <= count; ++block) {
      come += in / steps;
      worked = std::max(worked, come) + static_cast<double>(block) * of_pair;
    }
    for (std::int64_t later = 0; later < count; ++later) {
      worked += static_cast<double>(later) * of_pair;
      left = std::max(worked, left) + out / steps;
    }
    return left;
  }
  const double of_panel = std::min(1.0, static_cast<double>(plan.width) / static_cast<double>(n));
  const double closing = work / steps * of_panel * of_panel;
  return steps * (std::max(work / steps - closing, in + out) + closing);
}

double predict_on_disk(const dense::DiskPlan& plan, std::int64_t n, int value_size, double work,
                       const TransferRates& rates) {
  const DiskSeconds all = disk_seconds(n, value_size, rates);
  return all.out + steps_on_disk(plan, n, value_size, work, rates) + all.in;
}

}  // namespace apsp::planner
