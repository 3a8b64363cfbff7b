#include "program/benchmark_peaks.hpp"

#include <algorithm>

#include "base/control.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "program/peak.hpp"

namespace apsp::bench {
namespace {

constexpr double kPeakSeconds = 1e-3;  // short enough to fit between two interruptions
constexpr int kFirstSamples = 8;

struct Mix {
  ValueType type;
  kernels::Sign sign;
  bool by_bits;
  const char* words;
};

constexpr Mix kMixes[] = {
    {ValueType::f32, kernels::Sign::any, false, "add, min"},
    {ValueType::f32, kernels::Sign::non_negative, true, "add, integer min"},
    {ValueType::f64, kernels::Sign::any, false, "add, min"},
    {ValueType::f64, kernels::Sign::non_negative, true, "add, integer min"},
    {ValueType::i32, kernels::Sign::any, false, "add, two guards, min"},
    {ValueType::i32, kernels::Sign::non_negative, false, "add, min"},
    {ValueType::u16, kernels::Sign::non_negative, false, "add, min"},
    {ValueType::boolean, kernels::Sign::any, false, "and, or on bits"},
};

}  // namespace

Peaks::Peaks(const Control& control) {
  for (const Mix& mix : kMixes) {
    PeakRow row;
    row.kernel = {mix.type == ValueType::boolean ? Semiring::or_and : Semiring::min_plus, mix.type,
                  mix.sign};
    row.mix = mix.words;
    row.by_bits = mix.by_bits;
    const kernels::cpu::PeakRun run = kernels::cpu::peak_run(mix.type, mix.sign, mix.by_bits);
    std::int64_t repeats = 256;
    const auto seconds = [&] { return timed([&] { run.run(repeats); }).seconds; };
    while (seconds() < kPeakSeconds) repeats *= 2;
    row.relaxations = run.relaxations * static_cast<double>(repeats);
    rows_.push_back(std::move(row));
  }
  for (int i = 0; i < kFirstSamples; ++i) {
    base::check_cancelled(control);
    for (PeakRow& row : rows_) sample(row);
  }
}

double Peaks::sample(PeakRow& row) {
  const kernels::cpu::PeakRun run =
      kernels::cpu::peak_run(row.kernel.type, row.kernel.sign, row.by_bits);
  const auto repeats = static_cast<std::int64_t>(row.relaxations / run.relaxations);
  row.samples.push_back(timed([&] { run.run(repeats); }));
  return row.relaxations / row.samples.back().cpu_seconds;
}

double Peaks::sample(const BenchmarkKernel& kernel) {
  double best = 0;
  for (PeakRow& row : rows_) {
    if (may_use(kernel, row)) best = std::max(best, sample(row));
  }
  return best;
}

bool Peaks::may_use(const BenchmarkKernel& kernel, const PeakRow& row) {
  const bool promised = kernel.sign == kernels::Sign::non_negative;
  return kernel.type == row.kernel.type &&
         (promised || row.kernel.sign == kernels::Sign::any || kernel.type == ValueType::u16);
}

}  // namespace apsp::bench
