// The parts of `apsp bench`.
#pragma once

#include <vector>

#include "base/control.hpp"
#include "program/benchmark.hpp"

namespace apsp::bench {

/// The peaks of one core.
class Peaks {
 public:
  /// Takes the first samples of every instruction mix.
  explicit Peaks(const Control& control);
  ~Peaks();
  Peaks(const Peaks&) = delete;
  Peaks& operator=(const Peaks&) = delete;

  /// Takes one more sample of each mix that this kernel may use and returns the best of them,
  /// relaxations a CPU second.
  double sample(const BenchmarkKernel& kernel);
  std::vector<PeakRow> rows() const;

 private:
  struct Mix;
  std::vector<Mix> mixes_;
};

/// Rows without samples, in the order in which they are measured.
std::vector<ProductRow> planned_host_products(const BenchmarkOptions& options);
std::vector<SolveRow> planned_host_solves(const BenchmarkOptions& options, int threads);
std::vector<ProductRow> planned_device_products(const DeviceExtent& extent);
std::vector<SolveRow> planned_device_solves(const DeviceExtent& extent);

void measure_host_product(ProductRow& row, Peaks& peaks, const Control& control);
/// Rows of the same size and number of threads take turns. `advance`: told of relaxations done.
void measure_host_solves(const BenchmarkOptions& options, Peaks& peaks, std::vector<SolveRow>& rows,
                         const std::function<void(double)>& advance);

/// A device, and the cancellation of the whole, which shows its own progress.
struct DeviceBench {
  const DeviceUnderTest& device;
  int threads;  ///< of the host, which makes data and checks results
  std::uint64_t seed;
  Control control;
};
std::vector<PeakRow> device_peaks(const DeviceBench& bench);
void measure_device_product(const DeviceBench& bench, ProductRow& row);
void measure_device_solve(const DeviceBench& bench, SolveRow& row);

inline bool in_bits(const BenchmarkKernel& kernel) { return kernel.semiring == Semiring::or_and; }

}  // namespace apsp::bench
