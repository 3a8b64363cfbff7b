// `apsp bench`: the limits of this machine's instructions, and the share of them that the kernels
// and Floyd-Warshall reach, measured in one run on the CPU or on one GPU.
//
// A rate says little on a shared machine; a ratio of two rates taken in turns says much. On the CPU
// the peak of the instruction mix is sampled again between the samples of everything that is
// compared with it, and the best of the one is divided by the best of the other. Solves that are
// compared with each other take turns as well. On a GPU a sample begins before the first order and
// ends when the device has nothing left to do. Data are random, whole and fresh in each repetition;
// results are checked (random_graph.hpp).
//
// One relaxation is one ⊗ and one ⊕. Rates of Floyd-Warshall count n³ of them whatever was done: a
// symmetric matrix, which takes half the work, may exceed the peak.
#pragma once

#include <apsp/progress.hpp>
#include <apsp/semiring.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "dense/tiled_matrix.hpp"
#include "harness.hpp"
#include "kernels/cuda/cuda_device.hpp"
#include "planner/plan.hpp"
#include "program/random_graph.hpp"

namespace apsp::bench {

/// How much is measured: a few seconds, less than a minute, several minutes.
enum class BenchmarkExtent { quick, standard, full };

struct BenchmarkOptions {
  BenchmarkExtent extent = BenchmarkExtent::standard;
  std::vector<std::int64_t> vertices{};  ///< sizes of Floyd-Warshall; empty: by the extent
  /// Sides of tiles: only Floyd-Warshall is measured, with each of them and the one that a solve
  /// chooses (Sao 2021, §5.3.1). Empty: as a solve chooses.
  std::vector<std::int64_t> tiles{};
  int threads = 0;  ///< the most; 0: all
  std::uint64_t seed = 1;
  Control control{};
};

/// One kernel: values, and what is promised of them.
struct BenchmarkKernel {
  Semiring semiring = Semiring::min_plus;
  ValueType type = ValueType::f32;
  kernels::Sign sign = kernels::Sign::any;

  bool operator==(const BenchmarkKernel&) const = default;
};

inline constexpr BenchmarkKernel kMain{Semiring::min_plus, ValueType::f32,
                                       kernels::Sign::non_negative};
inline constexpr BenchmarkKernel kReach{Semiring::or_and, ValueType::boolean, kernels::Sign::any};

/// "f32", "f32 ≥ 0", "bool".
std::string name_of(const BenchmarkKernel& kernel);

struct PeakRow {
  BenchmarkKernel kernel;
  std::string mix;  ///< "add, min"
  double rate = 0;  ///< relaxations a second: of one core, by CPU seconds, or of the GPU
};

/// C ← C ⊕ A ⊗ B, C [m, n], A [m, depth], B [depth, n]: on one thread with packed operands, or on
/// the GPU from row-major operands, packing included.
struct ProductRow {
  BenchmarkKernel kernel;
  std::string configuration;  ///< "in cache", or what the GPU took; empty: it has one way
  std::int64_t m = 0, n = 0, depth = 0;
  std::vector<Sample> samples{};
  double peak = 0;  ///< relaxations a second; 0: none to compare with
  double share_of_peak = 0;
  Verdict verdict{};
};

/// One size and way of Floyd-Warshall; or-and goes through packed bits.
struct SolveRow {
  BenchmarkKernel kernel;
  dense::Shape shape = dense::Shape::full;
  bool via = false;  ///< with the intermediate vertices in a second matrix
  std::int64_t n = 0, tile = 0;
  bool chosen = false;  ///< with `BenchmarkOptions::tiles`: the side that a solve chooses
  int threads = 1, repetitions = 1;
  std::vector<Sample> samples{};
  double seconds_prepare = 0;         ///< GPU: claiming memory and pinning the host's
  std::vector<double> seconds_run{};  ///< GPU: from host to host, both copies included
  double peak = 0;                    ///< of one core or the GPU; 0: none
  double share_of_peak = 0;           ///< of threads × peak
  double cpu_share_of_peak = 0;       ///< the same by CPU seconds
  double against_plain = 0;           ///< seconds of the full f32 ≥ 0 matrix / seconds; 0: is it
  Verdict verdict{};
};

struct BenchmarkReport {
  std::optional<kernels::cuda::DeviceFacts> device{};  ///< empty: the CPU
  std::vector<PeakRow> peaks{};
  std::vector<ProductRow> products{};
  std::vector<SolveRow> solves{};
  int threads = 1;
  std::uint64_t seed = 1;
  double load_before = 0, load_after = 0;  ///< processes that wanted to run, in the last minute
  double seconds = 0;
  bool correct = true;  ///< of every row
};

/// Throws `Error`: interrupted, does_not_fit.
BenchmarkReport measure_host(const BenchmarkOptions& options);

/// The GPU to measure; a test puts a device without a GPU here.
struct DeviceUnderTest {
  kernels::cuda::DeviceFacts facts;
  std::function<std::unique_ptr<kernels::ComputeDevice>(const BenchmarkKernel&)> make;
  std::function<double(const BenchmarkKernel&)> peak;  ///< relaxations a second; 0: none
};
/// Throws `Error` (device): there is no such GPU.
DeviceUnderTest cuda_device(int ordinal);

struct DeviceExtent {
  std::int64_t product_side = 0, product_depth = 0;
  std::vector<std::int64_t> vertices{}, tiles{};
  int repetitions = 0;  ///< of a solve, at most; 0: by its size
};
/// The sizes that fit so much free memory.
DeviceExtent device_extent(const BenchmarkOptions& options, std::int64_t memory);

/// Throws `Error` (interrupted). Other failures are told in their rows.
BenchmarkReport measure_device(const BenchmarkOptions& options, const DeviceUnderTest& device,
                               const DeviceExtent& extent);

/// Relaxations a second of the best sample; 0 without samples. Products on one thread count CPU
/// seconds.
double rate(const ProductRow& row);
double rate(const SolveRow& row);
std::vector<double> seconds_of(const std::vector<Sample>& samples);
/// 0 without samples.
double best(const std::vector<double>& seconds);

/// The plan of `solve` for such a matrix on the host. `tile` 0: chosen.
planner::Plan host_plan(const BenchmarkKernel& kernel, dense::Shape shape, std::int64_t n,
                        int threads, bool via = false, std::int64_t tile = 0);

/// docs/schema.json, `bench`.
nlohmann::json to_json(const BenchmarkReport& report);

}  // namespace apsp::bench
