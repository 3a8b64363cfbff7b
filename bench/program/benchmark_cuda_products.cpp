// The peaks of a device, and the product C ← C ⊕ A ⊗ B from row-major operands in its memory.
#include <algorithm>
#include <atomic>

#include "base/aligned_memory.hpp"
#include "program/benchmark_cuda_parts.hpp"
#include "program/benchmark_cuda_random.hpp"

namespace apsp::bench {
namespace {

using kernels::Sign;
using kernels::View;

constexpr int kCudaSamples = 5;
/// Entries of C that are looked at: so many rows and columns.
constexpr std::int64_t kCudaRowsChecked = 64, kColumnsChecked = 64;

struct CudaMix {
  BenchmarkKernel kernel;
  const char* words;  // instructions of two relaxations (relaxation.cuh)
};

constexpr CudaMix kCudaMixes[] = {
    {kCudaMain, "2 add, integer min of three"},
    {{Semiring::min_plus, ValueType::f32, Sign::any}, "2 add, 2 min"},
    {{Semiring::min_plus, ValueType::i32, Sign::non_negative}, "half multiply-add, half DPX"},
    {{Semiring::min_plus, ValueType::u16, Sign::non_negative}, "the same on pairs of values"},
    {{Semiring::min_plus, ValueType::f64, Sign::any}, "add, compare, select"},
    {kCudaBits, "unions looked up in tables"},
};

/// Which operand: whole numbers whose sums are exact, C of the size of the least sums.
enum class Which { c, a, b };

template <class S>
typename S::Value operand(Which which, const BenchmarkKernel& kernel, std::uint32_t word) {
  using T = typename S::Value;
  const int bits = kernel.type == ValueType::u16 ? 13 : 22;
  const auto magnitude = static_cast<std::int32_t>(word >> (32 - bits));
  const std::int32_t range = std::int32_t{1} << bits;
  const bool both_signs = kernel.sign == Sign::any;
  if (which == Which::c) {
    const std::int32_t least = magnitude / 16 - (both_signs ? range : 0);
    return static_cast<T>(least);
  }
  if (word % 16 == 0) return S::zero();
  return static_cast<T>(magnitude - (both_signs ? range / 2 : 0));
}

/// A matrix of the host and its copy on the device.
class Matrix {
 public:
  Matrix(kernels::ComputeDevice& device, int value_size, std::int64_t rows, std::int64_t cols)
      : device_(device),
        value_size_(value_size),
        memory_(rows * cols * value_size),
        host{memory_.data(), rows, cols, cols},
        there{nullptr, rows, cols, device.tiles().stride(cols)} {
    there.data = device.allocate(rows * there.stride * value_size);
  }

  void fill(const BenchmarkKernel& kernel, Which which, std::uint64_t seed, int threads) {
    const RandomWords random(host.rows, host.cols, seed);
    if (in_bits(kernel)) return fill_bits(random, threads);
    with_sums(kernel.type, [&]<class S>() {
      auto* const data = static_cast<typename S::Value*>(host.data);
#pragma omp parallel for schedule(static) num_threads(threads)
      for (std::int64_t i = 0; i < host.rows; ++i) {
        for (std::int64_t j = 0; j < host.cols; ++j) {
          data[i * host.stride + j] = operand<S>(which, kernel, random(i, j));
        }
      }
    });
  }

  void copy_in(kernels::QueueId queue) const { device_.copy_in(queue, there, host, value_size_); }
  /// Row i of the device's matrix → row `to` of `target`.
  void copy_row_out(kernels::QueueId queue, std::int64_t i, View target, std::int64_t to) const {
    device_.copy_out(queue, part(target, value_size_, to, 0, 1, host.cols),
                     part(there, value_size_, i, 0, 1, host.cols), value_size_);
  }

 private:
  /// One bit of 32: of 2,048 pairs two meet.
  void fill_bits(const RandomWords& random, int threads) {
    auto* const data = static_cast<std::uint32_t*>(host.data);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (std::int64_t i = 0; i < host.rows; ++i) {
      for (std::int64_t j = 0; j < host.cols; ++j) {
        std::uint32_t word = random(i, j), all = word;
        for (int more = 0; more < 4; ++more) {
          word = RandomWords::mixed(word + 0x9E3779B9u);
          all &= word;
        }
        data[i * host.stride + j] = all;
      }
    }
  }

  kernels::ComputeDevice& device_;
  int value_size_;
  base::AlignedMemory memory_;

 public:
  View host, there;
};

template <class S>
bool same_entry(View c, View a, View b, std::int64_t i, std::int64_t j, typename S::Value found) {
  using T = typename S::Value;
  const auto at = [](View matrix, std::int64_t row, std::int64_t col) {
    return static_cast<const T*>(matrix.data)[row * matrix.stride + col];
  };
  T expected = at(c, i, j);
  for (std::int64_t k = 0; k < a.cols; ++k) {
    expected = S::plus(expected, S::times(at(a, i, k), at(b, k, j)));
  }
  return found == expected;
}

bool same_word(View c, View a, View b, std::int64_t i, std::int64_t j, std::uint32_t found) {
  const auto at = [](View matrix, std::int64_t row, std::int64_t col) {
    return static_cast<const std::uint32_t*>(matrix.data)[row * matrix.stride + col];
  };
  std::uint32_t expected = at(c, i, j);
  for (std::int64_t k = 0; k < b.rows; ++k) {
    if ((at(a, i, k / 32) >> k % 32 & 1) != 0) expected |= at(b, k, j);
  }
  return found == expected;
}

/// Rows of the result, spread over C, against a plain loop; columns are random.
Verdict check(const CudaBenchmark& bench, const CudaProductRow& row, kernels::ComputeDevice& device,
              kernels::QueueId queue, const Matrix& c, const Matrix& a, const Matrix& b) {
  const std::int64_t rows = std::min(kCudaRowsChecked, c.host.rows);
  const std::int64_t columns = std::min(kColumnsChecked, c.host.cols);
  base::AlignedMemory memory(rows * c.host.cols * value_size(row.kernel));
  const View found{memory.data(), rows, c.host.cols, c.host.cols};
  const auto row_of = [&](std::int64_t r) { return (r * c.host.rows + c.host.rows / 2) / rows; };
  for (std::int64_t r = 0; r < rows; ++r) c.copy_row_out(queue, row_of(r), found, r);
  device.synchronize(queue);
  std::atomic<bool> right{true};
#pragma omp parallel for schedule(dynamic) num_threads(bench.threads)
  for (std::int64_t r = 0; r < rows; ++r) {
    base::SplitMix64 random(bench.seed + static_cast<std::uint64_t>(r));
    for (std::int64_t e = 0; e < columns; ++e) {
      const auto j =
          static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(c.host.cols)));
      const std::int64_t i = row_of(r), at = r * found.stride + j;
      bool same = false;
      if (in_bits(row.kernel)) {
        same = same_word(c.host, a.host, b.host, i, j, memory.as<std::uint32_t>()[at]);
      } else {
        with_sums(row.kernel.type, [&]<class S>() {
          same = same_entry<S>(c.host, a.host, b.host, i, j, memory.as<typename S::Value>()[at]);
        });
      }
      if (!same) right = false;
    }
  }
  return {right, rows * columns};
}

}  // namespace

std::vector<CudaPeakRow> measure_cuda_peaks(const CudaBenchmark& bench) {
  std::vector<CudaPeakRow> rows;
  for (const CudaMix& mix : kCudaMixes) {
    base::check_cancelled(bench.control);
    const double peak = bench.device.peak(mix.kernel);
    if (peak > 0) rows.push_back({mix.kernel, mix.words, peak});
  }
  return rows;
}

std::vector<CudaProductRow> planned_cuda_products(const CudaBenchmark& bench) {
  const std::int64_t side = bench.sizes.product_side;
  std::vector<CudaProductRow> rows;
  for (const CudaMix& mix : kCudaMixes) {
    rows.push_back(
        {.kernel = mix.kernel, .m = side, .n = side, .depth = bench.sizes.product_depth});
  }
  return rows;
}

double work_of(const CudaProductRow& row) {
  return (1 + kCudaSamples) * static_cast<double>(row.m) * static_cast<double>(row.n) *
         static_cast<double>(row.depth);
}

void measure(const CudaBenchmark& bench, CudaProductRow& row) {
  const auto device = bench.device.make(row.kernel, 0);
  const kernels::QueueId queue = device->make_queue();
  const int size = value_size(row.kernel), columns = columns_per_value(row.kernel);
  Matrix c(*device, size, row.m, row.n / columns);
  Matrix a(*device, size, row.m, row.depth / columns);
  Matrix b(*device, size, row.depth, row.n / columns);
  c.fill(row.kernel, Which::c, bench.seed, bench.threads);
  a.fill(row.kernel, Which::a, bench.seed + 1, bench.threads);
  b.fill(row.kernel, Which::b, bench.seed + 2, bench.threads);
  a.copy_in(queue);
  b.copy_in(queue);
  std::byte* const left = device->allocate(device->tiles().left_bytes(row.m, row.depth));
  std::byte* const right = device->allocate(device->tiles().right_bytes(b.host.cols, row.depth));
  const kernels::Update update{.c = c.there, .left = left, .right = right, .depth = row.depth};
  row.configuration = device->tiles().configuration(update);
  // The first one loads the kernels and is not counted.
  for (int i = -1; i < kCudaSamples; ++i) {
    base::check_cancelled(bench.control);
    c.copy_in(queue);
    device->synchronize(queue);
    const Sample sample = timed([&] {
      device->tiles().pack_left(queue, a.there, false, left);
      device->tiles().pack_right(queue, b.there, false, right);
      device->tiles().multiply_add(queue, update);
      device->synchronize(queue);
    });
    if (i >= 0) row.seconds.push_back(sample.seconds);
  }
  row.verdict = check(bench, row, *device, queue, c, a, b);
}

}  // namespace apsp::bench
