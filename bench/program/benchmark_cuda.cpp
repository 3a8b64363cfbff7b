#include "program/benchmark_cuda.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/machine.hpp"
#include "program/benchmark_cuda_parts.hpp"
#include "program/cuda_peak.hpp"

namespace apsp::bench {
namespace {

/// A matrix of f32, one of intermediate vertices, and their panels, over the matrix alone.
constexpr double kMatrices = 2.2;

double best_rate(const std::vector<CudaSolveRow>& rows) {
  double best = 0;
  for (const CudaSolveRow& row : rows) {
    if (row.kernel.type == kCudaMain.type && row.shape == places::Shape::full && !row.via) {
      best = std::max(best, rate(row));
    }
  }
  return best;
}

/// What this run measured, for the model of the streamed solve.
places::OffloadRates rates_of(const CudaBenchmarkReport& report) {
  const auto copies = [&](std::size_t which) { return report.copies[which].bytes_per_second; };
  return {best_rate(report.solves), copies(0), copies(1), copies(2)};
}

bool same(const BenchmarkKernel& a, const BenchmarkKernel& b) {
  return a.semiring == b.semiring && a.type == b.type && a.sign == b.sign;
}

void add_cuda_shares(CudaBenchmarkReport& report) {
  const auto peak_of = [&](const BenchmarkKernel& kernel) {
    for (const CudaPeakRow& peak : report.peaks) {
      if (same(peak.kernel, kernel)) return peak.relaxations_per_second;
    }
    return 0.0;
  };
  const auto share = [&](const auto& row) {
    const double peak = peak_of(row.kernel);
    return peak > 0 ? rate(row) / peak : 0;
  };
  for (CudaProductRow& row : report.products) row.share_of_peak = share(row);
  for (CudaSolveRow& row : report.solves) {
    row.share_of_peak = share(row);
    for (const CudaSolveRow& plain : report.solves) {
      const bool other =
          row.shape != places::Shape::full || row.via || !same(row.kernel, kCudaMain);
      if (!other || plain.n != row.n || plain.shape != places::Shape::full || plain.via ||
          !same(plain.kernel, kCudaMain) || row.seconds_solve.empty()) {
        continue;
      }
      row.against_plain = best(plain.seconds_solve) / best(row.seconds_solve);
    }
  }
}

bool all_correct(const CudaBenchmarkReport& report) {
  const auto correct = [](const auto& rows) {
    return std::all_of(rows.begin(), rows.end(),
                       [](const auto& row) { return row.verdict.correct; });
  };
  return correct(report.products) && correct(report.solves) && correct(report.copies) &&
         correct(report.offload);
}

void measure_all_cuda(CudaBenchmark& bench, const Control& control, CudaBenchmarkReport& report) {
  report.products = planned_cuda_products(bench);
  report.solves = planned_cuda_solves(bench);
  report.offload = planned_cuda_offload(bench);
  double total = 0;
  const auto add = [&](const auto& rows) {
    for (const auto& row : rows) total += work_of(row);
  };
  add(report.products);
  add(report.solves);
  add(report.offload);
  base::ProgressTask progress(control, "measuring", total, "relaxation");
  bench.advance = [&](double work) { progress.advance(work); };

  report.peaks = measure_cuda_peaks(bench);
  report.copies = measure_cuda_copies(bench);
  const auto measure_rows = [&](auto& rows) {
    for (auto& row : rows) {
      judged(row.verdict, [&] { measure(bench, row); });
      bench.advance(work_of(row));
    }
  };
  measure_rows(report.products);
  measure_rows(report.solves);
  measure_cuda_offload(bench, rates_of(report), report.offload);
}

/// The driver's device of this number.
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
          [ordinal](const BenchmarkKernel& kernel, std::int64_t memory) {
            return cuda::make_device(ordinal, kernel.semiring, kernel.type, kernel.sign, memory);
          },
          [ordinal](const BenchmarkKernel& kernel) {
            return cuda::peak_relaxations(ordinal, kernel.semiring, kernel.type, kernel.sign);
          },
          [ordinal] { return cuda::memory_rate(ordinal); }};
}

}  // namespace

planner::DevicePlan device_plan(const CudaBenchmark& bench, const BenchmarkKernel& kernel,
                                places::Shape shape, bool via, std::int64_t n,
                                const kernels::DeviceSizes& device, bool at_once) {
  const planner::DeviceProblem problem{
      .n = n, .kernel = {kernel.semiring, kernel.type, kernel.sign, via}, .tile = bench.sizes.tile};
  return {.device = bench.device.facts,
          .kernel = problem.kernel,
          .n = n,
          .shape = shape,
          .tile = planner::device_tile(problem, device, at_once),
          .open = {}};  // the caller has opened it
}

CudaBenchmarkSizes cuda_benchmark_sizes(const CudaBenchmarkOptions& options,
                                        std::int64_t device_memory) {
  const bool quick = options.extent == BenchmarkExtent::quick;
  const auto fits = [&](std::int64_t n) {
    return kMatrices * static_cast<double>(n) * static_cast<double>(n) * 4 <=
           static_cast<double>(device_memory);
  };
  CudaBenchmarkSizes sizes;
  sizes.product_side = quick ? 4096 : 16384;
  while (!fits(sizes.product_side) && sizes.product_side > 1024) sizes.product_side /= 2;
  sizes.product_depth = quick ? 1024 : 2048;
  sizes.vertices = options.vertices;
  for (std::int64_t n = 1024; options.vertices.empty() && n <= (quick ? 4096 : 32768); n *= 2) {
    if (fits(n)) sizes.vertices.push_back(n);
  }
  constexpr std::int64_t kPartOfMemory = 4;  // copies take two such blocks, one each way
  sizes.copy_bytes =
      std::min(std::int64_t{quick ? 256 : 1024} << 20, device_memory / kPartOfMemory);
  sizes.offload_vertices = options.extent == BenchmarkExtent::full ? 65536 : quick ? 4096 : 16384;
  while (!fits(sizes.offload_vertices) && sizes.offload_vertices > 1024) {
    sizes.offload_vertices /= 2;
  }
  return sizes;
}

CudaBenchmarkReport run_cuda_benchmark(const CudaBenchmarkOptions& options) {
  const DeviceUnderTest device = cuda_device(options.ordinal);
  return run_cuda_benchmark(options, device,
                            cuda_benchmark_sizes(options, device.facts.memory_free));
}

CudaBenchmarkReport run_cuda_benchmark(const CudaBenchmarkOptions& options,
                                       const DeviceUnderTest& device,
                                       const CudaBenchmarkSizes& sizes) {
  CudaBenchmarkReport report;
  report.device = device.facts;
  report.seed = options.seed;
  CudaBenchmark bench{device,
                      sizes,
                      base::thread_count(options.threads),
                      options.seed,
                      {nullptr, options.control.cancellation},
                      {}};
  report.seconds = timed([&] { measure_all_cuda(bench, options.control, report); }).seconds;
  add_cuda_shares(report);
  report.correct = all_correct(report);
  return report;
}

double best(const std::vector<double>& seconds) {
  return seconds.empty() ? 0 : *std::min_element(seconds.begin(), seconds.end());
}

double rate(const CudaProductRow& row) {
  if (row.seconds.empty()) return 0;
  return static_cast<double>(row.m) * static_cast<double>(row.n) * static_cast<double>(row.depth) /
         best(row.seconds);
}

double rate(const CudaSolveRow& row) {
  const auto side = static_cast<double>(row.n);
  return row.seconds_solve.empty() ? 0 : side * side * side / best(row.seconds_solve);
}

}  // namespace apsp::bench
