// A dense random matrix that nobody stores: an entry depends only on the seed, its row and its
// column, so every process of a grid makes its own part, whatever the grid.
//
// Weights are whole numbers, of which sums are exact in every value type. Between two vertices of
// thousands a path of several arcs is nearly always shorter than the arc, so a solve that leaves
// out work is seen.
#pragma once

#include <apsp/semiring.hpp>
#include <cstdint>

#include "base/random.hpp"

namespace apsp::bench {

class RandomMatrix {
 public:
  RandomMatrix(std::int64_t n, ValueType type, std::uint64_t seed)
      : n_(n), greatest_(greatest(type)), seed_(seed * 0x632BE59BD9B4E019u) {}

  std::int64_t n() const { return n_; }
  /// The greatest weight: two of them are a value of the type.
  static std::uint64_t greatest(ValueType type) {
    return type == ValueType::u16 ? 20'000 : std::uint64_t{1} << 20;
  }
  /// From 1 to the greatest; 0 on the diagonal.
  std::int64_t weight(std::int64_t row, std::int64_t col) const {
    if (row == col) return 0;
    base::SplitMix64 random(seed_ + static_cast<std::uint64_t>(row * n_ + col));
    return static_cast<std::int64_t>(1 + random.below(greatest_));
  }
  /// values ← `count` entries of a row, from column `col` on.
  template <class T>
  void fill(std::int64_t row, std::int64_t col, std::int64_t count, T* values) const {
    for (std::int64_t j = 0; j < count; ++j) values[j] = static_cast<T>(weight(row, col + j));
  }

 private:
  std::int64_t n_;
  std::uint64_t greatest_, seed_;
};

}  // namespace apsp::bench
