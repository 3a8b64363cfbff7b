#include "graph/rows.hpp"

#include "base/random.hpp"
#include "support/test.hpp"

namespace apsp::graph::rows_test {
namespace {

using Arc = std::tuple<Vertex, Vertex, double>;

std::vector<Arc> arcs_of(const CompressedRows& rows) {
  std::vector<Arc> arcs;
  for (std::size_t v = 0; v + 1 < rows.offsets.size(); ++v) {
    for (auto a = rows.offsets[v]; a < rows.offsets[v + 1]; ++a) {
      const auto slot = static_cast<std::size_t>(a);
      arcs.emplace_back(static_cast<Vertex>(v), rows.targets[slot], rows.weights[slot]);
    }
  }
  return arcs;
}

CompressedRows rows_of(std::size_t n, bool directed, std::vector<Edge> edges) {
  const auto count = static_cast<std::int64_t>(n);
  return sort_into_rows(collect_arcs(std::move(edges), count, directed, 2, true), count);
}

std::vector<Arc> sorted_arcs(bool directed, const std::vector<Edge>& edges) {
  std::vector<Arc> arcs;
  for (const Edge& edge : edges) {
    arcs.emplace_back(edge.from, edge.to, edge.weight);
    if (!directed && edge.from != edge.to) arcs.emplace_back(edge.to, edge.from, edge.weight);
  }
  std::sort(arcs.begin(), arcs.end());
  return arcs;
}

void expect_sorted(std::size_t n, const std::vector<Edge>& edges) {
  for (const bool directed : {true, false}) {
    const CompressedRows rows = rows_of(n, directed, edges);
    ASSERT_EQ(rows.offsets.size(), n + 1);
    EXPECT_EQ(rows.offsets.front(), 0);
    EXPECT_EQ(arcs_of(rows), sorted_arcs(directed, edges)) << n;
  }
}

// 512 buckets at most: around their number and around twice and thrice as many rows.
TEST(CompressedRows, AreSortedForEveryNumberOfBuckets) {
  for (const std::size_t n : {1, 2, 511, 512, 513, 1023, 1024, 1025, 1537, 70001}) {
    base::SplitMix64 random(n);
    std::vector<Edge> edges;
    for (int i = 0; i < 5000; ++i) {
      edges.push_back({static_cast<Vertex>(random.below(n)), static_cast<Vertex>(random.below(n)),
                       static_cast<double>(random.below(5))});
    }
    edges.push_back({static_cast<Vertex>(n - 1), 0, 1});
    expect_sorted(n, edges);
  }
}

TEST(CompressedRows, MayBeEmptyOrLong) {
  expect_sorted(0, {});
  expect_sorted(3, {});
  std::vector<Edge> star;
  for (Vertex v = 2000; v > 0; --v) star.push_back({0, v % 1900, static_cast<double>(v % 3)});
  expect_sorted(2001, star);
}

TEST(CompressedRows, HoldOneZeroOnly) {
  const CompressedRows rows = rows_of(2, true, {{0, 1, -0.0}});
  EXPECT_FALSE(std::signbit(rows.weights[0]));
}

}  // namespace
}  // namespace apsp::graph::rows_test
