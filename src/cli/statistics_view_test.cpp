#include "cli/statistics_view.hpp"

#include <gmock/gmock.h>

#include "support/graph_of.hpp"

namespace apsp::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

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

}  // namespace
}  // namespace apsp::cli
