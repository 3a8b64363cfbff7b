#include "report/pictures.hpp"

#include "base/random.hpp"
#include "support/test.hpp"

namespace apsp::report::pictures_test {
namespace {

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

constexpr double kInf = std::numeric_limits<double>::infinity();

/// Shuffled places on a line; distances are their differences.
std::vector<double> shuffled_places(std::size_t count) {
  std::vector<double> places(count);
  for (std::size_t i = 0; i < count; ++i) places[i] = static_cast<double>(i);
  base::SplitMix64 random(7);
  for (std::size_t i = count; i > 1; --i) std::swap(places[i - 1], places[random.below(i)]);
  return places;
}

std::vector<double> distances_between(const std::vector<double>& places) {
  std::vector<double> distances;
  for (const double a : places) {
    for (const double b : places) distances.push_back(std::abs(a - b));
  }
  return distances;
}

TEST(BisectionOrder, PutsALineBackInOrder) {
  for (const std::size_t count : {1, 2, 3, 5, 16, 101}) {
    const std::vector<double> places = shuffled_places(count);
    const std::vector<std::size_t> order = bisection_order(distances_between(places), count);
    std::vector<double> found;
    for (const std::size_t i : order) found.push_back(places[i]);
    if (found.front() > found.back()) std::reverse(found.begin(), found.end());
    EXPECT_TRUE(std::is_sorted(found.begin(), found.end())) << count;
  }
}

TEST(BisectionOrder, KeepsPartsWithoutAPathTogether) {
  constexpr std::size_t kCount = 30;
  std::vector<double> distances(kCount * kCount, kInf);
  for (std::size_t i = 0; i < kCount; ++i) {
    for (std::size_t j = 0; j < kCount; ++j) {
      if (i % 3 == j % 3) distances[i * kCount + j] = std::abs(double(i) - double(j));
    }
  }
  const std::vector<std::size_t> order = bisection_order(distances, kCount);
  for (std::size_t i = 1; i < kCount; ++i) {
    EXPECT_EQ(order[i] % 3 != order[i - 1] % 3, i % 10 == 0) << i;
  }
}

TEST(BisectionOrder, NamesEveryPositionOnceWhateverTheDistances) {
  EXPECT_TRUE(bisection_order({}, 0).empty());
  base::SplitMix64 random(3);
  for (const std::size_t count : {4, 17, 50}) {
    std::vector<double> distances;
    for (std::size_t i = 0; i < count * count; ++i) {
      const double value = random.uniform() * 10;
      distances.push_back(value < 3 ? kInf : value < 4 ? -value : value);
    }
    std::vector<std::size_t> order = bisection_order(distances, count);
    std::sort(order.begin(), order.end());
    for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(order[i], i);
  }
}

}  // namespace

}  // namespace apsp::report::pictures_test
