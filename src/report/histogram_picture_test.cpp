#include "report/pictures.hpp"

#include <gmock/gmock.h>

namespace apsp::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(RoundNumbers, AreMultiplesOfOneTwoOrFiveTimesAPowerOfTen) {
  EXPECT_THAT(round_numbers(0, 100, 6), ElementsAre(0, 20, 40, 60, 80, 100));
  EXPECT_THAT(round_numbers(3, 17, 6), ElementsAre(5, 10, 15));
  EXPECT_THAT(round_numbers(-0.04, 0.05, 6), ElementsAre(-0.04, -0.02, 0, 0.02, 0.04));
  EXPECT_THAT(round_numbers(7.1, 7.2, 1).size(), 1u);
}

TEST(RoundNumbers, AreNeverNoneAndNeverTooMany) {
  for (const double low : {-1e9, 0.0, 0.123, 1e6}) {
    for (const double length : {1e-3, 0.7, 1.0, 99.0, 1e12}) {
      const std::size_t count = round_numbers(low, low + length, 6).size();
      EXPECT_GE(count, 1u) << low << ' ' << length;
      EXPECT_LE(count, 6u) << low << ' ' << length;
    }
  }
}

Statistics spread_of(std::vector<HistogramBin> bins, double least, double greatest) {
  Statistics statistics;
  statistics.histogram = std::move(bins);
  statistics.least = least;
  statistics.greatest = greatest;
  for (const HistogramBin& bin : statistics.histogram) statistics.reachable_pairs += bin.pairs;
  return statistics;
}

TEST(HistogramPicture, HasABarForEachBinWithPairs) {
  const Statistics statistics = spread_of({{0, 10, 3}, {10, 20, 0}, {20, 30, 1}}, 2, 29);
  const std::string picture = histogram_picture(statistics, "distance");
  EXPECT_THAT(picture, HasSubstr("2 to 10: 3 pairs, 75.0 %"));
  EXPECT_THAT(picture, HasSubstr("20 to 29: 1 pair, 25.0 %"));
  EXPECT_THAT(picture, Not(HasSubstr(": 0 pairs")));
}

TEST(HistogramPicture, MarksMeanAndMedian) {
  Statistics statistics = spread_of({{0, 10, 3}}, 0, 10);
  EXPECT_THAT(histogram_picture(statistics, "distance"), Not(HasSubstr("mean")));
  statistics.mean = 4.5;
  statistics.median = 4;
  EXPECT_THAT(histogram_picture(statistics, "distance"), HasSubstr("mean 4.5<"));
  EXPECT_THAT(histogram_picture(statistics, "distance"), HasSubstr("median 4<"));
}

TEST(HistogramPicture, OfOneDistanceHasOneBar) {
  const std::string picture = histogram_picture(spread_of({{7, 7, 12}}, 7, 7), "distance");
  EXPECT_THAT(picture, HasSubstr("7 to 7: 12 pairs, 100 %"));
  EXPECT_THAT(picture, Not(HasSubstr("nan")));
}

TEST(HistogramPicture, IsEmptyWithoutPairs) {
  EXPECT_EQ(histogram_picture(Statistics(), "distance"), "");
}

}  // namespace
}  // namespace apsp::report
