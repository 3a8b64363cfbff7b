// The peaks of one core, and multiply_add of every kernel against them, on one thread.
#include <algorithm>
#include <cstring>

#include "kernels/cpu/cpu_kernels.hpp"
#include "program/benchmark_parts.hpp"
#include "program/peak.hpp"
#include "system/aligned_memory.hpp"

namespace apsp::bench {

using kernels::Sign;
using kernels::View;

namespace {

struct HostMix {
  BenchmarkKernel kernel;
  const char* words;
  bool by_bits = false;  // the minimum of floats is taken as integers
};

constexpr BenchmarkKernel shortest(ValueType type, Sign sign) {
  return {Semiring::min_plus, type, sign};
}

constexpr HostMix kHostMixes[] = {
    {shortest(ValueType::f32, Sign::any), "add, min"},
    {shortest(ValueType::f32, Sign::non_negative), "add, integer min", true},
    {shortest(ValueType::f64, Sign::any), "add, min"},
    {shortest(ValueType::f64, Sign::non_negative), "add, integer min", true},
    {shortest(ValueType::i32, Sign::any), "add, two guards, min"},
    {shortest(ValueType::i32, Sign::non_negative), "add, min"},
    {shortest(ValueType::u16, Sign::non_negative), "add, min"},
    {kReach, "and, or on bits"}};

}  // namespace

struct Peaks::Mix : HostMix {
  std::int64_t repeats = 0;  // of a sample
  double best = 0;           // relaxations a CPU second

  kernels::cpu::PeakRun run() const {
    return kernels::cpu::peak_run(kernel.type, kernel.sign, by_bits);
  }
  double sample() {
    const kernels::cpu::PeakRun one = run();
    const double cpu = timed([&] { one.run(repeats); }).cpu_seconds;
    const double rate = one.relaxations * static_cast<double>(repeats) / cpu;
    best = std::max(best, rate);
    return rate;
  }
};

namespace {

constexpr double kSampleSeconds = 1e-3;  // short enough to fit between two interruptions
constexpr int kFirstSamples = 8;
constexpr std::int64_t kDepth = 192;  // operands of it and twice as wide fit a second-level cache

/// A, B, C and packed operands of one product: tile by tile, as Floyd-Warshall's outer update does.
class HostProduct {
 public:
  HostProduct(const ProductRow& row, std::int64_t tile_columns)
      : operations_(
            kernels::cpu::operations(row.kernel.semiring, row.kernel.type, row.kernel.sign)),
        tile_columns_(tile_columns),
        c_memory_(row.m * row.n * operations_.value_size),
        b_memory_(kDepth * row.n * operations_.value_size),
        c_{c_memory_.data(), row.m, row.n, row.n},
        left_bytes_(operations_.packed.left_bytes(kDepth, kDepth)),
        right_bytes_(operations_.packed.right_bytes(tile_columns, kDepth)),
        left_(row.m / kDepth * left_bytes_ + left_bytes_),
        right_(row.n / tile_columns * right_bytes_ + right_bytes_) {
    // Bytes of 1: small paths in every type, and true.
    for (system::AlignedMemory* memory : {&c_memory_, &b_memory_}) {
      std::memset(memory->data(), 1, static_cast<std::size_t>(memory->bytes()));
    }
    const View b{b_memory_.data(), kDepth, row.n, row.n};
    for (std::int64_t i = 0; i < row.m; i += kDepth) {
      const std::int64_t rows = std::min(kDepth, row.m - i);
      operations_.packed.pack_left(part(c_, size(), i, 0, rows, kDepth), false, left(i));
    }
    for (std::int64_t j = 0; j < row.n; j += tile_columns) {
      const std::int64_t columns = std::min(tile_columns, row.n - j);
      operations_.packed.pack_right(part(b, size(), 0, j, kDepth, columns), false, right(j));
    }
  }

  void run() {
    for (std::int64_t i = 0; i < c_.rows; i += kDepth) {
      for (std::int64_t j = 0; j < c_.cols; j += tile_columns_) {
        const View tile = part(c_, size(), i, j, std::min(kDepth, c_.rows - i),
                               std::min(tile_columns_, c_.cols - j));
        operations_.packed.multiply_add(tile, left(i), right(j), kDepth);
      }
    }
  }

 private:
  int size() const { return operations_.value_size; }
  std::byte* left(std::int64_t i) { return left_.data() + i / kDepth * left_bytes_; }
  std::byte* right(std::int64_t j) { return right_.data() + j / tile_columns_ * right_bytes_; }

  kernels::TileOperations operations_;
  std::int64_t tile_columns_;
  system::AlignedMemory c_memory_, b_memory_;
  View c_;
  std::int64_t left_bytes_, right_bytes_;
  system::AlignedMemory left_, right_;
};

}  // namespace

Peaks::Peaks(const Control& control) : mixes_(std::begin(kHostMixes), std::end(kHostMixes)) {
  for (Mix& mix : mixes_) {
    const kernels::cpu::PeakRun run = mix.run();
    mix.repeats = 256;
    while (seconds([&] { run.run(mix.repeats); }) < kSampleSeconds) mix.repeats *= 2;
  }
  for (int i = 0; i < kFirstSamples; ++i) {
    base::check_cancelled(control);
    for (Mix& mix : mixes_) mix.sample();
  }
}

Peaks::~Peaks() = default;

double Peaks::sample(const BenchmarkKernel& kernel) {
  const bool promised = kernel.sign == Sign::non_negative;
  double best = 0;
  for (Mix& mix : mixes_) {
    const bool allowed = promised || mix.kernel.sign == Sign::any || kernel.type == ValueType::u16;
    if (mix.kernel.type == kernel.type && allowed) best = std::max(best, mix.sample());
  }
  return best;
}

std::vector<PeakRow> Peaks::rows() const {
  std::vector<PeakRow> rows;
  for (const Mix& mix : mixes_) rows.push_back({mix.kernel, mix.words, mix.best});
  return rows;
}

std::vector<ProductRow> planned_host_products(const BenchmarkOptions& options) {
  std::vector<ProductRow> rows;
  for (const auto& [kernel, words, by_bits] : kHostMixes) {
    if (in_bits(kernel)) continue;
    rows.push_back({kernel, "in cache", kDepth, 2 * kDepth, kDepth});
    if (options.extent == BenchmarkExtent::quick) continue;
    rows.push_back({kernel, "in memory", 4096, 4096, kDepth});
  }
  return rows;
}

void measure_host_product(ProductRow& row, Peaks& peaks, const Control& control) {
  const bool in_cache = row.m == kDepth;
  HostProduct product(row, in_cache ? row.n : kDepth);
  int calls = 1;
  const auto repeat = [&] {
    for (int i = 0; i < calls; ++i) product.run();
  };
  while (seconds(repeat) < kSampleSeconds) calls *= 2;
  for (int i = in_cache ? 60 : 6; i > 0; --i) {
    base::check_cancelled(control);
    row.peak = std::max(row.peak, peaks.sample(row.kernel));
    const Sample sample = timed(repeat);
    row.samples.push_back({sample.seconds / calls, sample.cpu_seconds / calls});
  }
}

}  // namespace apsp::bench
