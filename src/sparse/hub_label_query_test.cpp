// Distances of pairs from labels and from sweeps of groups, against the textbook and queries.
#include "sparse/hub_label_query.hpp"

#include "base/random.hpp"
#include "paths/paths.hpp"
#include "sparse/eliminate.hpp"
#include "sparse/grouped_pairs.hpp"
#include "support/random_graph.hpp"
#include "support/test.hpp"
#include "support/textbook.hpp"
#include "support/types_of.hpp"

namespace apsp::sparse::hub_label_query_test {
namespace {

FactorRows labelled_rows(const Graph& graph, Semiring semiring, ValueType type) {
  const Pattern pattern = pattern_of(graph);
  return {std::make_shared<const Factor>(
              eliminate(graph, std::make_shared<const Tree>(pattern, nested_dissection(pattern)),
                        {semiring, type, kernels::Sign::any, kernels::Cycles::possible, 1, {}})),
          kernels::Sign::any};
}

/// All pairs of the vertices, those of a source apart from each other, and some twice.
std::vector<VertexPair> all_pairs(std::int64_t n) {
  std::vector<VertexPair> pairs;
  for (Vertex t = 0; t < n; ++t) {
    for (Vertex s = 0; s < n; ++s) pairs.push_back({s, t});
  }
  for (Vertex v = 0; v < n; v += 3) pairs.push_back({v, v / 2});
  return pairs;
}

/// found[i] ← distances of pairs[i].
auto into(const FactorRows& rows, std::span<const VertexPair> pairs, std::vector<double>& found) {
  found.assign(pairs.size(), -7);
  return [&, pairs](std::size_t i, const void* value) {
    found[i] = paths::as_double(rows.semiring(), rows.type(), value, pairs[i].from == pairs[i].to);
  };
}

std::vector<double> labelled(const FactorRows& rows, std::span<const VertexPair> pairs,
                             StoredLabels stored = {}, int threads = 1) {
  std::vector<double> found;
  distances_by_labels(rows.factor(), rows.sign(), pairs, stored, threads, {},
                      into(rows, pairs, found));
  return found;
}

std::vector<double> grouped(const FactorRows& rows, std::span<const VertexPair> pairs, End by,
                            int threads = 1) {
  std::vector<double> found;
  distances_by_groups(rows, pairs, by, threads, {}, into(rows, pairs, found));
  return found;
}

void expect_textbook(const Graph& graph, Semiring semiring, ValueType type) {
  const FactorRows rows = labelled_rows(graph, semiring, type);
  const std::vector<double> closed = verifier::floyd_warshall(graph, semiring);
  const std::vector<VertexPair> pairs = all_pairs(graph.vertex_count());
  const double empty = semiring == Semiring::or_and ? 1 : empty_path(semiring, ValueType::f64);
  std::vector<double> expected;
  for (const VertexPair& pair : pairs) {
    const auto at = pair.from * static_cast<std::size_t>(graph.vertex_count()) + pair.to;
    expected.push_back(pair.from == pair.to ? empty : closed[at]);
  }
  const std::string of = std::string(name(semiring)) + " " + std::string(name(type));
  for (const End end : {End::source, End::target}) {
    ASSERT_EQ(labelled(rows, pairs, {end, 1}), expected) << of;
    ASSERT_EQ(labelled(rows, pairs, {end, 3}, 2), expected) << of;
    ASSERT_EQ(grouped(rows, pairs, end), expected) << of;
    const std::size_t few = std::min<std::size_t>(pairs.size(), 5);
    const std::vector<double> some(expected.begin(),
                                   expected.begin() + static_cast<std::ptrdiff_t>(few));
    ASSERT_EQ(grouped(rows, {pairs.data(), few}, end, 2), some) << of;
  }
}

TEST(LabelledPairs, HaveTheDistancesOfTheTextbookInEverySemiringAndType) {
  for (const auto& [graph, semiring, type, seed] : typed_graphs({1, 2, 17, 90}, {0.5, 2, 6}, 30)) {
    expect_textbook(graph, semiring, type);
  }
}

TEST(LabelledPairs, TakeNegativeWeights) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    for (const ValueType type : {ValueType::i32, ValueType::f64}) {
      expect_textbook(random_graph({.n = 90, .arcs = 300, .potential = 40, .seed = seed}),
                      Semiring::min_plus, type);
    }
  }
}

constexpr Vertex kBranching = 450;

/// A tree: paths to the root of its elimination are short, so that labels of many runs fit a small
/// memory.
Graph branching(bool directed) {
  base::SplitMix64 random(3);
  GraphBuilder builder(kBranching, directed);
  for (Vertex v = 1; v < kBranching; ++v) {
    builder.add_edge(v, (v - 1) / 3, 0.1 + random.uniform());
    if (directed) builder.add_edge((v - 1) / 3, v, 0.1 + random.uniform());
  }
  return std::move(builder).build();
}

TEST(LabelledPairs, AreTheSameBitsInAnyBlocksAndWithThreads) {
  for (const bool directed : {false, true}) {
    const FactorRows rows = labelled_rows(branching(directed), Semiring::min_plus, ValueType::f32);
    const std::vector<VertexPair> pairs = all_pairs(kBranching);
    const std::vector<double> whole = labelled(rows, pairs);
    for (const std::int64_t blocks : {2, 7, 1000}) {
      for (const int threads : {1, 3}) {
        ASSERT_EQ(labelled(rows, pairs, {End::source, blocks}, threads), whole) << blocks;
      }
    }
    ASSERT_EQ(grouped(rows, pairs, End::target, 3), grouped(rows, pairs, End::target));
    const std::vector<double> swept = grouped(rows, pairs, End::source);
    for (std::size_t i = 0; i < pairs.size(); i += 97) {
      float value = 0;
      rows.pair(pairs[i].from, pairs[i].to, &value);
      if (value < std::numeric_limits<float>::infinity()) {
        ASSERT_NEAR(whole[i], value, 1e-4);
        ASSERT_NEAR(swept[i], value, 1e-4);
      } else {
        ASSERT_EQ(whole[i], value);
      }
    }
  }
}

TEST(LabelledPairs, EndWhenTheCallerAsks) {
  const FactorRows rows =
      labelled_rows(random_graph({.n = 300, .arcs = 450}), Semiring::min_plus, ValueType::i32);
  const std::vector<VertexPair> pairs = all_pairs(300);
  const auto nobody = [](std::size_t, const void*) {};
  Cancellation cancellation;
  cancellation.request();
  const Control control{nullptr, &cancellation};
  EXPECT_ERROR(interrupted,
               distances_by_labels(rows.factor(), rows.sign(), pairs, {}, 2, control, nobody));
  EXPECT_ERROR(interrupted, distances_by_groups(rows, pairs, End::source, 2, control, nobody));
  EXPECT_TRUE(labelled(rows, {}).empty());
  EXPECT_TRUE(grouped(rows, {}, End::source).empty());
}

}  // namespace
}  // namespace apsp::sparse::hub_label_query_test
