#include "planner/rates.hpp"

#include "support/test.hpp"

namespace apsp::planner::rates_test {
namespace {

double work(double n) { return 1e-11 * n * n * n + 3e-9 * n * n; }

RateCurve curve_of(std::initializer_list<double> sizes) {
  std::vector<CurvePoint> points;
  for (const double n : sizes) points.push_back({n, work(n)});
  return RateCurve(std::move(points));
}

TEST(RateCurve, IsExactBetweenSizesWhereTimeIsCubesAndSquares) {
  const RateCurve curve = curve_of({256, 1024, 4096});
  for (const double n : {256.0, 300.0, 777.0, 1024.0, 2000.0, 4096.0}) {
    EXPECT_NEAR(curve.seconds(n) / work(n), 1, 1e-12) << n;
  }
}

TEST(RateCurve, GoesHalfOfTheWayBeyondTheLastSize) {
  const RateCurve curve = curve_of({512, 1024});
  const double last = work(1024) / (1024.0 * 1024 * 1024);
  for (const double n : {2048.0, 65536.0}) {
    const double pointed = work(n) / (n * n * n);
    EXPECT_NEAR(curve.seconds(n) / (n * n * n), (last + pointed) / 2, 1e-15) << n;
  }
  EXPECT_NEAR(1 / curve.limit(), (last + 1e-11) / 2, 1e-15);
}

TEST(RateCurve, NeverPromisesMoreThanTwiceTheLastRate) {
  const RateCurve curve({{16, 1e-3}, {32, 1e-3}});
  EXPECT_GE(curve.seconds(3200), 1e6 * 1e-3 / 2);
  EXPECT_DOUBLE_EQ(curve.limit(), 2 * 32.0 * 32 * 32 / 1e-3);
}

TEST(RateCurve, FallsWithTheSquareBelowTheFirstSize) {
  const RateCurve curve = curve_of({512, 1024});
  EXPECT_DOUBLE_EQ(curve.seconds(256), work(512) / 4);
  EXPECT_EQ(curve.seconds(0), 0);
  EXPECT_EQ(curve.seconds(-5), 0);
}

TEST(RateCurve, OneSizeMeansOneRate) {
  const RateCurve curve = curve_of({1000});
  EXPECT_DOUBLE_EQ(curve.seconds(2000), 8 * work(1000));
}

TEST(RateCurve, EmptyHasNoTime) {
  EXPECT_TRUE(RateCurve().empty());
  EXPECT_EQ(RateCurve().seconds(1000), 0);
  EXPECT_EQ(RateCurve().limit(), 0);
}

TEST(RateCurve, SortsAndDropsWhatIsNoMeasurement) {
  const double infinity = std::numeric_limits<double>::infinity();
  const RateCurve curve({{2048, 8}, {1024, 2}, {1024, 1}, {-1, 3}, {512, 0}, {300, infinity}});
  ASSERT_EQ(curve.points().size(), 2u);
  EXPECT_EQ(curve.points()[0].n, 1024);
  EXPECT_EQ(curve.points()[0].seconds, 1) << "the shortest time of a size";
  EXPECT_EQ(curve.points()[1].n, 2048);
}

TEST(RateCurve, APointThatWasDisturbedDoesNotSpoilTheRest) {
  const RateCurve curve({{1024, 1}, {2048, 10}});
  EXPECT_DOUBLE_EQ(curve.seconds(2048), 8);
  EXPECT_DOUBLE_EQ(curve.seconds(4096), 64);
}

}  // namespace
}  // namespace apsp::planner::rates_test
