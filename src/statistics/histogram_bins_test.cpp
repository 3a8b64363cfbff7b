#include "statistics/histogram_bins.hpp"

#include <bit>

#include "base/random.hpp"
#include "support/test.hpp"

namespace apsp::statistics::histogram_bins_test {
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

Distribution distribution_of(const HistogramBins& cells, const std::vector<double>& values) {
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  Distribution result{cells, cells.of(*least), {}, *least, *greatest};
  result.counts.resize(static_cast<std::size_t>(cells.of(*greatest) - result.first + 1));
  for (const double value : values) {
    ++result.counts[static_cast<std::size_t>(cells.of(value) - result.first)];
  }
  return result;
}

double lower_median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[(values.size() - 1) / 2];
}

/// Every bar holds what lies between its ends; together they hold all.
void expect_true_bars(const std::vector<HistogramBin>& bars, const std::vector<double>& values) {
  ASSERT_FALSE(bars.empty());
  ASSERT_LE(bars.size(), 20u);
  for (std::size_t i = 0; i < bars.size(); ++i) {
    const bool last = i + 1 == bars.size();
    const auto inside = std::count_if(values.begin(), values.end(), [&](double value) {
      return value >= bars[i].low && (last ? value <= bars[i].high : value < bars[i].high);
    });
    EXPECT_EQ(bars[i].pairs, inside) << bars[i].low << " to " << bars[i].high;
    if (!last) {
      EXPECT_EQ(bars[i].high, bars[i + 1].low);
    }
  }
  EXPECT_LE(bars.front().low, *std::min_element(values.begin(), values.end()));
  EXPECT_GE(bars.back().high, *std::max_element(values.begin(), values.end()));
}

TEST(Distribution, SmallIntegersAreExactWithOneBarAValue) {
  const HistogramBins cells(true, 100);
  const std::vector<double> values = {3, 1, 4, 1, 5, 9, 2, 6};
  const Distribution distribution = distribution_of(cells, values);
  EXPECT_EQ(quantile(distribution, 0.5).value, 3);
  EXPECT_EQ(quantile(distribution, 0.5).error, 0);
  const auto bars = histogram(distribution);
  ASSERT_EQ(bars.size(), 9u);
  EXPECT_EQ(bars[0].low, 1);
  EXPECT_EQ(bars[0].pairs, 2);
  EXPECT_EQ(bars[6].pairs, 0);
  EXPECT_EQ(bars[8].low, 9);
  EXPECT_EQ(bars[8].high, 10);
  expect_true_bars(bars, values);
}

TEST(Distribution, WideIntegersGetRoundEnds) {
  const HistogramBins cells(true, 1e6);
  const auto bars = histogram(distribution_of(cells, {-37, 0, 5, 200, 861}));
  EXPECT_EQ(bars.front().low, -50);
  EXPECT_EQ(bars[1].low, 0);
  expect_true_bars(bars, {-37, 0, 5, 200, 861});
  expect_true_bars(histogram(distribution_of(cells, {0, 20})), {0, 20});
  expect_true_bars(histogram(distribution_of(cells, {0, 19})), {0, 19});
}

TEST(Distribution, OneValue) {
  for (const bool integral : {true, false}) {
    const HistogramBins cells(integral, 100);
    const Distribution distribution = distribution_of(cells, {7, 7, 7});
    EXPECT_EQ(quantile(distribution, 0.5).value, 7);
    EXPECT_EQ(quantile(distribution, 0.5).error, 0);
    const auto bars = histogram(distribution);
    ASSERT_EQ(bars.size(), 1u);
    EXPECT_EQ(bars[0].pairs, 3);
  }
  const HistogramBins reals(false, 0);
  EXPECT_EQ(quantile(distribution_of(reals, {0, 0, 0, 0.5}), 0.5).value, 0);
}

TEST(Distribution, RealsAndLargeIntegersAreWithinTheirError) {
  base::SplitMix64 random(3);
  for (const double scale : {1e-3, 1.0, 1e7, 4e8}) {
    for (const bool negative : {false, true}) {
      for (const bool integral : {false, true}) {
        const HistogramBins cells(integral, 1e9);
        std::vector<double> values;
        for (int i = 0; i < 1001; ++i) {
          const double value = (random.uniform() - (negative ? 0.6 : 0)) * scale;
          values.push_back(integral ? std::round(value) : value);
        }
        const Distribution distribution = distribution_of(cells, values);
        const Quantile found = quantile(distribution, 0.5);
        const double truth = lower_median(values);
        EXPECT_LE(found.error, 0x1p-12);
        EXPECT_LE(std::abs(found.value - truth), found.error * std::abs(truth));
        expect_true_bars(histogram(distribution), values);
      }
    }
  }
}

TEST(Distribution, BarsOfRealsAreOfEqualWidthButForEdgesOfCells) {
  const HistogramBins cells(false, 0);
  for (const double least : {10.0, -10.0, -30.0}) {
    std::vector<double> values;
    for (int i = 0; i <= 200; ++i) values.push_back(least + 0.1 * i);
    const std::vector<HistogramBin> bars = histogram(distribution_of(cells, values));
    ASSERT_EQ(bars.size(), 20u);
    EXPECT_EQ(bars.front().low, least);
    EXPECT_EQ(bars.back().high, values.back());
    for (std::size_t bar = 1; bar < 20; ++bar) {
      const double end = least + static_cast<double>(bar) * (values.back() - least) / 20;
      EXPECT_NEAR(bars[bar].low, end, 0x1p-11 * std::abs(end)) << bar;
    }
  }
}

TEST(Distribution, BarsNarrowerThanCellsBecomeOne) {
  const HistogramBins cells(false, 0);
  const std::vector<double> values = {1.00001, 1.00002, 1.00003};
  const Distribution distribution = distribution_of(cells, values);
  expect_true_bars(histogram(distribution), values);
  EXPECT_NEAR(quantile(distribution, 0.5).value, 1.00002, 1e-12);
  EXPECT_GT(quantile(distribution, 0.5).error, 0);
}

}  // namespace
}  // namespace apsp::statistics::histogram_bins_test
