#include "program/benchmark.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "base/control.hpp"
#include "base/machine.hpp"
#include "program/benchmark_peaks.hpp"
#include "program/benchmark_solves.hpp"

namespace apsp::bench {
namespace {

/// A product counts like this many relaxations of a solve: its share of the time, roughly.
constexpr double kWorkOfProduct = 5e9;
constexpr int kProducts = 21;
/// The size of the issue of memory: as large as fits many machines.
constexpr std::int64_t kLargeMatrix = 16384;

double load() {
  std::array<double, 1> loads{};
  return getloadavg(loads.data(), 1) == 1 ? loads[0] : 0;
}

double cube(std::int64_t n) {
  const auto side = static_cast<double>(n);
  return side * side * side;
}

void add_memory(const BenchmarkOptions& options, BenchmarkReport& report) {
  const SolveRow* largest = nullptr;
  for (const SolveRow& row : report.solves) {
    const bool larger = largest == nullptr || row.n > largest->n;
    if (row.shape == places::Shape::full && (larger || row.n == largest->n) &&
        row.threads == report.threads && row.kernel.type == ValueType::f32) {
      largest = &row;
    }
  }
  if (largest == nullptr) return;
  report.memory.push_back(measure_memory(options, *largest));
  if (largest->n < kLargeMatrix) {
    report.memory.push_back(planned_memory(largest->kernel, kLargeMatrix, report.threads));
  }
}

/// Shares of the peaks, once all samples are in.
void add_shares(BenchmarkReport& report, const Peaks& peaks) {
  for (ProductRow& row : report.products) row.share_of_peak = rate(row) / row.peak;
  for (SolveRow& row : report.solves) {
    row.share_of_peak = rate(row) / (row.peak * row.threads);
    row.cpu_share_of_peak = cube(row.n) / best_cpu_seconds(row.samples) / row.peak;
    report.correct = report.correct && row.correct;
  }
  report.peaks = peaks.rows();
}

void measure_all(const BenchmarkOptions& options, BenchmarkReport& report) {
  report.solves = planned_solves(options, report.threads);
  double total = kProducts * kWorkOfProduct;
  for (const SolveRow& row : report.solves) total += work_of(row);
  base::ProgressTask progress(options.control, "measuring", total, "relaxation");
  Peaks peaks(options.control);
  report.products = measure_products(
      options, peaks, [&](double products) { progress.advance(products * kWorkOfProduct); });
  measure_solves(options, peaks, report.solves, [&](double work) { progress.advance(work); });
  add_memory(options, report);
  add_shares(report, peaks);
}

}  // namespace

std::string name_of(const BenchmarkKernel& kernel) {
  const bool promised = kernel.sign == kernels::Sign::non_negative && kernel.type != ValueType::u16;
  return std::string(name(kernel.type)) + (promised ? " ≥ 0" : "");
}

std::string name_of(Operands operands) {
  if (operands == Operands::packed_in_cache) return "in cache, packed";
  return operands == Operands::in_cache ? "in cache" : "in memory, packed";
}

double best_seconds(const std::vector<Sample>& samples) {
  double best = samples.front().seconds;
  for (const Sample& sample : samples) best = std::min(best, sample.seconds);
  return best;
}

double best_cpu_seconds(const std::vector<Sample>& samples) {
  double best = samples.front().cpu_seconds;
  for (const Sample& sample : samples) best = std::min(best, sample.cpu_seconds);
  return best;
}

// On one thread the CPU's seconds are the clock's, less what other processes took.
double rate(const PeakRow& row) { return row.relaxations / best_cpu_seconds(row.samples); }

double rate(const ProductRow& row) {
  return static_cast<double>(row.m) * static_cast<double>(row.n) * static_cast<double>(row.depth) /
         best_cpu_seconds(row.samples);
}

double rate(const SolveRow& row) { return cube(row.n) / best_seconds(row.samples); }

BenchmarkReport run_benchmark(const BenchmarkOptions& options) {
  BenchmarkReport report;
  report.threads = base::thread_count(options.threads);
  report.seed = options.seed;
  report.load_before = load();
  const Sample all = timed([&] { measure_all(options, report); });
  report.seconds = all.seconds;
  report.load_after = load();
  return report;
}

}  // namespace apsp::bench
