// Sums of reciprocals cut in two are those of column_sums.hpp, to the last bit, and the reciprocals
// are quotients.
#include "statistics/integer_columns.hpp"

#include <gtest/gtest.h>

#include <hwy/targets.h>
#include <algorithm>
#include <vector>

#include "system/aligned_memory.hpp"

namespace apsp::statistics {
namespace {

double value_of(const ReciprocalSum& sum) { return sum.upper() + sum.lower(); }

void add(ReciprocalSum& sum, double reciprocal) {
  const double high = (reciprocal + ReciprocalSum::kRound) - ReciprocalSum::kRound;
  sum.add(high, reciprocal - high);
}

TEST(ReciprocalSum, HoldsEveryReciprocalOfADistance) {
  for (int distance = 1; distance < kWholeLimit; ++distance) {
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

/// Rows of all distances that there are, one after another.
template <class T>
void expect_quotients(SweepWhole<T> sweep, std::int32_t limit) {
  constexpr std::int64_t kCols = 1024;
  system::AlignedMemory values(kCols * std::int64_t{sizeof(T)});
  system::AlignedMemory lane_values(kCols * std::int64_t{sizeof(T)});
  std::vector<Vertex> farthest(kCols);
  std::vector<std::uint32_t> counts(static_cast<std::size_t>(limit) + 1);
  const WholeCounts tables{limit, {counts.data(), counts.data(), counts.data(), counts.data()}};
  const WholeLanes<T> lanes{nullptr, nullptr, farthest.data(),
                            nullptr, nullptr, lane_values.as<T>()};
  for (std::int64_t first = 0; first < limit; first += kCols) {
    ReciprocalSum expected;
    std::uint64_t sum = 0;
    for (std::int64_t j = 0; j < kCols; ++j) {
      const std::int64_t distance = std::min<std::int64_t>(first + j, limit - 1);
      values.as<T>()[j] = static_cast<T>(distance);
      sum += static_cast<std::uint64_t>(distance);
      if (distance > 0) add(expected, 1.0 / static_cast<double>(distance));
    }
    const WholeRow row = sweep(values.as<T>(), kCols, 0, lanes, tables);
    ASSERT_TRUE(row.taken);
    ASSERT_EQ(row.sum, sum);
    ASSERT_EQ(row.harmonic.high, expected.high) << first;
    ASSERT_EQ(row.harmonic.low, expected.low) << first;
  }
  EXPECT_EQ(*std::min_element(counts.begin(), counts.end() - 1), 1u) << "each distance came";
}

TEST(SweptWhole, ReciprocalsAreQuotientsWithEveryInstructionSet) {
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    expect_quotients<std::int32_t>(sweep_whole_i32(WholeDown::nothing), kWholeLimit);
    expect_quotients<std::uint16_t>(sweep_whole_u16(WholeDown::nothing), (1 << 15) - 1);
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

TEST(SweptWhole, LeavesRowsOfOtherDistances) {
  system::AlignedMemory values(64), greatest(64);
  std::vector<Vertex> farthest(16);
  std::vector<std::uint32_t> counts(101);
  const WholeLanes<std::int32_t> lanes{nullptr, nullptr, farthest.data(),
                                       nullptr, nullptr, greatest.as<std::int32_t>()};
  const WholeCounts tables{100, {counts.data(), counts.data(), counts.data(), counts.data()}};
  for (const std::int32_t other : {-1, 100, 1 << 29}) {
    std::fill_n(values.as<std::int32_t>(), 16, 5);
    values.as<std::int32_t>()[7] = other;
    EXPECT_FALSE(
        sweep_whole_i32(WholeDown::nothing)(values.as<std::int32_t>(), 16, 0, lanes, tables).taken);
  }
  EXPECT_EQ(std::count(counts.begin(), counts.end(), 0u), 101);
  values.as<std::int32_t>()[7] = semiring::MinPlus<std::int32_t>::zero();
  const WholeRow row =
      sweep_whole_i32(WholeDown::nothing)(values.as<std::int32_t>(), 16, 0, lanes, tables);
  EXPECT_TRUE(row.taken);
  EXPECT_EQ(row.reached, 15u);
  EXPECT_EQ(counts[5], 15u);
  EXPECT_EQ(counts[100], 1u);
}

}  // namespace
}  // namespace apsp::statistics
