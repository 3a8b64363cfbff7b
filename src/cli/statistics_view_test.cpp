#include "cli/statistics_view.hpp"

#include "statistics/histogram_bins.hpp"
#include "support/graph_of.hpp"
#include "support/test.hpp"

namespace apsp::cli::statistics_view_test {
namespace {

/// Statistics of the path 0 → 1 → 2 with weights 2 and 3, in both directions.
Statistics some_statistics() {
  Statistics statistics;
  statistics.vertices = statistics.sources = statistics.targets = 3;
  statistics.pairs = statistics.reachable_pairs = 6;
  statistics.connected = true;
  statistics.diameter = 5;
  statistics.radius = 3;
  return statistics;
}

std::string text_of(const Statistics& statistics) {
  const Graph graph = graph_of(3, {{0, 1, 2}, {1, 2, 3}}, false);
  return statistics_text({statistics, graph, Semiring::min_plus, ValueType::u16, 5},
                         TerminalStyle());
}

TEST(StatisticsText, NamesWhoIsFarApart) {
  Statistics statistics = some_statistics();
  statistics.diameter_pair = VertexPair{0, 2};
  statistics.radius_pair = VertexPair{1, 2};
  EXPECT_THAT(text_of(statistics), HasSubstr("0 -> 2"));
  EXPECT_THAT(text_of(statistics), HasSubstr("centre 1"));
}

TEST(StatisticsText, KnowsADiameterWithoutItsPair) {
  EXPECT_THAT(text_of(some_statistics()), HasSubstr("diameter"));
  EXPECT_THAT(text_of(some_statistics()), Not(HasSubstr("->")));
  EXPECT_THAT(text_of(some_statistics()), Not(HasSubstr("centre")));
  Statistics of_some = some_statistics();
  of_some.diameter_at_least = std::exchange(of_some.diameter, std::nullopt);
  of_some.radius_at_most = std::exchange(of_some.radius, std::nullopt);
  EXPECT_THAT(text_of(of_some), HasSubstr("diameter at least"));
  EXPECT_THAT(text_of(of_some), Not(HasSubstr("->")));
  EXPECT_THAT(text_of(of_some), Not(HasSubstr("from")));
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
  EXPECT_EQ(histogram_text(list, true, TerminalStyle{.unicode = true}),
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
  const auto list = statistics::clipped({{0, 10, 1}, {10, 20, 1}}, 3, 17);
  EXPECT_EQ(list.front().low, 3);
  EXPECT_EQ(list.back().high, 17);
  const auto one = statistics::clipped({{0, 10, 5}}, 4, 4);
  EXPECT_THAT(histogram_text(one, false, TerminalStyle()), StartsWith("  4  ####"));
  EXPECT_TRUE(statistics::clipped({}, 0, 1).empty());
}

TEST(HistogramText, IsEmptyWithoutPairs) {
  EXPECT_EQ(histogram_text({}, true, TerminalStyle()), "");
  EXPECT_EQ(histogram_text(std::vector<HistogramBin>{{0, 1, 0}}, true, TerminalStyle()), "");
}

}  // namespace

}  // namespace apsp::cli::statistics_view_test
