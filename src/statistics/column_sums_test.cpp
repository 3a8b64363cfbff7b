// No order of values, and no cut among threads, changes a bit of a sum; and the sum is right.
#include "statistics/column_sums.hpp"

#include "base/random.hpp"
#include "support/test.hpp"

namespace apsp::statistics::column_sums_test {
namespace {

/// Cuts and adds a value as the sweep does, a stretch of one column.
void add(ColumnSums& sums, double value, std::int64_t column = 0, int digits = 53) {
  if (value == 0) return;
  const Slices slices = sums.slices(std::abs(value), std::abs(value), digits, column);
  double rest = value;
  for (int i = 0; i < slices.count; ++i) {
    const Slice slice = sums.slice(slices.top - i, column);
    const double part = i + 1 == slices.count ? rest : (rest + slice.round) - slice.round;
    *slice.sums += part;
    rest -= part;
  }
  EXPECT_FALSE(std::isfinite(value) && rest != 0);
}

double sum_of(const std::vector<double>& values) {
  ColumnSums sums(1, std::ssize(values));
  for (const double value : values) add(sums, value);
  return sums.total(0);
}

/// Of all magnitudes between 2^least and 2^greatest.
std::vector<double> random_values(std::size_t count, int least, int greatest, bool negative,
                                  std::uint64_t seed) {
  base::SplitMix64 random(seed);
  std::vector<double> values;
  while (values.size() < count) {
    const auto exponent =
        static_cast<int>(random.below(static_cast<std::uint64_t>(greatest - least)));
    const double value = std::ldexp(1 + random.uniform(), least + exponent);
    values.push_back(negative && random.below(2) == 0 ? -value : value);
  }
  return values;
}

TEST(ColumnSums, NoOrderChangesABit) {
  base::SplitMix64 random(7);
  for (const auto& [least, greatest] :
       {std::pair{-3, 4}, {-30, 30}, {-300, 300}, {-1070, -900}, {-1000, 890}}) {
    for (const bool negative : {false, true}) {
      std::vector<double> values = random_values(1000, least, greatest, negative, 3);
      const double sum = sum_of(values);
      for (int i = 0; i < 20; ++i) {
        for (std::size_t j = values.size(); j > 1; --j) {
          std::swap(values[j - 1], values[random.below(j)]);
        }
        EXPECT_EQ(sum_of(values), sum) << least << " " << greatest << " " << negative;
      }
    }
  }
}

TEST(ColumnSums, CancelAwayToTheLastDigit) {
  std::vector<double> values = random_values(500, -200, 200, true, 9);
  const std::vector<double> once = values;
  for (const double value : once) values.push_back(-value);
  std::sort(values.begin(), values.end());
  values.push_back(0x1p-300);
  EXPECT_EQ(sum_of(values), 0x1p-300);
}

TEST(ColumnSums, AreRoundedOnce) {
  // 2^100 + 1000 · 2^47: in doubles, one after another, nothing would be added.
  std::vector<double> values(1001, 0x1p47 / 2);
  values.back() = 0x1p100;
  EXPECT_EQ(sum_of(values), 0x1p100 + 1000 * (0x1p47 / 2));
  // Tenths: the exact sum of doubles, which the plain one misses.
  const std::vector<double> tenths(10, 0.1);
  EXPECT_EQ(sum_of(tenths), 1.0);
}

TEST(ColumnSums, OfThreadsAreOne) {
  const std::vector<double> values = random_values(1000, -20, 20, true, 11);
  ColumnSums all(3, 1000), first(3, 1000), second(3, 1000);
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::int64_t column : {0, 2}) {
      add(all, values[i], column);
      add(i % 3 == 0 ? first : second, values[i], column);
    }
  }
  first.add(second);
  EXPECT_EQ(first.total(0), all.total(0));
  EXPECT_EQ(first.total(2), all.total(0));
  EXPECT_EQ(first.total(1), 0);
}

TEST(ColumnSums, WholeNumbersTakeOnePlane) {
  ColumnSums sums(2, 100);
  for (int i = 0; i < 100; ++i) sums.whole_numbers(1).held[0].sums[0] += 1 << 30;
  EXPECT_EQ(sums.total(1), 100 * 0x1p30);
}

TEST(ColumnSums, BeyondAllSlicesValuesAreStillSummed) {
  EXPECT_EQ(sum_of({1e300, 2e300, 1}), 3e300);
  EXPECT_EQ(sum_of({INFINITY, 1}), INFINITY);
}

TEST(ColumnSums, ReciprocalsOfSmallWholeNumbersTakeTwoSlices) {
  for (const std::int64_t n : {2, 1000, 4096, 100000, 1 << 20}) {
    ColumnSums sums(1, n);
    EXPECT_EQ(sums.slices(1.0 / 1000, 1, 53, 0).count, 2) << n;
  }
}

}  // namespace
}  // namespace apsp::statistics::column_sums_test
