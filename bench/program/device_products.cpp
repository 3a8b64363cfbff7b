// The peaks of a GPU, and the product C ← C ⊕ A ⊗ B from row-major operands in its memory.
#include <algorithm>
#include <atomic>

#include "program/benchmark_parts.hpp"
#include "system/aligned_memory.hpp"
#include "system/threads.hpp"

namespace apsp::bench {
namespace {

constexpr int kDeviceSamples = 5;
/// Entries of C that are compared: so many rows and columns.
constexpr std::int64_t kSideChecked = 64;

struct DeviceMix {
  BenchmarkKernel kernel;
  const char* words;  // instructions of two relaxations (relaxation.cuh)
};

constexpr DeviceMix kDeviceMixes[] = {
    {kMain, "2 add, integer min of three"},
    {{Semiring::min_plus, ValueType::f32, kernels::Sign::any}, "2 add, 2 min"},
    {{Semiring::min_plus, ValueType::i32, kernels::Sign::non_negative},
     "half multiply-add, half DPX"},
    {{Semiring::min_plus, ValueType::u16, kernels::Sign::non_negative},
     "the same on pairs of values"},
    {{Semiring::min_plus, ValueType::f64, kernels::Sign::any}, "add, compare, select"},
    {kReach, "unions looked up in tables"},
};

enum class Operand { c, a, b };

/// Whole numbers whose sums are exact; C has the size of the least sums.
template <class S>
typename S::Value value_of(Operand which, const BenchmarkKernel& kernel, std::uint32_t word) {
  using T = typename S::Value;
  const std::int64_t range = RandomGraph::greatest(kernel.type);
  const std::int64_t magnitude = static_cast<std::int64_t>(word) * range >> 32;
  const bool both_signs = kernel.sign == kernels::Sign::any;
  if (which == Operand::c) return static_cast<T>(magnitude / 16 - (both_signs ? range : 0));
  if (word % 16 == 0) return S::zero();
  return static_cast<T>(magnitude - (both_signs ? range / 2 : 0));
}

/// A matrix of the host and its copy on the device. or-and: words of 32 columns.
class OperandMatrix {
 public:
  OperandMatrix(kernels::ComputeDevice& device, const BenchmarkKernel& kernel, std::int64_t rows,
                std::int64_t cols)
      : device_(device),
        size_(in_bits(kernel) ? 4 : size_of(kernel.type)),
        memory_(rows * cols * size_),
        host{memory_.data(), rows, cols, cols},
        there{nullptr, rows, cols, device.tiles().stride(cols)} {
    there.data = device.allocate(rows * there.stride * size_);
  }

  void fill(const BenchmarkKernel& kernel, Operand which, std::uint64_t seed, int threads) {
    const RandomWords random(host.rows, host.cols, seed);
    const auto each = [&]<class T>(T* data, const auto& value) {
      system::parallel_for(host.rows, threads, [&](std::int64_t i) {
        for (std::int64_t j = 0; j < host.cols; ++j)
          data[i * host.stride + j] = value(random(i, j));
      });
    };
    if (in_bits(kernel)) {  // one bit of 32: of 2,048 pairs two meet
      each(static_cast<std::uint32_t*>(host.data), [](std::uint32_t word) {
        std::uint32_t all = word;
        for (int more = 0; more < 4; ++more) {
          word = RandomWords::mixed(word + 0x9E3779B9u);
          all &= word;
        }
        return all;
      });
      return;
    }
    with_sums(kernel.type, [&]<class S>() {
      each(static_cast<typename S::Value*>(host.data),
           [&](std::uint32_t word) { return value_of<S>(which, kernel, word); });
    });
  }

  void copy_in(kernels::QueueId queue) const { device_.copy_in(queue, there, host, size_); }
  /// Row i of the device's matrix → row `to` of `target`.
  void copy_row_out(kernels::QueueId queue, std::int64_t i, kernels::View target,
                    std::int64_t to) const {
    device_.copy_out(queue, part(target, size_, to, 0, 1, host.cols),
                     part(there, size_, i, 0, 1, host.cols), size_);
  }
  template <class T>
  T at(std::int64_t i, std::int64_t j) const {
    return static_cast<const T*>(host.data)[i * host.stride + j];
  }

 private:
  kernels::ComputeDevice& device_;
  int size_;
  system::AlignedMemory memory_;

 public:
  kernels::View host, there;
};

/// C, A and B before the product.
struct Operands {
  OperandMatrix c, a, b;

  bool same(const BenchmarkKernel& kernel, std::int64_t i, std::int64_t j,
            const void* found) const {
    if (in_bits(kernel)) {
      std::uint32_t expected = c.at<std::uint32_t>(i, j);
      for (std::int64_t k = 0; k < b.host.rows; ++k) {
        if ((a.at<std::uint32_t>(i, k / 32) >> k % 32 & 1) != 0) {
          expected |= b.at<std::uint32_t>(k, j);
        }
      }
      return expected == static_cast<const std::uint32_t*>(found)[j];
    }
    bool equal = false;
    with_sums(kernel.type, [&]<class S>() {
      using T = typename S::Value;
      T expected = c.at<T>(i, j);
      for (std::int64_t k = 0; k < a.host.cols; ++k) {
        expected = S::plus(expected, S::times(a.at<T>(i, k), b.at<T>(k, j)));
      }
      equal = expected == static_cast<const T*>(found)[j];
    });
    return equal;
  }
};

/// Rows of the result, spread over C, compared with a plain loop; columns are random.
Verdict check(const DeviceBench& bench, const BenchmarkKernel& kernel,
              kernels::ComputeDevice& device, kernels::QueueId queue, const Operands& operands) {
  const kernels::View c = operands.c.host;
  const std::int64_t rows = std::min(kSideChecked, c.rows),
                     columns = std::min(kSideChecked, c.cols);
  const std::int64_t size = in_bits(kernel) ? 4 : size_of(kernel.type);
  system::AlignedMemory memory(rows * c.cols * size);
  const kernels::View found{memory.data(), rows, c.cols, c.cols};
  const auto row_of = [&](std::int64_t r) { return (r * c.rows + c.rows / 2) / rows; };
  for (std::int64_t r = 0; r < rows; ++r) operands.c.copy_row_out(queue, row_of(r), found, r);
  device.synchronize(queue);
  std::atomic<bool> right{true};
  system::parallel_for(rows, bench.threads, 1, [&](std::int64_t r) {
    base::SplitMix64 random(bench.seed + static_cast<std::uint64_t>(r));
    for (std::int64_t e = 0; e < columns; ++e) {
      const auto j = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(c.cols)));
      if (!operands.same(kernel, row_of(r), j, memory.data() + r * c.cols * size)) right = false;
    }
  });
  return {right, rows * columns};
}

}  // namespace

std::vector<PeakRow> device_peaks(const DeviceBench& bench) {
  std::vector<PeakRow> rows;
  for (const DeviceMix& mix : kDeviceMixes) {
    base::check_cancelled(bench.control);
    const double peak = bench.device.peak(mix.kernel);
    if (peak > 0) rows.push_back({mix.kernel, mix.words, peak});
  }
  return rows;
}

std::vector<ProductRow> planned_device_products(const DeviceExtent& extent) {
  std::vector<ProductRow> rows;
  for (const DeviceMix& mix : kDeviceMixes) {
    rows.push_back(
        {mix.kernel, "", extent.product_side, extent.product_side, extent.product_depth});
  }
  return rows;
}

void measure_device_product(const DeviceBench& bench, ProductRow& row) {
  const auto device = bench.device.make(row.kernel);
  const kernels::QueueId queue = device->make_queue();
  const std::int64_t columns = in_bits(row.kernel) ? 32 : 1;  // of a value
  Operands operands{{*device, row.kernel, row.m, row.n / columns},
                    {*device, row.kernel, row.m, row.depth / columns},
                    {*device, row.kernel, row.depth, row.n / columns}};
  operands.c.fill(row.kernel, Operand::c, bench.seed, bench.threads);
  operands.a.fill(row.kernel, Operand::a, bench.seed + 1, bench.threads);
  operands.b.fill(row.kernel, Operand::b, bench.seed + 2, bench.threads);
  operands.a.copy_in(queue);
  operands.b.copy_in(queue);
  std::byte* const left = device->allocate(device->tiles().left_bytes(row.m, row.depth));
  std::byte* const right =
      device->allocate(device->tiles().right_bytes(row.n / columns, row.depth));
  const kernels::Update update{
      .c = operands.c.there, .left = left, .right = right, .depth = row.depth};
  row.configuration = device->tiles().configuration(update);
  // The first one loads the kernels and is not counted.
  for (int i = -1; i < kDeviceSamples; ++i) {
    base::check_cancelled(bench.control);
    operands.c.copy_in(queue);
    device->synchronize(queue);
    const double taken = seconds([&] {
      device->tiles().pack_left(queue, operands.a.there, false, left);
      device->tiles().pack_right(queue, operands.b.there, false, right);
      device->tiles().multiply_add(queue, update);
      device->synchronize(queue);
    });
    if (i >= 0) row.samples.push_back({taken, 0});
  }
  row.verdict = check(bench, row.kernel, *device, queue, operands);
}

}  // namespace apsp::bench
