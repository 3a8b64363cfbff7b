// multiply_add of every kernel, on one thread.
#include <algorithm>
#include <cstring>

#include "base/aligned_memory.hpp"
#include "base/control.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "program/benchmark_peaks.hpp"

namespace apsp::bench {
namespace {

using kernels::View;

constexpr std::int64_t kSide = 192;  // operands of it and twice as wide lie in a second-level cache
constexpr double kProductSeconds = 1e-3;  // short enough to fit between two interruptions
constexpr int kSamples = 60;
constexpr int kSamplesInMemory = 6;

struct OperandPlace {
  Operands operands;
  std::int64_t rows, cols;  // of C
  int samples;
};

/// A, B, C and packed operands of one product.
class ProductBench {
 public:
  ProductBench(const BenchmarkKernel& kernel, std::int64_t rows, std::int64_t cols)
      : operations_(kernels::cpu::operations(kernel.semiring, kernel.type, kernel.sign)),
        size_(operations_.value_size),
        c_memory_(rows * cols * size_),
        a_memory_(rows * kSide * size_),
        b_memory_(kSide * cols * size_),
        c_{c_memory_.data(), rows, cols, cols},
        a_{a_memory_.data(), rows, kSide, kSide},
        b_{b_memory_.data(), kSide, cols, cols} {
    // Bytes of 1: small paths in every type, and true.
    for (base::AlignedMemory* memory : {&c_memory_, &a_memory_, &b_memory_}) {
      std::memset(memory->data(), 1, static_cast<std::size_t>(memory->bytes()));
    }
  }

  void plain() const { operations_.multiply_add(c_, a_, b_); }

  /// Tile by tile, as Floyd-Warshall's outer update does. Requires: `pack`.
  void packed() const {
    for (std::int64_t row = 0; row < c_.rows; row += kSide) {
      for (std::int64_t col = 0; col < c_.cols; col += kSide) {
        const View tile = part(c_, size_, row, col, std::min(kSide, c_.rows - row),
                               std::min(kSide, c_.cols - col));
        operations_.packed.multiply_add(tile, left_.data() + row / kSide * left_bytes_,
                                        right_.data() + col / kSide * right_bytes_, kSide);
      }
    }
  }

  /// The whole of C at once. Requires: `pack`.
  void packed_whole() const {
    operations_.packed.multiply_add(c_, left_.data(), right_.data(), kSide);
  }

  void pack(std::int64_t rows, std::int64_t cols) {
    left_bytes_ = operations_.packed.left_bytes(rows, kSide);
    right_bytes_ = operations_.packed.right_bytes(cols, kSide);
    left_ = base::AlignedMemory((c_.rows + rows - 1) / rows * left_bytes_);
    right_ = base::AlignedMemory((c_.cols + cols - 1) / cols * right_bytes_);
    for (std::int64_t row = 0; row < c_.rows; row += rows) {
      operations_.packed.pack_left(part(a_, size_, row, 0, std::min(rows, c_.rows - row), kSide),
                                   false, left_.data() + row / rows * left_bytes_);
    }
    for (std::int64_t col = 0; col < c_.cols; col += cols) {
      operations_.packed.pack_right(part(b_, size_, 0, col, kSide, std::min(cols, c_.cols - col)),
                                    false, right_.data() + col / cols * right_bytes_);
    }
  }

 private:
  kernels::TileOperations operations_;
  int size_;
  base::AlignedMemory c_memory_, a_memory_, b_memory_, left_, right_;
  View c_, a_, b_;
  std::int64_t left_bytes_ = 0, right_bytes_ = 0;
};

ProductRow measure_product(const BenchmarkKernel& kernel, const OperandPlace& place, Peaks& peaks,
                           const Control& control) {
  ProductRow row{kernel, place.operands, place.rows, place.cols, kSide, {}, 0, 0};
  ProductBench product(kernel, place.rows, place.cols);
  if (place.operands == Operands::packed_in_cache) product.pack(place.rows, place.cols);
  if (place.operands == Operands::in_memory) product.pack(kSide, kSide);
  const auto once = [&] {
    if (place.operands == Operands::in_cache) return product.plain();
    place.operands == Operands::in_memory ? product.packed() : product.packed_whole();
  };
  int calls = 1;
  while (timed([&] {
           for (int i = 0; i < calls; ++i) once();
         }).seconds < kProductSeconds) {
    calls *= 2;
  }
  for (int i = 0; i < place.samples; ++i) {
    base::check_cancelled(control);
    row.peak = std::max(row.peak, peaks.sample(kernel));
    Sample sample = timed([&] {
      for (int call = 0; call < calls; ++call) once();
    });
    sample.seconds /= calls;
    sample.cpu_seconds /= calls;
    row.samples.push_back(sample);
  }
  return row;
}

}  // namespace

std::vector<ProductRow> measure_products(const BenchmarkOptions& options, Peaks& peaks,
                                         const std::function<void(double)>& advance) {
  using kernels::Sign;
  std::vector<OperandPlace> places = {{Operands::packed_in_cache, kSide, 2 * kSide, kSamples},
                                      {Operands::in_cache, kSide, 2 * kSide, kSamples}};
  if (options.extent != BenchmarkExtent::quick)
    places.push_back({Operands::in_memory, 4096, 4096, kSamplesInMemory});
  const std::vector<BenchmarkKernel> kernels = {
      {Semiring::min_plus, ValueType::f32, Sign::any},
      {Semiring::min_plus, ValueType::f32, Sign::non_negative},
      {Semiring::min_plus, ValueType::f64, Sign::any},
      {Semiring::min_plus, ValueType::f64, Sign::non_negative},
      {Semiring::min_plus, ValueType::i32, Sign::any},
      {Semiring::min_plus, ValueType::i32, Sign::non_negative},
      {Semiring::min_plus, ValueType::u16, Sign::non_negative}};
  std::vector<ProductRow> rows;
  for (const BenchmarkKernel& kernel : kernels) {
    for (const OperandPlace& place : places) {
      rows.push_back(measure_product(kernel, place, peaks, options.control));
      advance(1);
    }
  }
  return rows;
}

}  // namespace apsp::bench
