// Buckets hold the added arcs, whatever their order, threads and record widths.
#include "graph/arc_buckets.hpp"

#include "base/random.hpp"
#include "graph/rows.hpp"
#include "support/test.hpp"

namespace apsp::graph::arc_buckets_test {
namespace {

using Arc = std::tuple<Vertex, Vertex, double>;

std::vector<Arc> arcs_of(const ArcBuckets& buckets) {
  std::vector<Arc> arcs;
  for (const ArcChunk* chunk : buckets.chunks()) {
    chunk->for_each_arc([&](Vertex row, Vertex to, auto weight) {
      arcs.emplace_back(row, to, static_cast<double>(weight));
    });
  }
  std::sort(arcs.begin(), arcs.end());
  return arcs;
}

std::vector<Arc> arcs_of(bool mirrored, const std::vector<Edge>& edges) {
  std::vector<Arc> arcs;
  for (const Edge& edge : edges) {
    arcs.emplace_back(edge.from, edge.to, edge.weight);
    if (mirrored && edge.from != edge.to) arcs.emplace_back(edge.to, edge.from, edge.weight);
  }
  std::sort(arcs.begin(), arcs.end());
  return arcs;
}

/// Edges with ends below `vertices` and integer weights up to `greatest`.
std::vector<Edge> some_edges(std::size_t count, std::uint64_t vertices, std::uint64_t greatest) {
  base::SplitMix64 random(vertices + greatest);
  std::vector<Edge> edges;
  for (std::size_t i = 0; i < count; ++i) {
    edges.push_back({static_cast<Vertex>(random.below(vertices)),
                     static_cast<Vertex>(random.below(vertices)),
                     static_cast<double>(random.below(greatest + 1))});
  }
  return edges;
}

Vertex greatest_end(const std::vector<Edge>& edges) {
  Vertex greatest = 0;
  for (const Edge& edge : edges) greatest = std::max({greatest, edge.from, edge.to});
  return greatest;
}

// Records of 8, 10 and 16 bytes at the limits of their weights.
TEST(ArcBuckets, HoldWeightsOfEveryWidth) {
  for (const double weight :
       {0.0, 1.0, 65535.0, 65536.0, 4294967295.0, 4294967296.0, 0.5, -1.0, 0x1p60, -0x1p-1074}) {
    std::vector<Edge> edges = some_edges(700, 90, 7);
    edges[350].weight = weight;
    ArcBuckets buckets(true, 0, 1);
    buckets.add(edges, greatest_end(edges));
    EXPECT_EQ(arcs_of(buckets), arcs_of(true, edges)) << weight;
    EXPECT_EQ(buckets.tally().weight_facts().least, std::min(0.0, weight));
    EXPECT_EQ(buckets.tally().weight_facts().greatest, std::max(7.0, weight));
    EXPECT_EQ(buckets.tally().weight_facts().integral,
              weight == static_cast<double>(static_cast<std::int64_t>(weight)) && weight <= 0x1p53);
    const CompressedRows rows = sort_into_rows(std::move(buckets), 90);
    EXPECT_EQ(rows.offsets.back(), static_cast<std::int64_t>(arcs_of(true, edges).size()));
  }
}

TEST(ArcBuckets, WidenWhileVerticesGrow) {
  std::vector<Edge> all;
  ArcBuckets buckets(false, 0, 2);
  int member = 0;
  for (const std::uint64_t vertices : {3, 16384, 16385, 100'000, 40'000'000}) {
    const std::vector<Edge> edges = some_edges(2000, vertices, vertices);
    buckets.add(edges, greatest_end(edges), member);
    member = 1 - member;
    all.insert(all.end(), edges.begin(), edges.end());
  }
  EXPECT_EQ(buckets.edge_count(), 10'000);
  EXPECT_EQ(buckets.greatest(), greatest_end(all));
  EXPECT_EQ(arcs_of(buckets), arcs_of(false, all));
  const auto listing = buckets.list();
  for (std::size_t b = 0; b < listing.chunks.size(); ++b) {
    for (const ArcChunk* chunk : listing.chunks[b]) {
      chunk->for_each_arc([&](Vertex row, Vertex, auto) { ASSERT_EQ(row >> listing.row_bits, b); });
    }
  }
}

TEST(ArcBuckets, ListNoMoreBucketsThanThereAre) {
  // 512 buckets of 32 rows, and one vertex more: 257 of 64 rows.
  constexpr Vertex kLast = 512 * 32;
  ArcBuckets arcs(false, 0, 1);
  arcs.add(std::vector<Edge>{{kLast - 1, 0, 1}}, kLast - 1);
  arcs.add(std::vector<Edge>{{kLast, 0, 1}}, kLast);
  const ArcBuckets::Listing listing = arcs.list();
  EXPECT_EQ(listing.row_bits, 6);
  EXPECT_EQ(listing.chunks.size(), 257u);
}

TEST(ArcBuckets, TakeOtherNumbersForTheirVertices) {
  const std::vector<Edge> edges = some_edges(5000, 900, 100'000);
  ArcBuckets buckets(true, 900, 3);
  buckets.add(edges, 899, 2);
  const WeightFacts facts = buckets.tally().weight_facts();
  const auto mirrored = [](Vertex v) { return 899 - v; };
  std::vector<Edge> expected = edges;
  for (Edge& edge : expected) edge = {mirrored(edge.from), mirrored(edge.to), edge.weight};
  buckets.relabel(900, mirrored);
  EXPECT_EQ(arcs_of(buckets), arcs_of(true, expected));
  EXPECT_EQ(buckets.edge_count(), 5000);
  EXPECT_EQ(buckets.tally().weight_facts().greatest, facts.greatest);
  EXPECT_TRUE(buckets.mirrored());
}

TEST(ArcBuckets, KeepTheOrderOfParallelArcsWithOtherNumbers) {
  ArcBuckets buckets(false, 0, 2, true);
  buckets.add(std::vector<Edge>{{70'000, 5, 9}, {5, 70'000, 3}}, 70'000, 0);
  buckets.add(std::vector<Edge>{{70'000, 5, 0.5}, {5, 70'000, 4}}, 70'000, 0);
  buckets.add(std::vector<Edge>{{70'000, 5, 7}, {5, 70'000, 1}}, 70'000, 1);
  buckets.relabel(2, [](Vertex v) { return v == 5 ? 0u : 1u; });
  const CompressedRows rows = sort_into_rows(std::move(buckets), 2);
  EXPECT_TRUE(rows.order_known);
  std::vector<std::uint32_t> places;
  for (const ParallelPlace& place : rows.as_given) places.push_back(place.place);
  EXPECT_EQ(places, (std::vector<std::uint32_t>{2, 0, 1, 1, 2, 0}));
}

TEST(ArcBuckets, MayCountVerticesFromOne) {
  for (const std::int64_t n : {1, 31, 32, 33, 20'000}) {
    std::vector<Edge> edges = some_edges(3000, static_cast<std::uint64_t>(n), 9);
    ArcBuckets from_zero(false, 0, 1), from_one(false, 0, 1);
    from_zero.add(edges, static_cast<Vertex>(n - 1));
    for (Edge& edge : edges) edge = {edge.from + 1, edge.to + 1, edge.weight};
    from_one.add(edges, static_cast<Vertex>(n));
    const CompressedRows expected = sort_into_rows(std::move(from_zero), n);
    const CompressedRows rows = sort_into_rows(std::move(from_one), n, 1);
    ASSERT_EQ(rows.offsets, expected.offsets) << n;
    EXPECT_TRUE(std::equal(rows.targets.get(), rows.targets.get() + 3000, expected.targets.get()));
    EXPECT_TRUE(std::equal(rows.weights.get(), rows.weights.get() + 3000, expected.weights.get()));
    EXPECT_EQ(rows.largest, expected.largest);
  }
}

}  // namespace
}  // namespace apsp::graph::arc_buckets_test
