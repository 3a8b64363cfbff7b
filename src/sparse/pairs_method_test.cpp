// The method for many pairs of a factor.
#include "sparse/pairs_method.hpp"

#include <apsp/graph.hpp>

#include "base/random.hpp"
#include "sparse/eliminate.hpp"
#include "support/test.hpp"

namespace apsp::sparse::pairs_method_test {
namespace {

constexpr std::int64_t kVertices = 20'000;
constexpr std::int64_t kAnyMemory = std::numeric_limits<std::int64_t>::max();

Factor factor_of_roads(bool directed = false) {
  const Graph graph =
      generate({.kind = GraphKind::roads, .vertices = kVertices, .directed = directed});
  const Pattern pattern = pattern_of(graph);
  return eliminate(graph, std::make_shared<const Tree>(pattern, nested_dissection(pattern)),
                   {Semiring::min_plus,
                    ValueType::i32,
                    kernels::Sign::non_negative,
                    kernels::Cycles::possible,
                    1,
                    {}});
}

std::vector<VertexPair> drawn(std::size_t count, std::uint64_t sources, std::uint64_t targets) {
  base::SplitMix64 random(5);
  std::vector<VertexPair> pairs(count);
  for (VertexPair& pair : pairs) {
    pair = {static_cast<Vertex>(random.below(sources)), static_cast<Vertex>(random.below(targets))};
  }
  return pairs;
}

PairsMethod chosen(const std::vector<VertexPair>& pairs, std::int64_t memory = kAnyMemory,
                   bool directed = false) {
  return method_of_pairs(factor_of_roads(directed), pairs, memory);
}

TEST(PairsMethod, GroupsPairsByTheEndWithFewerVertices) {
  for (const bool directed : {false, true}) {
    const PairsMethod from_one = chosen(drawn(1000, 1, kVertices), kAnyMemory, directed);
    EXPECT_EQ(from_one.from, PairsFrom::groups);
    EXPECT_EQ(from_one.by, End::source);
    const PairsMethod to_two = chosen(drawn(1000, kVertices, 2), kAnyMemory, directed);
    EXPECT_EQ(to_two.from, PairsFrom::groups);
    EXPECT_EQ(to_two.by, End::target);
    EXPECT_EQ(to_two.bytes, 0);
  }
  EXPECT_EQ(chosen(drawn(300, kVertices, kVertices)).from, PairsFrom::groups);
  EXPECT_EQ(chosen(std::vector<VertexPair>(5000, {7, 9})).from, PairsFrom::groups);
}

TEST(PairsMethod, StoresLabelsOfManyScatteredPairs) {
  const auto pairs = drawn(100'000, kVertices, kVertices);
  const PairsMethod whole = chosen(pairs);
  EXPECT_EQ(whole.from, PairsFrom::labels);
  EXPECT_GT(whole.bytes, 0);
  const PairsMethod parts = chosen(pairs, whole.bytes / 3);
  EXPECT_EQ(parts.from, PairsFrom::labels);
  EXPECT_GE(parts.stored.blocks, 3);
  EXPECT_LE(parts.bytes, whole.bytes / 3);
  EXPECT_GT(parts.seconds, whole.seconds);
  EXPECT_EQ(chosen(pairs, 1).from, PairsFrom::groups);
}

TEST(PairsMethod, StoresLabelsOfTheEndWithFewer) {
  EXPECT_EQ(chosen(drawn(100'000, kVertices, 500)).stored.end, End::target);
  EXPECT_EQ(chosen(drawn(100'000, 500, kVertices)).stored.end, End::source);
}

TEST(PairsMethod, FirstTouchOfMemoryCountsAsMuchAsMakingLabelsAgain) {
  const Factor factor = factor_of_roads();
  const auto of = [&](double pairs) {
    return method_of_random_pairs(factor.tree(), ValueType::i32, pairs, kAnyMemory);
  };
  EXPECT_EQ(of(1).from, PairsFrom::groups);
  EXPECT_EQ(of(1e6).from, PairsFrom::labels);
  EXPECT_GT(of(2e6).seconds, of(1e6).seconds);
  EXPECT_LE(of(1e6).bytes, chosen(drawn(100'000, kVertices, kVertices)).bytes * 2);
}

TEST(PairsMethod, TakesARowForManyPairsOfOneVertex) {
  const Factor factor = factor_of_roads();
  EXPECT_FALSE(worth_a_row(factor.tree(), 3));
  EXPECT_TRUE(worth_a_row(factor.tree(), kVertices));
}

}  // namespace
}  // namespace apsp::sparse::pairs_method_test
