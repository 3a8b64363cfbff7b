// The peaks that everything else is a share of, and the stopwatch.
#pragma once

#include <chrono>
#include <ctime>
#include <functional>
#include <vector>

#include "program/benchmark.hpp"

namespace apsp::bench {

/// The clock's seconds and the process's CPU seconds that `work` takes.
template <class F>
Sample timed(F&& work) {
  const auto cpu = [] {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  };
  const double cpu_start = cpu();
  const auto start = std::chrono::steady_clock::now();
  work();
  const auto end = std::chrono::steady_clock::now();
  return {std::chrono::duration<double>(end - start).count(), cpu() - cpu_start};
}

class Peaks {
 public:
  /// Takes the first samples of every instruction mix.
  explicit Peaks(const Control& control);

  /// One more sample of each mix that this kernel may use; the best of them, relaxations a second.
  double sample(const BenchmarkKernel& kernel);
  const std::vector<PeakRow>& rows() const { return rows_; }

 private:
  static bool may_use(const BenchmarkKernel& kernel, const PeakRow& row);
  static double sample(PeakRow& row);

  std::vector<PeakRow> rows_;
};

/// multiply_add of every kernel, operands in cache and in memory.
std::vector<ProductRow> measure_products(const BenchmarkOptions& options, Peaks& peaks,
                                         const std::function<void(double)>& advance);

}  // namespace apsp::bench
