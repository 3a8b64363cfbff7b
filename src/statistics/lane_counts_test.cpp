// Sums of reciprocals cut in two are those of column_sums.hpp, to the last bit, and the reciprocals
// are quotients.
#include "statistics/lane_counts.hpp"

#include <hwy/targets.h>

#include "base/random.hpp"
#include "statistics/histogram_bins.hpp"
#include "support/test.hpp"
#include "system/aligned_memory.hpp"

namespace apsp::statistics::lane_counts_test {
namespace {

double value_of(const ReciprocalSum& sum) { return sum.upper() + sum.lower(); }

void add(ReciprocalSum& sum, double reciprocal) {
  const double high = (reciprocal + ReciprocalSum::kRound) - ReciprocalSum::kRound;
  sum.add(high, reciprocal - high);
}

TEST(ReciprocalSum, HoldsEveryReciprocalOfADistance) {
  for (int distance = 1; distance < kernels::kCountLimit; ++distance) {
    ReciprocalSum sum;
    add(sum, 1.0 / distance);
    ASSERT_EQ(value_of(sum), 1.0 / distance) << distance;
  }
}

TEST(ReciprocalSum, CarriesInBothDirections) {
  ReciprocalSum sum;
  for (int i = 0; i < 3; ++i) add(sum, 1.0 / 3);
  ReciprocalSum more;
  for (int i = 0; i < 7; ++i) add(more, 1.0 / 7);
  EXPECT_NEAR(value_of(sum), 1, 1e-15);
  EXPECT_LT(sum.low, std::int64_t{1} << ReciprocalSum::kBetween);
  sum.add(more);
  EXPECT_NEAR(value_of(sum), 2, 1e-15);
  EXPECT_GE(sum.low, 0);
}

/// Lanes, tables and values of a count, all of one size.
template <class T>
struct Counted {
  static constexpr std::int64_t kCols = 1024;

  explicit Counted(std::int64_t bins) : tables(static_cast<std::size_t>(bins)) {
    lanes.farthest = farthest.data();
    lanes.greatest = greatest.template as<T>();
    counts.tables.fill(tables.data());
  }
  T* row() { return values.template as<T>(); }
  LaneRow<T> count(std::int64_t cols = kCols) {
    return count_lanes<T>(LaneDown::nothing)(row(), cols, 0, lanes, counts);
  }

  system::AlignedMemory values{kCols * std::int64_t{sizeof(T)}},
      greatest{kCols * std::int64_t{sizeof(T)}};
  std::vector<Vertex> farthest = std::vector<Vertex>(kCols);
  std::vector<std::uint32_t> tables;
  Lanes<T> lanes;
  LaneCounts<T> counts;
};

template <class T>
Counted<T> count_below(std::int32_t limit) {
  Counted<T> counted(limit + 1);
  counted.counts.limit = limit;
  counted.counts.least = 1;
  counted.counts.below = static_cast<T>(limit);
  counted.counts.reciprocals = FixedPoint<T>(-ReciprocalSum::kLowDigits);
  return counted;
}

/// Rows of all distances that there are, one after another.
template <class T>
void expect_quotients(std::int32_t limit) {
  Counted<T> counted = count_below<T>(limit);
  for (std::int64_t first = 0; first < limit; first += counted.kCols) {
    ReciprocalSum expected;
    std::uint64_t sum = 0;
    for (std::int64_t j = 0; j < counted.kCols; ++j) {
      const std::int64_t distance = std::min<std::int64_t>(first + j, limit - 1);
      counted.row()[j] = static_cast<T>(distance);
      sum += static_cast<std::uint64_t>(distance);
      if (distance > 0) add(expected, 1.0 / static_cast<double>(distance));
    }
    const LaneRow<T> row = counted.count();
    ASSERT_TRUE(row.taken);
    ASSERT_EQ(row.sum, sum);
    ReciprocalSum found;
    found.add(row.reciprocals.high, row.reciprocals.low);
    ASSERT_EQ(found.high, expected.high) << first;
    ASSERT_EQ(found.low, expected.low) << first;
  }
  EXPECT_EQ(*std::min_element(counted.tables.begin(), counted.tables.end() - 1), 1u)
      << "each distance came";
}

/// Random distances from 1 to 2^37, each in a row of its own.
template <class T>
void expect_real_quotients() {
  Counted<T> counted(HistogramBins::kCoarse);
  const FixedPoint<T> sums(37 - 2 * FixedPoint<T>::kBetween),
      reciprocals(-2 * FixedPoint<T>::kBetween);
  counted.counts.least = 1;
  counted.counts.below = T{0x1p37};
  counted.counts.sum = sums;
  counted.counts.reciprocals = reciprocals;
  const HistogramBins bins(false, 0);
  base::SplitMix64 random(5);
  for (int i = 0; i < 20'000; ++i) {
    const auto exponent = static_cast<int>(random.below(37));
    const T distance = i < 37 ? std::ldexp(T{1}, i)
                              : std::min(std::ldexp(static_cast<T>(1 + random.uniform()), exponent),
                                         std::nextafter(T{0x1p37}, T{0}));
    std::fill_n(counted.row(), 64, std::numeric_limits<T>::infinity());
    counted.row()[random.below(64)] = distance;
    const LaneRow<T> row = counted.count(64);
    ASSERT_TRUE(row.taken);
    ASSERT_EQ(row.least, distance);
    ASSERT_EQ(row.sum.high + row.sum.low, distance);
    ASSERT_EQ(row.reciprocals.high + row.reciprocals.low, 1.0 / static_cast<double>(distance));
    const auto exact = [](Int128 units, int unit) {
      return std::ldexp(static_cast<double>(units), unit);
    };
    ASSERT_EQ(exact(sums.units(row.sum), sums.unit), distance);
    ASSERT_EQ(exact(reciprocals.units(row.reciprocals), reciprocals.unit),
              1.0 / static_cast<double>(distance));
    std::uint32_t& count = counted.tables[static_cast<std::size_t>(
        bins.of(static_cast<double>(distance)) - bins.of(0.0))];
    ASSERT_EQ(count, 1u);
    count = 0;
  }
}

TEST(CountLanes, ReciprocalsAreQuotientsWithEveryInstructionSet) {
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    expect_quotients<std::int32_t>(kernels::kCountLimit);
    expect_quotients<std::uint16_t>((1 << 15) - 1);
    expect_real_quotients<float>();
    expect_real_quotients<double>();
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

TEST(CountLanes, LeavesRowsOfOtherDistances) {
  Counted<std::int32_t> counted = count_below<std::int32_t>(100);
  for (const std::int32_t other : {-1, 100, 1 << 29}) {
    std::fill_n(counted.row(), 16, 5);
    counted.row()[7] = other;
    EXPECT_FALSE(counted.count(16).taken);
  }
  EXPECT_EQ(std::count(counted.tables.begin(), counted.tables.end(), 0u), 101);
  counted.row()[7] = semiring::MinPlus<std::int32_t>::zero();
  const LaneRow<std::int32_t> row = counted.count(16);
  EXPECT_TRUE(row.taken);
  EXPECT_EQ(row.reached, 15u);
  EXPECT_EQ(counted.tables[5], 15u);
  EXPECT_EQ(counted.tables[100], 1u);
}

TEST(CountLanes, LeavesRowsOfRealsThatItCannotHold) {
  Counted<double> counted(HistogramBins::kCoarse);
  counted.counts.least = 1;
  counted.counts.below = 0x1p37;
  for (const double other : {-1.0, -0.0, 0.999, 0x1p37, 1e300, 1e-310, std::nan("")}) {
    std::fill_n(counted.row(), 16, 5);
    counted.row()[7] = other;
    EXPECT_FALSE(counted.count(16).taken) << other;
  }
  EXPECT_EQ(std::count(counted.tables.begin(), counted.tables.end(), 0u),
            std::ssize(counted.tables));
}

}  // namespace
}  // namespace apsp::statistics::lane_counts_test
