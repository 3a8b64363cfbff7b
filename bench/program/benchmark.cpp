#include "program/benchmark.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "planner/find_plan.hpp"
#include "program/benchmark_parts.hpp"
#include "program/cuda_peak.hpp"
#include "system/machine.hpp"

namespace apsp::bench {
namespace {

/// Relaxations of a solve that take about as long as one product of the CPU.
constexpr double kWorkOfProduct = 5e9;

double load() {
  std::array<double, 1> loads{};
  return getloadavg(loads.data(), 1) == 1 ? loads[0] : 0;
}

double relaxations_of(const ProductRow& row) {
  return static_cast<double>(row.m) * static_cast<double>(row.n) * static_cast<double>(row.depth);
}

double work_of(const SolveRow& row, int solves) { return solves * row.repetitions * cube(row.n); }

/// Whether a row is the full f32 ≥ 0 matrix that others are compared with.
bool plain(const SolveRow& row) {
  return row.kernel == kMain && row.shape == dense::Shape::full && !row.via;
}

/// Shares of the peaks, speed-ups and the verdict, when all samples are in.
void sum_up(BenchmarkReport& report) {
  for (ProductRow& row : report.products) {
    if (row.peak > 0) row.share_of_peak = rate(row) / row.peak;
    report.correct = report.correct && row.verdict.correct;
  }
  for (SolveRow& row : report.solves) {
    report.correct = report.correct && row.verdict.correct;
    if (row.samples.empty()) continue;
    const double peak = row.peak * row.threads, work = cube(row.n);
    if (peak > 0) row.share_of_peak = rate(row) / peak;
    double cpu = row.samples.front().cpu_seconds;
    for (const Sample& sample : row.samples) cpu = std::min(cpu, sample.cpu_seconds);
    if (row.peak > 0 && !report.device) row.cpu_share_of_peak = work / cpu / row.peak;
    for (const SolveRow& other : report.solves) {
      const bool same = other.n == row.n && other.threads == row.threads && !other.samples.empty();
      if (same && plain(other) && !plain(row)) row.against_plain = rate(row) / rate(other);
    }
  }
}

void measure_all_on_host(const BenchmarkOptions& options, BenchmarkReport& report) {
  report.solves = planned_host_solves(options, report.threads);
  if (options.tiles.empty()) report.products = planned_host_products(options);
  double total = kWorkOfProduct * static_cast<double>(report.products.size());
  for (const SolveRow& row : report.solves) total += work_of(row, 1);
  base::ProgressTask progress(options.control, "measuring", total, "relaxation");
  Peaks peaks(options.control);
  for (ProductRow& row : report.products) {
    measure_host_product(row, peaks, options.control);
    progress.advance(kWorkOfProduct);
  }
  measure_host_solves(options, peaks, report.solves, [&](double work) { progress.advance(work); });
  if (options.tiles.empty()) report.peaks = peaks.rows();
}

/// Runs `measure`; an error other than an interruption becomes the row's verdict.
template <class Row>
void judge(void (*measure)(const DeviceBench&, Row&), const DeviceBench& bench, Row& row) {
  try {
    measure(bench, row);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) throw;
    row.verdict.correct = false;
    row.verdict.error = error.what();
  }
}

void measure_all_on_device(const DeviceBench& bench, const DeviceExtent& extent,
                           const Control& control, BenchmarkReport& report) {
  report.solves = planned_device_solves(extent);
  if (extent.tiles.empty()) report.products = planned_device_products(extent);
  double total = 0;
  for (const ProductRow& row : report.products) total += relaxations_of(row);
  for (const SolveRow& row : report.solves) total += work_of(row, 2);
  base::ProgressTask progress(control, "measuring", total, "relaxation");
  report.peaks = device_peaks(bench);
  const auto set_peak = [&](auto& row) {
    for (const PeakRow& peak : report.peaks) {
      if (peak.kernel == row.kernel) row.peak = peak.rate;
    }
  };
  for (ProductRow& row : report.products) {
    judge(measure_device_product, bench, row);
    set_peak(row);
    progress.advance(relaxations_of(row));
  }
  for (SolveRow& row : report.solves) {
    judge(measure_device_solve, bench, row);
    set_peak(row);
    progress.advance(work_of(row, 2));
  }
}

}  // namespace

std::string name_of(const BenchmarkKernel& kernel) {
  const bool promised = kernel.sign == kernels::Sign::non_negative && kernel.type != ValueType::u16;
  return std::string(name(kernel.type)) + (promised ? " ≥ 0" : "");
}

double best(const std::vector<double>& seconds) {
  return seconds.empty() ? 0 : *std::min_element(seconds.begin(), seconds.end());
}

std::vector<double> seconds_of(const std::vector<Sample>& samples) {
  std::vector<double> seconds;
  for (const Sample& sample : samples) seconds.push_back(sample.seconds);
  return seconds;
}

double rate(const ProductRow& row) {
  if (row.samples.empty()) return 0;
  double least = std::numeric_limits<double>::infinity();
  // Samples of a GPU have no CPU seconds.
  for (const Sample& sample : row.samples) {
    least = std::min(least, sample.cpu_seconds > 0 ? sample.cpu_seconds : sample.seconds);
  }
  return relaxations_of(row) / least;
}

double rate(const SolveRow& row) {
  return row.samples.empty() ? 0 : cube(row.n) / best(seconds_of(row.samples));
}

planner::Plan host_plan(const BenchmarkKernel& kernel, dense::Shape shape, std::int64_t n,
                        int threads, bool via, std::int64_t tile) {
  return planner::plan_matrix({.n = n,
                               .kernel = {kernel.semiring, kernel.type, kernel.sign, via},
                               .shape = shape,
                               .tile = tile,
                               .threads = threads},
                              {Device::cpu}, {});
}

BenchmarkReport measure_host(const BenchmarkOptions& options) {
  BenchmarkReport report{.threads = system::thread_count(options.threads), .seed = options.seed};
  report.load_before = load();
  report.seconds = seconds([&] { measure_all_on_host(options, report); });
  report.load_after = load();
  sum_up(report);
  return report;
}

DeviceUnderTest cuda_device(int ordinal) {
  namespace cuda = kernels::cuda;
  const std::vector<cuda::DeviceFacts> devices = cuda::devices();
  const auto found = std::find_if(devices.begin(), devices.end(),
                                  [&](const auto& facts) { return facts.ordinal == ordinal; });
  if (found == devices.end()) {
    const std::string why = devices.empty() ? cuda::why_no_device()
                                            : fmt::format("device cuda:{} does not exist", ordinal);
    throw Error(ErrorKind::device, why + "; `apsp bench` without --device measures the CPU");
  }
  cuda::DeviceFacts facts = *found;
  facts.memory_free = cuda::memory_free(ordinal);
  return {facts,
          [ordinal](const BenchmarkKernel& kernel) {
            return cuda::make_device(ordinal, kernel.semiring, kernel.type, kernel.sign, 0);
          },
          [ordinal](const BenchmarkKernel& kernel) {
            return cuda::peak_relaxations(ordinal, kernel.semiring, kernel.type, kernel.sign);
          }};
}

DeviceExtent device_extent(const BenchmarkOptions& options, std::int64_t memory) {
  const bool quick = options.extent == BenchmarkExtent::quick;
  // Memory of a matrix of f32, one of intermediate vertices and their panels, in matrices.
  constexpr double kMatrices = 2.2;
  const auto fits = [&](std::int64_t n) {
    return kMatrices * static_cast<double>(n) * static_cast<double>(n) * 4 <=
           static_cast<double>(memory);
  };
  DeviceExtent extent{.product_side = quick ? 4096 : 16384,
                      .product_depth = quick ? 1024 : 2048,
                      .vertices = options.vertices,
                      .tiles = options.tiles};
  while (!fits(extent.product_side) && extent.product_side > 1024) extent.product_side /= 2;
  for (std::int64_t n = 1024; options.vertices.empty() && n <= (quick ? 4096 : 32768); n *= 2) {
    if (fits(n)) extent.vertices.push_back(n);
  }
  return extent;
}

BenchmarkReport measure_device(const BenchmarkOptions& options, const DeviceUnderTest& device,
                               const DeviceExtent& extent) {
  BenchmarkReport report{.device = device.facts,
                         .threads = system::thread_count(options.threads),
                         .seed = options.seed};
  const DeviceBench bench{
      device, report.threads, options.seed, {nullptr, options.control.cancellation}};
  report.seconds = seconds([&] { measure_all_on_device(bench, extent, options.control, report); });
  sum_up(report);
  return report;
}

}  // namespace apsp::bench
