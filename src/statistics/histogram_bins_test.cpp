#include "statistics/histogram_bins.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "base/random.hpp"

namespace apsp::statistics {
namespace {

TEST(HistogramBins, EverySmallIntegerHasItsOwn) {
  const HistogramBins cells(true, 1e6);
  for (const int value : {-1'000'000, -32768, -1, 0, 1, 2, 32767, 999'999, 1'000'000}) {
    const std::int64_t cell = cells.of_integer(value);
    EXPECT_EQ(cells.of(value), cell);
    EXPECT_TRUE(cells.exact(cell)) << value;
    EXPECT_EQ(cells.low(cell), value);
    EXPECT_EQ(cells.of_integer(value - 1), cell - 1);
  }
}

TEST(HistogramBins, IntegersBeyondTheLimitAreCoarseAndInOrder) {
  const HistogramBins cells(true, 1e9);
  const int limit = static_cast<int>(HistogramBins::kGreatestLimit);
  EXPECT_TRUE(cells.exact(cells.of_integer(limit - 1)));
  EXPECT_TRUE(cells.exact(cells.of_integer(-limit)));
  EXPECT_FALSE(cells.exact(cells.of_integer(limit)));
  EXPECT_FALSE(cells.exact(cells.of_integer(-limit - 1)));
  EXPECT_LT(cells.of_integer(limit - 1), cells.of_integer(limit));
  EXPECT_LT(cells.of_integer(-limit - 1), cells.of_integer(-limit));
  EXPECT_LT(cells.of_integer(1 << 30), cells.no_path());
  EXPECT_EQ(cells.low(cells.of_integer(limit)), limit);
  EXPECT_EQ(cells.high(cells.of_integer(-limit - 1)), -limit);
}

TEST(HistogramBins, RealsLieWithinTheirCell) {
  const HistogramBins cells(false, 0);
  base::SplitMix64 random(7);
  for (int i = 0; i < 100000; ++i) {
    const double magnitude =
        std::ldexp(1 + random.uniform(), static_cast<int>(random.below(250)) - 125);
    for (const double value : {magnitude, -magnitude, std::ldexp(1, i % 200 - 100)}) {
      const std::int64_t cell = cells.of(value);
      ASSERT_LE(cells.low(cell), value);
      ASSERT_GT(cells.high(cell), value);
      const double half = (cells.high(cell) - cells.low(cell)) / 2;
      ASSERT_LE(half, 0x1p-12 * std::abs(value) * (1 + 0x1p-10));
      ASSERT_EQ(cells.of(cells.low(cell)), cell) << value;
    }
  }
}

TEST(HistogramBins, AFloatHasTheCellOfTheSameDouble) {
  const HistogramBins reals(false, 0), integers(true, 1e6);
  base::SplitMix64 random(11);
  for (int i = 0; i < 1'000'000; ++i) {
    const auto value = std::bit_cast<float>(
        static_cast<std::uint32_t>(random.below(1u << 31) * 2 + random.below(2)));
    if (!std::isfinite(value)) continue;
    ASSERT_EQ(reals.of_coarse(value), reals.of_coarse(static_cast<double>(value))) << value;
    ASSERT_EQ(integers.of_coarse(value), integers.of_coarse(static_cast<double>(value))) << value;
  }
  constexpr float kLeastNormal = std::numeric_limits<float>::min();
  for (const float value : {0.0f, -0.0f, std::numeric_limits<float>::denorm_min(), kLeastNormal,
                            std::nextafter(kLeastNormal, 0.0f), std::nextafter(kLeastNormal, 1.0f),
                            std::numeric_limits<float>::max(), -kLeastNormal, 1.0f, -1.0f}) {
    EXPECT_EQ(reals.of_coarse(value), reals.of_coarse(static_cast<double>(value))) << value;
  }
}

TEST(HistogramBins, RealsKeepTheirOrderAcrossZero) {
  const HistogramBins cells(false, 0);
  const double inf = std::numeric_limits<double>::infinity();
  const double values[] = {-inf, -1e300, -1e38, -2, -1.5, -1e-30, -1e-45,
                           0,    1e-30,  1.5,   2,  1e38, 1e300,  inf};
  for (std::size_t i = 1; i < std::size(values); ++i) {
    EXPECT_LE(cells.of(values[i - 1]), cells.of(values[i]));
    EXPECT_GE(cells.of(values[i]), 0);
    EXPECT_LT(cells.of(values[i]), cells.no_path());
  }
  EXPECT_EQ(cells.of(-0.0), cells.of(0.0));
  EXPECT_EQ(cells.of(1e-300), cells.of(0.0));
  EXPECT_EQ(cells.of(HistogramBins::kSmallest), cells.of(0.0) + 1);
  EXPECT_EQ(cells.high(cells.of(1e300)), inf);
  EXPECT_EQ(cells.low(cells.of(-1e300)), -inf);
}

TEST(HistogramBins, EdgesCutNoCell) {
  const HistogramBins reals(false, 0);
  for (int i = -100; i <= 100; ++i) {
    const double value = 0.37 * i;
    const double edge = reals.nearest_edge(value);
    EXPECT_NEAR(edge, value, 0x1p-12 * std::abs(value) * 1.01) << value;
    EXPECT_EQ(reals.low(reals.of(edge)), edge);
  }
  EXPECT_EQ(HistogramBins(true, 1e9).nearest_edge(99999.4), 99999);
}

}  // namespace
}  // namespace apsp::statistics
