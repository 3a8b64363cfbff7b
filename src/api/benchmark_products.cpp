// multiply_add of every kernel, on one thread.
#include <algorithm>
#include <cstring>

#include "api/benchmark_peaks.hpp"
#include "base/aligned_memory.hpp"
#include "base/control.hpp"
#include "kernels/cpu/cpu_kernels.hpp"

namespace apsp::api {
namespace {

using kernels::Tile;

constexpr std::int64_t kSide = 192;  // three tiles of it lie in any second-level cache
constexpr double kSampleSeconds = 4e-3;

struct Place {
  Operands operands;
  std::int64_t side;  // of C
  int samples;
};

/// A, B, C and packed operands of one product.
class Product {
 public:
  Product(const BenchmarkKernel& kernel, std::int64_t side)
      : operations_(kernels::cpu::operations(kernel.semiring, kernel.type, kernel.sign)),
        size_(operations_.value_size),
        side_(side),
        c_memory_(side * side * size_),
        a_memory_(side * kSide * size_),
        b_memory_(side * kSide * size_),
        c_{c_memory_.data(), side, side, side},
        a_{a_memory_.data(), side, kSide, kSide},
        b_{b_memory_.data(), kSide, side, side} {
    // Bytes of 1: small paths in every type, and true.
    for (base::AlignedMemory* memory : {&c_memory_, &a_memory_, &b_memory_}) {
      std::memset(memory->data(), 1, static_cast<std::size_t>(memory->bytes()));
    }
  }

  void plain() const { operations_.multiply_add(c_, a_, b_); }

  /// Tile by tile, as Floyd-Warshall's outer update does. Requires: `pack`.
  void packed() const {
    for (std::int64_t row = 0; row < side_; row += kSide) {
      for (std::int64_t col = 0; col < side_; col += kSide) {
        const Tile tile =
            part(c_, size_, row, col, std::min(kSide, side_ - row), std::min(kSide, side_ - col));
        operations_.packed.multiply_add(tile, left_.data() + row / kSide * left_bytes_,
                                        right_.data() + col / kSide * right_bytes_, kSide);
      }
    }
  }

  void pack() {
    const std::int64_t tiles = (side_ + kSide - 1) / kSide;
    left_bytes_ = operations_.packed.left_bytes(kSide, kSide);
    right_bytes_ = operations_.packed.right_bytes(kSide, kSide);
    left_ = base::AlignedMemory(tiles * left_bytes_);
    right_ = base::AlignedMemory(tiles * right_bytes_);
    for (std::int64_t t = 0; t < tiles; ++t) {
      const std::int64_t extent = std::min(kSide, side_ - t * kSide);
      operations_.packed.pack_left(part(a_, size_, t * kSide, 0, extent, kSide), false,
                                   left_.data() + t * left_bytes_);
      operations_.packed.pack_right(part(b_, size_, 0, t * kSide, kSide, extent), false,
                                    right_.data() + t * right_bytes_);
    }
  }

 private:
  kernels::TileOperations operations_;
  int size_;
  std::int64_t side_;
  base::AlignedMemory c_memory_, a_memory_, b_memory_, left_, right_;
  Tile c_, a_, b_;
  std::int64_t left_bytes_ = 0, right_bytes_ = 0;
};

ProductRow measure(const BenchmarkKernel& kernel, const Place& place, Peaks& peaks,
                   const Control& control) {
  ProductRow row{kernel, place.operands, place.side, place.side, kSide, {}, 0};
  Product product(kernel, place.side);
  if (place.operands != Operands::in_cache) product.pack();
  const auto once = [&] {
    place.operands == Operands::in_cache ? product.plain() : product.packed();
  };
  int calls = 1;
  while (timed([&] {
           for (int i = 0; i < calls; ++i) once();
         }).seconds < kSampleSeconds) {
    calls *= 2;
  }
  for (int i = 0; i < place.samples; ++i) {
    base::check_cancelled(control);
    peaks.sample(kernel);
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
  std::vector<Place> places = {{Operands::packed_in_cache, kSide, 12},
                               {Operands::in_cache, kSide, 12}};
  if (options.extent != BenchmarkExtent::quick) places.push_back({Operands::in_memory, 4096, 4});
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
    for (const Place& place : places) {
      rows.push_back(measure(kernel, place, peaks, options.control));
      advance(1);
    }
  }
  return rows;
}

}  // namespace apsp::api
