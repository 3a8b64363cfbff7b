// Numbers of shortest paths and all predecessors, against paths that are walked one by one.
#include <apsp/apsp.hpp>

#include "base/random.hpp"
#include "support/graph_of.hpp"
#include "support/test.hpp"

namespace apsp::path_counts_test {
namespace {

/// Numbers of simple paths by length, walked along every arc; of parallel arcs the lightest.
void count_walks(const Graph& graph, Vertex at, double so_far, std::set<Vertex>& on,
                 std::map<Vertex, std::map<double, std::uint64_t>>& found) {
  ++found[at][so_far];
  Vertex last = at;
  graph.for_each_arc(at, [&](Vertex to, double weight) {
    if (to == last || !on.insert(to).second) return;
    last = to;
    count_walks(graph, to, so_far + weight, on, found);
    on.erase(to);
  });
}

TEST(PathCounts, AreThoseOfAllWalks) {
  base::SplitMix64 random(5);
  for (int round = 0; round < 60; ++round) {
    const std::int64_t n = 2 + round % 6;
    std::vector<Edge> edges;
    for (std::int64_t i = 0; i < 3 * n; ++i) {
      const auto end = [&] {
        return static_cast<Vertex>(random.below(static_cast<std::uint64_t>(n)));
      };
      const Vertex from = end(), to = end();
      edges.push_back({from, to, double(1 + random.below(2))});
    }
    const Graph graph = graph_of(n, edges, round % 2 == 0);
    const std::vector<std::uint64_t> counts = path_counts(graph);
    for (Vertex s = 0; s < n; ++s) {
      std::set<Vertex> on = {s};
      std::map<Vertex, std::map<double, std::uint64_t>> found;
      count_walks(graph, s, 0, on, found);
      for (Vertex t = 0; t < n; ++t) {
        const std::uint64_t expected = found.contains(t) ? found[t].begin()->second : 0;
        EXPECT_EQ(counts[s * n + t], expected) << round << ": " << s << " to " << t;
      }
    }
  }
}

TEST(PathCounts, OfSomePairsInTheirOrder) {
  const Graph square = graph_of(4, {{0, 1, 1}, {1, 3, 1}, {0, 2, 1}, {2, 3, 1}});
  EXPECT_THAT(path_counts(square, {.sources = {2, 0}, .targets = {3, 1}}), ElementsAre(1, 0, 2, 1));
}

/// `count` diamonds, one after the other: 2^count paths.
Graph chain_of_diamonds(Vertex count) {
  std::vector<Edge> edges;
  for (Vertex i = 0; i < count; ++i) {
    for (const Vertex middle : {3 * i + 1, 3 * i + 2}) {
      edges.push_back({3 * i, middle, 1});
      edges.push_back({middle, 3 * i + 3, 1});
    }
  }
  return graph_of(3 * std::int64_t{count} + 1, edges);
}

TEST(PathCounts, FillSixtyFourBitsAndNoMore) {
  EXPECT_THAT(path_counts(chain_of_diamonds(63), {.sources = {0}, .targets = {189}}),
              ElementsAre(std::uint64_t{1} << 63));
  const Graph more = chain_of_diamonds(65);
  EXPECT_THAT(path_counts(more, {.sources = {0}, .targets = {189}}),
              ElementsAre(std::uint64_t{1} << 63));
  EXPECT_ERROR(usage, path_counts(more, {.sources = {0}, .targets = {195}}));
}

TEST(PathCounts, OfZeroWeights) {
  const Graph no_cycle = graph_of(4, {{0, 1, 0}, {0, 2, 0}, {1, 3, 0}, {2, 3, 0}, {1, 1, 0}});
  EXPECT_THAT(path_counts(no_cycle, {.sources = {0}}), ElementsAre(1, 1, 1, 2));
  const Graph cycle = graph_of(5, {{0, 1, 1}, {1, 2, 0}, {2, 1, 0}, {2, 3, 1}, {0, 4, 1}});
  EXPECT_THAT(path_counts(cycle, {.sources = {0}, .targets = {4, 0}}), ElementsAre(1, 1));
  for (const Vertex t : {Vertex{1}, Vertex{2}, Vertex{3}}) {
    EXPECT_ERROR(usage, path_counts(cycle, {.sources = {0}, .targets = {t}}));
  }
  const Graph edge = graph_of(2, {{0, 1, 0}}, false);
  EXPECT_EQ(error_of([&] { path_counts(edge); }).kind(), ErrorKind::usage);
}

TEST(PathCounts, RefuseNegativeWeights) {
  const Graph graph = graph_of(2, {{0, 1, -1}});
  EXPECT_EQ(error_of([&] { path_counts(graph); }).kind(), ErrorKind::usage);
  EXPECT_EQ(error_of([&] { path_counts(graph, {.sources = {0, 0}}); }).kind(), ErrorKind::usage);
}

TEST(AllPredecessors, AreAllTightArcs) {
  const Graph graph = graph_of(
      5, {{0, 1, 1}, {0, 1, 2}, {1, 3, 1.5}, {0, 2, 0.5}, {2, 3, 2}, {3, 3, 0}, {3, 0, 1}});
  const std::vector<AllPredecessors> found = all_predecessors(graph, {.sources = {3, 0}});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_THAT(found[0].first, ElementsAre(0, 1, 2, 3, 3, 3));
  EXPECT_THAT(found[0].vertices, ElementsAre(3, 0, 0));
  EXPECT_THAT(found[1].first, ElementsAre(0, 0, 1, 2, 4, 4));
  EXPECT_THAT(found[1].vertices, ElementsAre(0, 0, 1, 2));
  EXPECT_EQ(all_predecessors(graph, {}).size(), 5U);
  EXPECT_EQ(error_of([&] { all_predecessors(graph, {.sources = {5}}); }).kind(), ErrorKind::usage);
  EXPECT_EQ(error_of([&] { all_predecessors(graph, {.memory = 1}); }).kind(),
            ErrorKind::does_not_fit);
}

}  // namespace
}  // namespace apsp::path_counts_test
