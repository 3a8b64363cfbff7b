#include "search/dijkstra_rows.hpp"

#include <gtest/gtest.h>
#include <apsp/error.hpp>
#include <apsp/graph.hpp>

#include <cmath>
#include <string>
#include <vector>

#include "search/dijkstra_search.hpp"
#include "semiring/dispatch.hpp"
#include "support/computed_rows.hpp"
#include "support/error_of.hpp"
#include "support/graph_of.hpp"
#include "support/named_graphs.hpp"
#include "support/random_graph.hpp"
#include "support/textbook.hpp"

namespace apsp::search {
namespace {

template <class S>
void expect_textbook(const NamedGraph& problem, ValueType type) {
  SCOPED_TRACE(problem.name + " " + std::string(name(S::kKind)) + " " + std::string(name(type)));
  const auto source = dijkstra_rows(problem.graph, S::kKind, type);
  EXPECT_EQ(source->vertices(), problem.graph.vertex_count());
  EXPECT_EQ(source->semiring(), S::kKind);
  EXPECT_EQ(source->type(), type);
  EXPECT_EQ(computed_rows<typename S::Value>(*source),
            values_of<S>(verifier::floyd_warshall(problem.graph, S::kKind)));
}

TEST(DijkstraRows, AreTheTextbooksInEverySemiringAndType) {
  for (const NamedGraph& problem : named_graphs(100)) {
    for (const Semiring semiring : {Semiring::min_plus, Semiring::min_max, Semiring::max_min}) {
      for (const ValueType type :
           {ValueType::f32, ValueType::f64, ValueType::i32, ValueType::u16}) {
        semiring::dispatch(semiring, type, [&]<class S>() { expect_textbook<S>(problem, type); });
      }
    }
  }
}

TEST(DijkstraRows, ZeroWeightsAndZeroCycles) {
  for (const bool directed : {true, false}) {
    const NamedGraph problem{
        "zeros", random_graph({.n = 50, .arcs = 150, .greatest = 1, .directed = directed})};
    expect_textbook<semiring::MinPlus<std::uint16_t>>(problem, ValueType::u16);
    expect_textbook<semiring::MinPlus<float>>(problem, ValueType::f32);
    expect_textbook<semiring::MinMax<std::uint16_t>>(problem, ValueType::u16);
    expect_textbook<semiring::MaxMin<double>>(problem, ValueType::f64);
    const NamedGraph all_zero{
        "all zero", random_graph({.n = 50, .arcs = 80, .greatest = 0, .directed = directed})};
    expect_textbook<semiring::MinPlus<double>>(all_zero, ValueType::f64);
    expect_textbook<semiring::MinPlus<std::int32_t>>(all_zero, ValueType::i32);
  }
}

TEST(DijkstraRows, WeightsOfManyOrdersOfMagnitude) {
  // Most arcs share the first bucket, few reach far beyond the ring of buckets.
  std::vector<Edge> edges;
  base::SplitMix64 random(5);
  for (int i = 0; i < 300; ++i) {
    const auto u = static_cast<Vertex>(random.below(60)), v = static_cast<Vertex>(random.below(60));
    edges.push_back({u, v, std::ldexp(1, static_cast<int>(random.below(23)))});
  }
  for (const bool directed : {true, false}) {
    const NamedGraph problem{"powers of two", graph_of(60, edges, directed)};
    expect_textbook<semiring::MinPlus<std::int32_t>>(problem, ValueType::i32);
    expect_textbook<semiring::MinPlus<double>>(problem, ValueType::f64);
  }
}

TEST(DijkstraRows, AChainReachesBeyondTheRingOfBuckets) {
  std::vector<Edge> edges;
  for (Vertex v = 0; v < 99; ++v) edges.push_back({v, v + 1, 1000});
  for (const Vertex v : {0U, 99U}) {  // ends of degree 3, so that the chain ends in the queue
    edges.push_back({v, 100 + v % 2 * 2, 1});
    edges.push_back({v, 101 + v % 2 * 2, 1});
  }
  edges.push_back({0, 102, 20000});
  edges.push_back({100, 103, 90000});
  const NamedGraph problem{"long chain", graph_of(104, edges, false)};
  expect_textbook<semiring::MinPlus<std::int32_t>>(problem, ValueType::i32);
  expect_textbook<semiring::MinPlus<float>>(problem, ValueType::f32);
}

/// The last arc makes one bucket of all other weights, and going through all vertices one by one is
/// shorter than every leap.
std::vector<Edge> complete_with_one_long_arc(Vertex n) {
  std::vector<Edge> edges;
  for (Vertex u = 0; u < n; ++u) {
    for (Vertex v = 0; v < n; ++v) {
      const auto leap = static_cast<double>((v + n - u) % n);
      if (u != v) edges.push_back({u, v, leap * leap});
    }
  }
  edges.push_back({0, n, 0x1p24});
  return edges;
}

TEST(DijkstraRows, WeightsOfManyOrdersOfMagnitudeSortTheBuckets) {
  const Graph graph = graph_of(81, complete_with_one_long_arc(80));
  const auto arcs = search_arcs<std::uint32_t>(
      graph, clustered_order(links_of(graph), 512),
      [](Vertex, Vertex, double weight) { return static_cast<std::uint32_t>(weight); });
  DijkstraSearch<std::uint32_t, PathKey::sum> search(arcs);
  for (Vertex s = 0; s < 81; ++s) search.run(s);
  EXPECT_TRUE(search.sorts_buckets());
  expect_textbook<semiring::MinPlus<std::int32_t>>({"one long arc", graph}, ValueType::i32);
  expect_textbook<semiring::MinPlus<double>>({"one long arc", graph}, ValueType::f64);
}

TEST(DijkstraRows, OldEntriesMakeRoomWhereEveryArcImprovesAVertex) {
  std::vector<Edge> edges = complete_with_one_long_arc(150);
  edges.pop_back();
  const Graph graph = graph_of(150, edges);
  const auto arcs = search_arcs<std::uint32_t>(
      graph, clustered_order(links_of(graph), 512),
      [](Vertex, Vertex, double weight) { return static_cast<std::uint32_t>(weight); });
  using Search = DijkstraSearch<std::uint32_t, PathKey::sum>;
  const std::int64_t without_arcs = BucketQueue<std::uint32_t>::memory_bytes(2 * 150 + 1);
  EXPECT_LE(Search::memory_bytes(arcs), without_arcs + (1 << 16)) << "22,350 arcs take none";
  expect_textbook<semiring::MinPlus<std::int32_t>>({"leaps", graph}, ValueType::i32);
  expect_textbook<semiring::MinPlus<float>>({"leaps", graph}, ValueType::f32);
  expect_textbook<semiring::MinPlus<double>>({"leaps", graph}, ValueType::f64);
}

TEST(DijkstraRows, RealWeightsAreTheTextbooksDijkstraBitForBit) {
  for (const bool directed : {true, false}) {
    const Graph graph = random_graph(
        {.n = 150, .arcs = 400, .greatest = 3, .real = true, .directed = directed, .seed = 4});
    const auto rows =
        computed_rows<double>(*dijkstra_rows(graph, Semiring::min_plus, ValueType::f64));
    for (Vertex s = 0; s < 150; ++s) {
      const std::vector<double> expected = verifier::dijkstra(graph, s);
      const std::vector<double> row(rows.begin() + s * 150, rows.begin() + (s + 1) * 150);
      ASSERT_EQ(row, expected) << s;
    }
  }
}

TEST(DijkstraRows, BottlenecksOfNegativeAndRealWeights) {
  const NamedGraph problem{"real", random_graph({.n = 60, .arcs = 300, .least = -5, .real = true})};
  expect_textbook<semiring::MinMax<double>>(problem, ValueType::f64);
  expect_textbook<semiring::MaxMin<double>>(problem, ValueType::f64);
  expect_textbook<semiring::MaxMin<float>>(problem, ValueType::f32);
  const NamedGraph integral{"integral",
                            random_graph({.n = 60, .arcs = 90, .least = -5, .directed = false})};
  expect_textbook<semiring::MinMax<std::int32_t>>(integral, ValueType::i32);
  expect_textbook<semiring::MaxMin<float>>(integral, ValueType::f32);
}

TEST(DijkstraRows, NegativeWeightsByPotentials) {
  const Graph graph = random_graph({.n = 80, .arcs = 400, .greatest = 50, .potential = 300});
  ASSERT_LT(graph.weight_facts().least, 0);
  const Potentials h = potentials(graph);
  const std::vector<double> expected = verifier::floyd_warshall(graph, Semiring::min_plus);
  const auto check = [&]<class T>(ValueType type) {
    const auto source = dijkstra_rows(graph, Semiring::min_plus, type, &h);
    EXPECT_EQ(computed_rows<T>(*source), values_of<semiring::MinPlus<T>>(expected)) << name(type);
  };
  check.operator()<std::int32_t>(ValueType::i32);
  check.operator()<float>(ValueType::f32);
  check.operator()<double>(ValueType::f64);
}

TEST(DijkstraRows, LongestPathsByPotentialsOfTheNegatedWeights) {
  const Graph graph =
      random_graph({.n = 70, .arcs = 200, .least = -3, .greatest = 9, .acyclic = true, .seed = 6});
  const Potentials h = potentials(graph, -1);
  const std::vector<double> expected = verifier::floyd_warshall(graph, Semiring::max_plus);
  const auto check = [&]<class T>(ValueType type) {
    const auto source = dijkstra_rows(graph, Semiring::max_plus, type, &h);
    EXPECT_EQ(computed_rows<T>(*source), values_of<semiring::MaxPlus<T>>(expected)) << name(type);
  };
  check.operator()<std::int32_t>(ValueType::i32);
  check.operator()<float>(ValueType::f32);
  const Graph costs = random_graph({.n = 70, .arcs = 200, .least = -9, .greatest = 0});
  EXPECT_EQ(
      computed_rows<float>(*dijkstra_rows(costs, Semiring::max_plus, ValueType::f32)),
      values_of<semiring::MaxPlus<float>>(verifier::floyd_warshall(costs, Semiring::max_plus)));
}

TEST(DijkstraRows, RealWeightsOfBothSignsComeWithinTheirRounding) {
  const Graph graph = random_graph(
      {.n = 80, .arcs = 400, .greatest = 2, .real = true, .potential = 100, .seed = 8});
  const Potentials h = potentials(graph);
  const auto rows =
      computed_rows<double>(*dijkstra_rows(graph, Semiring::min_plus, ValueType::f64, &h));
  const std::vector<double> expected = verifier::floyd_warshall(graph, Semiring::min_plus);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (std::isinf(expected[i])) {
      EXPECT_EQ(rows[i], expected[i]);
    } else {
      EXPECT_NEAR(rows[i], expected[i], 80 * 1e-13);
    }
  }
}

TEST(DijkstraRows, ACycleThatIsNegativeByRoundingAloneIsZero) {
  const Graph graph = graph_of(3, {{0, 1, 0.3}, {1, 2, -0.1}, {2, 0, -0.2}});
  const Potentials h = potentials(graph);
  ASSERT_GT(h.bias, 0);
  const auto rows =
      computed_rows<double>(*dijkstra_rows(graph, Semiring::min_plus, ValueType::f64, &h));
  for (std::size_t v = 0; v < 3; ++v) EXPECT_EQ(rows[4 * v], 0);
  EXPECT_NEAR(rows[2], 0.2, 1e-15);
}

TEST(DijkstraRows, AMatrixOfWeightsIsAGraphToo) {
  const std::vector<std::int32_t> weights = {0, 4, (1 << 30) - 1, 9, 0, 1, 2, (1 << 30) - 1, 0};
  GraphBuilder builder(3);
  WeightMatrix matrix{.type = ValueType::i32, .n = 3, .data = weights.data()};
  builder.set_matrix(matrix);
  const NamedGraph problem{"matrix", std::move(builder).build()};
  expect_textbook<semiring::MinPlus<std::int32_t>>(problem, ValueType::i32);
}

TEST(DijkstraRows, SeveralThreadsAtOnceInBlocksOfAnySize) {
  const Graph graph = random_graph({.n = 530, .arcs = 1500, .least = 1, .directed = false});
  const auto source = dijkstra_rows(graph, Semiring::min_plus, ValueType::i32);
  const auto expected = computed_rows<std::int32_t>(*source);
  EXPECT_EQ(computed_rows<std::int32_t>(*source, {.threads = 4}), expected);
  EXPECT_EQ(computed_rows<std::int32_t>(*source, {.threads = 3, .block = 7}), expected);
  EXPECT_GE(source->worker_bytes(), 530 * 4);
}

TEST(DijkstraRows, RefuseNegativeWeightsWithoutPotentials) {
  const Graph graph = graph_of(2, {{0, 1, -2}});
  EXPECT_ERROR(usage, dijkstra_rows(graph, Semiring::min_plus, ValueType::f32));
  const Error longest = error_of([&] {
    dijkstra_rows(graph_of(2, {{0, 1, 2}}), Semiring::max_plus, ValueType::f32);
  });
  EXPECT_EQ(longest.kind(), ErrorKind::usage);
}

TEST(DijkstraRows, RefuseWrongPotentials) {
  const Graph graph = graph_of(2, {{0, 1, -2}});
  const Potentials other = potentials(graph_of(3, {{0, 1, -2}}));
  EXPECT_ERROR(usage, dijkstra_rows(graph, Semiring::min_plus, ValueType::f32, &other));
  const Graph both = graph_of(3, {{0, 1, -2}, {1, 2, 5}});
  const Potentials reversed = potentials(both, -1);
  EXPECT_ERROR(usage, dijkstra_rows(both, Semiring::min_plus, ValueType::i32, &reversed));
  const Graph cyclic = graph_of(2, {{0, 1, -2}, {1, 0, 1}});
  const Potentials none = potentials(cyclic);
  EXPECT_ERROR(usage, dijkstra_rows(cyclic, Semiring::min_plus, ValueType::f32, &none));
}

TEST(DijkstraRows, RefuseTypesThatDoNotHoldTheDistances) {
  const Graph far = graph_of(3, {{0, 1, 30000}, {1, 2, 30000}});
  EXPECT_ERROR(does_not_fit, dijkstra_rows(far, Semiring::min_plus, ValueType::u16));
  EXPECT_NO_THROW(dijkstra_rows(far, Semiring::min_max, ValueType::u16));
  const double proved = 32766;
  EXPECT_NO_THROW(dijkstra_rows(far, Semiring::min_plus, ValueType::u16, nullptr, proved));
  EXPECT_ERROR(does_not_fit,
               dijkstra_rows(far, Semiring::min_plus, ValueType::u16, nullptr, proved + 1));
  const Graph real = graph_of(2, {{0, 1, 0.5}});
  EXPECT_ERROR(usage, dijkstra_rows(real, Semiring::min_plus, ValueType::i32));
  const Graph zero = graph_of(2, {{0, 1, 0}});
  EXPECT_ERROR(usage, dijkstra_rows(zero, Semiring::max_min, ValueType::u16));
}

TEST(DijkstraRows, RefuseReachabilityAndPairsWithoutValues) {
  const Graph graph = graph_of(2, {{0, 1, 1}});
  EXPECT_ERROR(usage, dijkstra_rows(graph, Semiring::or_and, ValueType::boolean));
  EXPECT_ERROR(usage, dijkstra_rows(graph, Semiring::max_plus, ValueType::u16));
}

}  // namespace
}  // namespace apsp::search
