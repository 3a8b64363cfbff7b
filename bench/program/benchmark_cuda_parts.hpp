// The parts of the benchmark of a device, and what they share.
#pragma once

#include <apsp/error.hpp>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "base/control.hpp"
#include "places/offload_plan.hpp"
#include "planner/device_plan.hpp"
#include "program/benchmark_cuda.hpp"
#include "program/benchmark_peaks.hpp"
#include "semiring/semirings.hpp"

namespace apsp::bench {

struct CudaBenchmark {
  const DeviceUnderTest& device;
  const CudaBenchmarkSizes& sizes;
  int threads;  // of the host
  std::uint64_t seed;
  Control control;                      // cancellation alone: the whole shows its own progress
  std::function<void(double)> advance;  // told of relaxations done
};

inline constexpr BenchmarkKernel kCudaMain{Semiring::min_plus, ValueType::f32,
                                           kernels::Sign::non_negative};
inline constexpr BenchmarkKernel kCudaBits{Semiring::or_and, ValueType::boolean,
                                           kernels::Sign::any};

inline bool in_bits(const BenchmarkKernel& kernel) { return kernel.semiring == Semiring::or_and; }
/// Bytes of a value: a word of 32 columns for or-and.
inline int value_size(const BenchmarkKernel& kernel) {
  return in_bits(kernel) ? 4 : size_of(kernel.type);
}
inline int columns_per_value(const BenchmarkKernel& kernel) { return in_bits(kernel) ? 32 : 1; }

/// Calls f.template operator()<S>() with S = MinPlus<float>, …: all sums that are measured.
template <class F>
void with_sums(ValueType type, F&& f) {
  switch (type) {
    case ValueType::f64:
      return f.template operator()<semiring::MinPlus<double>>();
    case ValueType::i32:
      return f.template operator()<semiring::MinPlus<std::int32_t>>();
    case ValueType::u16:
      return f.template operator()<semiring::MinPlus<std::uint16_t>>();
    default:
      return f.template operator()<semiring::MinPlus<float>>();
  }
}

/// A resident solve, of the tile that was asked for or that the planner chooses. `at_once`: a small
/// matrix may be one tile.
planner::DevicePlan device_plan(const CudaBenchmark& bench, const BenchmarkKernel& kernel,
                                places::Shape shape, bool via, std::int64_t n,
                                const kernels::DeviceSizes& device, bool at_once);

/// `wanted`, but for a bench of few.
inline int repetitions_of(const CudaBenchmark& bench, int wanted) {
  const int most = bench.sizes.repetitions;
  return most > 0 && most < wanted ? most : wanted;
}

/// Runs `measure`; an error other than an interruption becomes the verdict.
template <class F>
void judged(Verdict& verdict, F&& measure) {
  try {
    std::forward<F>(measure)();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) throw;
    verdict.correct = false;
    verdict.error = error.what();
  }
}

std::vector<CudaPeakRow> measure_cuda_peaks(const CudaBenchmark& bench);

/// Rows without samples, in the order in which they are measured.
std::vector<CudaProductRow> planned_cuda_products(const CudaBenchmark& bench);
std::vector<CudaSolveRow> planned_cuda_solves(const CudaBenchmark& bench);
std::vector<CudaOffloadRow> planned_cuda_offload(const CudaBenchmark& bench);
/// Relaxations of all repetitions.
double work_of(const CudaProductRow& row);
double work_of(const CudaSolveRow& row);
double work_of(const CudaOffloadRow& row);

void measure(const CudaBenchmark& bench, CudaProductRow& row);
void measure(const CudaBenchmark& bench, CudaSolveRow& row);
std::vector<CudaCopyRow> measure_cuda_copies(const CudaBenchmark& bench);
/// `rates`: for the plan's model.
void measure_cuda_offload(const CudaBenchmark& bench, const places::OffloadRates& rates,
                          std::vector<CudaOffloadRow>& rows);

}  // namespace apsp::bench
