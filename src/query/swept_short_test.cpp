// Sums of reciprocals in whole numbers are those of column_sums.hpp, to the last bit.
#include "query/swept_short.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.hpp"

namespace apsp::query {
namespace {

double value_of(const ReciprocalSum& sum) { return sum.high() + sum.low(); }

TEST(ReciprocalSum, HoldsEveryReciprocalOfADistance) {
  for (int distance = 1; distance < kShortDistances; ++distance) {
    const double reciprocal = 1.0 / distance;
    ReciprocalSum sum;
    sum.add(ReciprocalSum::digits_of(reciprocal), static_cast<float>(reciprocal));
    ASSERT_EQ(value_of(sum), reciprocal) << distance;
  }
}

TEST(ReciprocalSum, NeedsOnlyARoughSumBeside) {
  base::SplitMix64 random(5);
  for (const double error : {-0x1p-14, 0.0, 0x1p-14}) {
    for (const int greatest : {1, 2, 9, 1000, 32766}) {
      ReciprocalSum sum;
      std::uint64_t digits = 0;
      float rough = 0;
      long double exact = 0;  // of 64 digits: within 2^-54 of the sum
      for (std::int64_t i = 0; i < kShortTogether; ++i) {
        const double reciprocal =
            1.0 / static_cast<double>(1 + random.below(static_cast<std::uint64_t>(greatest)));
        digits += ReciprocalSum::digits_of(reciprocal);
        rough += static_cast<float>(reciprocal * (1 + error));
        exact += static_cast<long double>(reciprocal);
      }
      sum.add(digits, rough);
      EXPECT_NEAR(value_of(sum), static_cast<double>(exact), 1e-15 * value_of(sum)) << greatest;
    }
  }
}

TEST(ReciprocalSum, CarriesFromDigitsToEighths) {
  ReciprocalSum sum;
  for (int i = 0; i < 100; ++i) sum.add(ReciprocalSum::digits_of(0.0625), 0.0625f);
  EXPECT_EQ(value_of(sum), 6.25);
  ReciprocalSum twice = sum;
  twice.add(sum);
  EXPECT_EQ(value_of(twice), 12.5);
}

}  // namespace
}  // namespace apsp::query
