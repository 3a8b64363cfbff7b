// A small matrix of integer weights, its solution by the
// textbook, and what a right answer with intermediate vertices must satisfy.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/random.hpp"
#include "dense/tiled_matrix.hpp"
#include "semiring/semirings.hpp"
#include "support/textbook.hpp"

namespace apsp {

/// Shortest paths of i32: weights 1 … 100, arcs with probability 1 : sparsity.
class SmallProblem {
 public:
  using S = semiring::MinPlus<std::int32_t>;
  static constexpr std::int64_t kMargin = 3;  // columns behind the matrix that must survive

  SmallProblem(std::int64_t n, std::int64_t tile, bool symmetric, std::uint64_t sparsity = 4)
      : n_(n), tile_(tile), weights_(size(), kGuard), via_(size(), kGuard) {
    base::SplitMix64 random(static_cast<std::uint64_t>(n));
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j < n; ++j) {
        const bool arc = random.below(sparsity) == 0;
        const auto weight = static_cast<std::int32_t>(1 + random.below(100));
        weights_[at(i, j)] = arc ? weight : S::zero();
        if (symmetric && j < i) weights_[at(i, j)] = weights_[at(j, i)];
        via_[at(i, j)] = kernels::kNoVia;
      }
      weights_[at(i, i)] = S::one();
    }
    values_ = weights_;
    solve();
  }

  std::int32_t& value(std::int64_t i, std::int64_t j) { return values_[at(i, j)]; }
  dense::TiledMatrix values() { return {{values_.data(), n_, n_, n_ + kMargin}, 4, tile_}; }
  dense::TiledMatrix via() { return {{via_.data(), n_, n_, n_ + kMargin}, 4, tile_}; }

  /// The values as steps with the first so many intermediate vertices leave them.
  void solve_before(std::int64_t pivots) {
    for (std::int64_t k = 0; k < pivots; ++k) {
      for (std::int64_t i = 0; i < n_; ++i) {
        for (std::int64_t j = 0; j < n_; ++j) {
          value(i, j) = S::plus(value(i, j), S::times(value(i, k), value(k, j)));
        }
      }
    }
  }

  void expect_solved() const { EXPECT_EQ(values_, solution_) << "n " << n_; }

  /// Weights are positive: an intermediate vertex that splits the distance exactly is on a best
  /// path, and following it ends.
  void expect_via() const {
    for (std::int64_t i = 0; i < n_; ++i) {
      for (std::int64_t j = 0; j < n_; ++j) {
        const std::int64_t k = via_[at(i, j)];
        const std::int32_t whole = solution_[at(i, j)];
        if (k == kernels::kNoVia) {
          ASSERT_EQ(weights_[at(i, j)], whole) << i << " to " << j;
          continue;
        }
        ASSERT_TRUE(k >= 0 && k < n_ && k != i && k != j) << i << " to " << j << " via " << k;
        ASSERT_EQ(solution_[at(i, k)] + solution_[at(k, j)], whole)
            << i << " to " << j << " via " << k;
      }
      for (std::int64_t j = n_; j < n_ + kMargin; ++j) ASSERT_EQ(via_[at(i, j)], kGuard);
    }
  }

 private:
  static constexpr std::int32_t kGuard = -99;
  std::size_t size() const { return static_cast<std::size_t>(n_ * (n_ + kMargin) + 1); }
  std::size_t at(std::int64_t i, std::int64_t j) const {
    return static_cast<std::size_t>(i * (n_ + kMargin) + j);
  }
  void solve() {
    solution_ = weights_;
    close_by_the_textbook<S>(n_, RowMajor<std::int32_t>{solution_.data(), n_ + kMargin});
  }

  std::int64_t n_, tile_;
  std::vector<std::int32_t> weights_, via_, values_, solution_;
};

}  // namespace apsp
