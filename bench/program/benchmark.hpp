// The substance of `apsp bench`: what this machine's instructions allow, and how near the kernels
// and Floyd-Warshall come to it, measured in one run.
//
// A rate means little on a shared machine; a ratio of two rates taken in turns means much. So the
// peak of the instruction mix is sampled again between the samples of whatever is compared with it,
// and the best of the one is divided by the best of the other: a slower clock, or other work, meets
// both. Solves that are compared with each other take turns as well.
//
// One relaxation is one ⊗ and one ⊕. Rates of Floyd-Warshall count n³ of them whatever was done: a
// symmetric matrix, which takes half the work, may exceed the peak.
#pragma once

#include <apsp/progress.hpp>
#include <apsp/semiring.hpp>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "kernels/contract.hpp"
#include "places/tiled_matrix.hpp"

namespace apsp::bench {

/// How much is measured: a few seconds, less than a minute, several minutes.
enum class BenchmarkExtent { quick, standard, full };

struct BenchmarkOptions {
  BenchmarkExtent extent = BenchmarkExtent::standard;
  std::vector<std::int64_t> vertices;  ///< sizes of Floyd-Warshall; empty: by the extent
  int threads = 0;                     ///< the most; 0: all
  std::uint64_t seed = 1;
  Control control;
};

/// One repetition.
struct Sample {
  double seconds = 0;
  double cpu_seconds = 0;  ///< of all threads together: steadier than the clock on a busy machine
};

/// One kernel: values, what is promised of them, and how a minimum of floats is taken.
struct BenchmarkKernel {
  Semiring semiring = Semiring::min_plus;
  ValueType type = ValueType::f32;
  kernels::Sign sign = kernels::Sign::any;
};

/// "f32", "f32 ≥ 0", "bool".
std::string name_of(const BenchmarkKernel& kernel);

struct PeakRow {
  BenchmarkKernel kernel;
  std::string mix;  ///< "add + min"
  bool by_bits = false;
  double relaxations = 0;  ///< a sample
  std::vector<Sample> samples;
};

enum class Operands { packed_in_cache, in_cache, in_memory };

/// C ← C ⊕ A ⊗ B on one thread. C [m, n], A [m, depth], B [depth, n].
struct ProductRow {
  BenchmarkKernel kernel;
  Operands operands = Operands::in_cache;
  std::int64_t m = 0, n = 0, depth = 0;
  std::vector<Sample> samples;
  double peak = 0;  ///< relaxations a second, the best of those taken between these samples
  double share_of_peak = 0;
};

/// One size, number of threads and way of Floyd-Warshall; or-and goes through packed bits.
struct SolveRow {
  BenchmarkKernel kernel;
  places::Shape shape = places::Shape::full;
  bool via = false;  ///< with the intermediate vertices in a second matrix
  std::int64_t n = 0;
  std::int64_t tile = 0;
  int threads = 1;
  int repetitions = 1;
  std::vector<Sample> samples;
  double peak = 0;               ///< of one core, relaxations a second, taken between these samples
  double share_of_peak = 0;      ///< of threads × one core's peak
  double cpu_share_of_peak = 0;  ///< the same by CPU seconds, as on a machine without other work
  double against_plain = 0;      ///< symmetric, via, or-and: seconds of full f32 / seconds; else 0
  std::int64_t rows_checked = 0;
  bool correct = false;
};

/// What Floyd-Warshall took besides the matrix.
struct MemoryRow {
  BenchmarkKernel kernel;
  std::int64_t n = 0;
  std::int64_t bytes_matrix = 0;
  std::int64_t bytes_panels = 0;    ///< as planned
  std::int64_t bytes_resident = 0;  ///< growth of the process at its peak; 0: not measured
};

struct BenchmarkReport {
  std::vector<PeakRow> peaks;
  std::vector<ProductRow> products;
  std::vector<SolveRow> solves;
  std::vector<MemoryRow> memory;
  int threads = 1;
  std::uint64_t seed = 1;
  double load_before = 0, load_after = 0;  ///< processes that wanted to run, in the last minute
  double seconds = 0;
  bool correct = true;  ///< of every solve
};

/// Throws `Error`: interrupted, does_not_fit.
BenchmarkReport run_benchmark(const BenchmarkOptions& options);

/// The shortest by the clock; the least CPU seconds of any.
double best_seconds(const std::vector<Sample>& samples);
double best_cpu_seconds(const std::vector<Sample>& samples);
double rate(const PeakRow& row);     ///< relaxations a CPU second
double rate(const ProductRow& row);  ///< relaxations a CPU second
double rate(const SolveRow& row);    ///< n³ a second by the clock
std::string name_of(Operands operands);

/// docs/schema.json, `bench`.
nlohmann::json to_json(const BenchmarkReport& report);

}  // namespace apsp::bench
