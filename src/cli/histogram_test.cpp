#include "cli/statistics_view.hpp"

#include <gmock/gmock.h>

#include "cli/table.hpp"
#include "query/histogram_bins.hpp"

namespace apsp::cli {
namespace {

using testing::HasSubstr;

TerminalStyle unicode() {
  TerminalStyle look{.unicode = true};
  return look;
}

TEST(Bar, CountsEighths) {
  EXPECT_EQ(bar(0, 4, true), "");
  EXPECT_EQ(bar(1, 4, true), "████");
  EXPECT_EQ(bar(0.5, 4, true), "██");
  EXPECT_EQ(bar(0.125, 4, true), "▌");
  EXPECT_EQ(bar(7.0 / 32, 4, true), "▉");
}

TEST(Bar, ShowsASliverOfWhateverIsNotNothing) {
  EXPECT_EQ(bar(1e-9, 4, true), "▏");
  EXPECT_EQ(bar(1e-9, 4, false), "#");
}

TEST(Bar, StaysWithinItsColumns) {
  for (double fraction = 0; fraction <= 1.5; fraction += 0.01) {
    EXPECT_LE(display_width(bar(fraction, 10, true)), 10u);
    EXPECT_LE(display_width(bar(fraction, 10, false)), 10u);
  }
  EXPECT_EQ(bar(0.5, 10, false), "#####");
  EXPECT_EQ(bar(-1, 10, true), "");
}

std::vector<HistogramBin> bins(int count) {
  std::vector<HistogramBin> list;
  for (int i = 0; i < count; ++i) list.push_back({double(i), double(i + 1), i});
  return list;
}

TEST(Joined, KeepsEveryPair) {
  for (const int count : {0, 1, 15, 16, 17, 32, 33, 100}) {
    const auto rows = joined(bins(count), 16);
    EXPECT_LE(rows.size(), 16u);
    std::int64_t pairs = 0;
    for (const HistogramBin& row : rows) pairs += row.pairs;
    EXPECT_EQ(pairs, count * (count - 1) / 2);
    if (count > 0) {
      EXPECT_EQ(rows.front().low, 0);
      EXPECT_EQ(rows.back().high, count);
    }
  }
}

TEST(HistogramText, NamesWholeNumbersByThemselves) {
  const std::vector<HistogramBin> list = {{1, 2, 30}, {2, 4, 60}, {4, 6, 10}};
  EXPECT_EQ(histogram_text(list, true, unicode()),
            "      1  ████████████████                  30  30.0 %\n"
            "  2 – 3  ████████████████████████████████  60  60.0 %\n"
            "  4 – 6  █████▍                            10  10.0 %\n");
}

TEST(HistogramText, GivesRangesOfRealNumbersAndPlainBarsInAscii) {
  const std::vector<HistogramBin> list = {{0.5, 1.25, 1}, {1.25, 2, 1}};
  const std::string text = histogram_text(list, false, TerminalStyle());
  EXPECT_THAT(text, HasSubstr("0.5 - 1.25  ################################"));
  EXPECT_THAT(text, HasSubstr("50.0 %"));
}

TEST(HistogramText, GivesLargeRealNumbersWholeAndWithoutExponents) {
  const std::vector<HistogramBin> list = {{246.25, 545288.4, 1}, {545288.4, 1090576.8, 1}};
  const std::string text = histogram_text(list, false, TerminalStyle());
  EXPECT_THAT(text, HasSubstr("246.2 - 545,288  "));
  EXPECT_THAT(text, HasSubstr("545,288 - 1,090,577  "));
}

TEST(Clipped, DrawsTheOuterEndsIn) {
  const auto list = query::clipped({{0, 10, 1}, {10, 20, 1}}, 3, 17);
  EXPECT_EQ(list.front().low, 3);
  EXPECT_EQ(list.back().high, 17);
  const auto one = query::clipped({{0, 10, 5}}, 4, 4);
  EXPECT_THAT(histogram_text(one, false, TerminalStyle()), testing::StartsWith("  4  ####"));
  EXPECT_TRUE(query::clipped({}, 0, 1).empty());
}

TEST(HistogramText, IsEmptyWithoutPairs) {
  EXPECT_EQ(histogram_text({}, true, TerminalStyle()), "");
  EXPECT_EQ(histogram_text(std::vector<HistogramBin>{{0, 1, 0}}, true, TerminalStyle()), "");
}

}  // namespace
}  // namespace apsp::cli
