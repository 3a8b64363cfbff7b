// The substance of `apsp bench --device cuda`: what a GPU's instructions, memory and copies allow,
// and how near the product, Floyd-Warshall and the streamed solve come to it, measured in one run.
//
// Every result is checked in the same run (benchmark_cuda_problem.hpp), data are random and fresh
// each time, whole numbers, so that the checks are exact. The clock is the host's: a sample begins
// before its first order and ends when the device has nothing left to do. The best sample counts.
#pragma once

#include <apsp/progress.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "kernels/cuda/cuda_device.hpp"
#include "places/tiled_matrix.hpp"
#include "program/benchmark.hpp"

namespace apsp::bench {

struct CudaBenchmarkOptions {
  BenchmarkExtent extent = BenchmarkExtent::standard;
  std::vector<std::int64_t> vertices;  ///< sizes of Floyd-Warshall; empty: by the extent
  int ordinal = 0;
  int threads = 0;  ///< of the host, which makes data and checks results; 0: all
  std::uint64_t seed = 1;
  Control control;
};

/// Whether a result is right, and how much of it was looked at.
struct Verdict {
  bool correct = true;
  std::int64_t entries = 0;  ///< compared with what they must be
  std::string error{};       ///< why there is no result; empty: there is one
};

struct CudaPeakRow {
  BenchmarkKernel kernel;
  std::string mix;  ///< "add, integer min of three"
  double relaxations_per_second = 0;
};

/// C ← C ⊕ A ⊗ B from row-major operands in device memory: packing included.
struct CudaProductRow {
  BenchmarkKernel kernel;
  std::int64_t m = 0, n = 0, depth = 0;
  std::string configuration{};  ///< that the device took, in words; empty: it has one way
  std::vector<double> seconds{};
  double share_of_peak = 0;  ///< 0: there is no peak to compare with
  Verdict verdict{};
};

/// Floyd-Warshall with the matrix in device memory. or-and: in packed bits.
struct CudaSolveRow {
  BenchmarkKernel kernel;
  places::Shape shape = places::Shape::full;
  bool via = false;
  std::int64_t n = 0;
  std::int64_t tile = 0;
  int repetitions = 1;
  double seconds_prepare = 0;         ///< claiming memory, pinning the host's
  std::vector<double> seconds_solve;  ///< on the device alone
  std::vector<double> seconds_run;    ///< host to host: copies in and out included
  double share_of_peak = 0;           ///< n³ by the best solve
  double against_plain = 0;           ///< seconds of full f32 ≥ 0 / seconds, same size; 0: is it
  Verdict verdict;
};

struct CudaCopyRow {
  std::string direction;  ///< "host to device"
  std::int64_t bytes = 0;
  std::vector<double> seconds;  ///< empty: measured on the device, only the rate is known
  double bytes_per_second = 0;
  Verdict verdict;
};

/// One matrix, with less and less device memory. Host to host.
struct CudaOffloadRow {
  std::int64_t n = 0;
  std::int64_t bytes_matrix = 0;
  std::int64_t device_memory = 0;  ///< the cap, bytes; 0: none, the matrix resides
  std::int64_t width = 0, resident_rows = 0, buffers = 0, device_bytes = 0;  ///< the plan
  double seconds_predicted = 0;  ///< by the plan's model and this run's rates; 0: no plan
  int repetitions = 1;
  double seconds_prepare = 0;
  std::vector<double> seconds;
  double share_of_uncapped = 0;  ///< seconds without a cap / seconds
  std::uint64_t digest = 0;      ///< of the result; equal to that of the uncapped row
  Verdict verdict;
};

struct CudaBenchmarkReport {
  kernels::cuda::DeviceFacts device;
  std::vector<CudaPeakRow> peaks;
  std::vector<CudaProductRow> products;
  std::vector<CudaSolveRow> solves;
  std::vector<CudaCopyRow> copies;
  std::vector<CudaOffloadRow> offload;
  std::uint64_t seed = 1;
  double seconds = 0;
  bool correct = true;  ///< of every row
};

/// What is measured; a test puts a device without a GPU here.
struct DeviceUnderTest {
  kernels::cuda::DeviceFacts facts;
  /// `memory`: bytes that may be allocated; 0: all.
  std::function<std::unique_ptr<kernels::ComputeDevice>(const BenchmarkKernel&,
                                                        std::int64_t memory)>
      make;
  std::function<double(const BenchmarkKernel&)> peak;  // relaxations a second
  std::function<double()> memory_rate;                 // bytes a second, read and written
};

struct CudaBenchmarkSizes {
  std::int64_t product_side = 0, product_depth = 0;
  std::vector<std::int64_t> vertices;
  std::int64_t tile = 0;  // of Floyd-Warshall; 0: as the planner chooses
  std::int64_t copy_bytes = 0;
  std::int64_t offload_vertices = 0;
  int repetitions = 0;  // of a solve, at most; 0: by its size
};

/// What an extent means on a device of so much free memory.
CudaBenchmarkSizes cuda_benchmark_sizes(const CudaBenchmarkOptions& options,
                                        std::int64_t device_memory);

/// Throws `Error`: device (no such device), interrupted. What fails else is told in its row.
CudaBenchmarkReport run_cuda_benchmark(const CudaBenchmarkOptions& options);
CudaBenchmarkReport run_cuda_benchmark(const CudaBenchmarkOptions& options,
                                       const DeviceUnderTest& device,
                                       const CudaBenchmarkSizes& sizes);

/// 0 without samples.
double best(const std::vector<double>& seconds);
double rate(const CudaProductRow& row);  ///< relaxations a second; 0 without samples
double rate(const CudaSolveRow& row);    ///< n³ a second on the device; 0 without samples

/// docs/schema.json, `bench`.
nlohmann::json to_json(const CudaBenchmarkReport& report);

}  // namespace apsp::bench
