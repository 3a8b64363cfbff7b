// What searches from a few vertices find, and the seconds of all of them.
#include "planner/search_model.hpp"

#include "planner/elimination_model.hpp"
#include "support/test.hpp"

namespace apsp::planner::search_model_test {
namespace {

Graph path(std::int64_t n, bool directed) {
  GraphBuilder builder(n, directed);
  for (std::int64_t v = 0; v + 1 < n; ++v) {
    builder.add_edge(static_cast<Vertex>(v), static_cast<Vertex>(v + 1), 1);
  }
  return std::move(builder).build();
}

TEST(LookAround, FindsWhatASearchReaches) {
  const SampledSearches one = sample_searches(path(1, true));
  EXPECT_EQ(one.vertices, 1);
  EXPECT_EQ(one.arcs, 0);
  EXPECT_EQ(one.levels, 1);
  const SampledSearches whole = sample_searches(path(8, false));
  EXPECT_EQ(whole.vertices, 8);
  EXPECT_EQ(whole.arcs, 14);
  const SampledSearches half = sample_searches(path(8, true));
  EXPECT_EQ(half.vertices, 4.5) << "on average, from every vertex of so few";
  const SampledSearches far = sample_searches(path(4096, true));
  EXPECT_EQ(far.block_levels, kSourcesAtOnce) << "a vertex a level, where there are so many";
  EXPECT_EQ(far.most_levels, 4096);
  EXPECT_EQ(sample_searches(path(0, true)).vertices, 0);
}

/// A ring of one-way arcs, and vertices from which an arc leads into it.
Graph ring_with_entries(std::int64_t ring, std::int64_t entries) {
  GraphBuilder builder(ring + entries, true);
  for (std::int64_t v = 0; v < ring; ++v) {
    builder.add_edge(static_cast<Vertex>(v), static_cast<Vertex>((v + 1) % ring), 1);
  }
  for (std::int64_t v = ring; v < ring + entries; ++v) {
    builder.add_edge(static_cast<Vertex>(v), 0, 1);
  }
  return std::move(builder).build();
}

TEST(LookAround, SearchesFromMoreSourcesWhereSomeReachLess) {
  const SampledSearches ring = sample_searches(ring_with_entries(1600, 0));
  EXPECT_EQ(ring.vertices, 1600);
  EXPECT_EQ(ring.levels, 1600);
  // Sources 0, 100, …, 1500: the last one alone is an entry.
  const SampledSearches mixed = sample_searches(ring_with_entries(1500, 100));
  EXPECT_DOUBLE_EQ(mixed.vertices, 1500 + 1 / 16.0) << "from 16 sources";
}

TEST(SearchModel, AddsVerticesArcsAndValues) {
  SearchRates rates{.vertex = 2, .arc = 3, .values = 0.5};
  const SampledSearches found{.levels = 1, .vertices = 10, .arcs = 20};
  EXPECT_DOUBLE_EQ(search_seconds(found, 12, rates), 20 + 60 + 24);
  const SearchRates twice = slower(rates, 208 / search_seconds(found, 12, rates));
  EXPECT_DOUBLE_EQ(twice.vertex, 4);
  EXPECT_DOUBLE_EQ(search_seconds(found, 12, twice), 208);
}

TEST(BreadthFirstModel, LooksAcrossEveryArcOnEveryLevel) {
  BreadthFirstRates rates;
  rates.vertex = 10;
  rates.arc = 2;
  rates.values = 100;
  EXPECT_DOUBLE_EQ(breadth_first_seconds({1, 600, 400}, rates), 6800 + 512 * 600 / 100.0);
  EXPECT_DOUBLE_EQ(breadth_first_seconds({3, 100, 400}, rates), 5400 + 100 * 100 / 100.0);
  const SampledSearches found{.vertices = 1, .arcs = 1, .most_levels = 10, .block_levels = 9};
  const BlockCounts counts = block_counts(found, 100, 400);
  EXPECT_GE(counts.levels, 10);
  EXPECT_EQ(block_counts({.most_levels = 500, .block_levels = 9}, 100, 400).levels, 19)
      << "from one end of a block to the other";
  const BreadthFirstRates scaled = slower(rates, 7 / breadth_first_seconds(counts, rates));
  EXPECT_DOUBLE_EQ(breadth_first_seconds(counts, scaled), 7);
}

TEST(PairsByRows, PassOverThoseWithoutAPath) {
  EXPECT_DOUBLE_EQ(pairs_by_rows(10, 40, 1), 10);
  EXPECT_DOUBLE_EQ(pairs_by_rows(10, 40, 0.5), 16);
  EXPECT_DOUBLE_EQ(pairs_by_rows(10, 0, 0.5), 10) << "where it was not measured";
}

TEST(AssumedRates, CountRealsLessThanTwiceAsLongAsIntegersOfTheirSize) {
  const auto counted = [](Semiring semiring, ValueType type) {
    return assumed_elimination_rates(semiring, type).counted_swept;
  };
  EXPECT_GT(2 * counted(Semiring::min_plus, ValueType::f32),
            counted(Semiring::min_plus, ValueType::i32));
  EXPECT_LT(counted(Semiring::min_plus, ValueType::f64),
            counted(Semiring::min_plus, ValueType::f32));
  EXPECT_LT(counted(Semiring::max_min, ValueType::f32),
            counted(Semiring::min_plus, ValueType::f32) / 5);
}

TEST(AssumedRates, AreFiguresForEveryType) {
  for (const ValueType type :
       {ValueType::boolean, ValueType::u16, ValueType::i32, ValueType::f32, ValueType::f64}) {
    const EliminationRates rates = assumed_elimination_rates(Semiring::min_plus, type);
    EXPECT_GT(rates.eliminated, 0);
    EXPECT_GT(rates.swept_alone, 0);
    EXPECT_GT(rates.counted_swept, 0);
    EXPECT_TRUE(rates.measured.empty());
    EXPECT_GT(SearchRates().vertex, 0);
    EXPECT_GT(BreadthFirstRates().arc, 0);
  }
}

}  // namespace
}  // namespace apsp::planner::search_model_test
