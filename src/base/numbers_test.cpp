#include "base/units.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace apsp::base {
namespace {

TEST(FormatValue, GroupsIntegersAndRoundsTheRest) {
  EXPECT_EQ(format_value(0), "0");
  EXPECT_EQ(format_value(7434), "7,434");
  EXPECT_EQ(format_value(-1234567), "-1,234,567");
  EXPECT_EQ(format_value(0.1), "0.1");
  EXPECT_EQ(format_value(1234.56789), "1234.57");
  EXPECT_EQ(format_value(-99999.5), "-99999.5");
  EXPECT_EQ(format_value(232952.4), "232,952");
  EXPECT_EQ(format_value(1843820.7), "1,843,821");
  EXPECT_EQ(format_value(1e20), "1e+20");
  EXPECT_EQ(format_value(std::numeric_limits<double>::infinity()), "inf");
}

TEST(FormatShare, RoundsNeitherToNothingNorToAll) {
  EXPECT_EQ(format_share(0, 10), "0 %");
  EXPECT_EQ(format_share(0, 0), "0 %");
  EXPECT_EQ(format_share(10, 10), "100 %");
  EXPECT_EQ(format_share(1, 3), "33.3 %");
  EXPECT_EQ(format_share(1, 1'000'000), "<0.01 %");
  EXPECT_EQ(format_share(999'999, 1'000'000), ">99.99 %");
  EXPECT_EQ(format_share(995, 1000), "99.50 %");
}

TEST(Counted, KnowsOneFromMany) {
  EXPECT_EQ(counted(1, "vertex", "vertices"), "1 vertex");
  EXPECT_EQ(counted(0, "vertex", "vertices"), "0 vertices");
  EXPECT_EQ(counted(1024, "vertex", "vertices"), "1,024 vertices");
}

}  // namespace
}  // namespace apsp::base
