// A small matrix of reachability, 32 vertices a word, and its closure by the textbook.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.hpp"
#include "dense/tiled_matrix.hpp"

namespace apsp {

/// A loop at every vertex, and one random arc from each.
class BitProblem {
 public:
  /// `margin`: words behind each row that no solve may change.
  explicit BitProblem(std::int64_t n, std::int64_t margin = 0)
      : n_(n),
        words_((n + 31) / 32),
        stride_(words_ + margin),
        bits_(static_cast<std::size_t>(n * stride_), 0) {
    base::SplitMix64 random(static_cast<std::uint64_t>(n));
    for (std::int64_t i = 0; i < n; ++i) {
      for (const std::int64_t j :
           {i, static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(n)))}) {
        word(bits_, i, j) |= 1U << j % 32;
      }
    }
    closure_ = bits_;
    for (std::int64_t k = 0; k < n; ++k) {
      for (std::int64_t i = 0; i < n; ++i) {
        if ((word(closure_, i, k) >> k % 32 & 1) == 0) continue;
        for (std::int64_t j = 0; j < n; j += 32) word(closure_, i, j) |= word(closure_, k, j);
      }
    }
  }

  /// [n, words], in tiles of 128 vertices.
  dense::TiledMatrix values() { return {{bits_.data(), n_, words_, stride_}, 4, 128, 32}; }
  bool solved() const { return bits_ == closure_; }

 private:
  std::uint32_t& word(std::vector<std::uint32_t>& matrix, std::int64_t i, std::int64_t j) const {
    return matrix[static_cast<std::size_t>(i * stride_ + j / 32)];
  }

  std::int64_t n_, words_, stride_;
  std::vector<std::uint32_t> bits_, closure_;
};

}  // namespace apsp
