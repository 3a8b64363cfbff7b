#include "search/dijkstra_rows.hpp"

#include <apsp/graph.hpp>

#include "search/dijkstra_search.hpp"
#include "semiring/dispatch.hpp"
#include "support/computed_rows.hpp"
#include "support/graph_of.hpp"
#include "support/named_graphs.hpp"
#include "support/random_graph.hpp"
#include "support/test.hpp"
#include "support/textbook.hpp"

namespace apsp::search::dijkstra_rows_test {
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

/// Whether the type holds the weights, and sums of them exactly.
bool holds(ValueType type, Semiring semiring, const Graph& graph) {
  const WeightFacts& facts = graph.weight_facts();
  const bool sums = semiring == Semiring::min_plus;
  if (sums && (facts.least < 0 || !facts.integral)) return false;
  const double greatest = sums ? facts.longest_path : facts.greatest;
  switch (type) {
    case ValueType::u16:
      return facts.integral && facts.least >= (semiring == Semiring::max_min ? 1 : 0) &&
             greatest <= largest_distance(type);
    case ValueType::i32:
      return facts.integral && greatest <= largest_distance(type);
    case ValueType::f32:
      return greatest <= 0x1p24;
    default:
      return true;
  }
}

std::vector<NamedGraph> problems() {
  std::vector<NamedGraph> all = named_graphs(100);
  std::vector<Edge>
      powers;  // most share the first bucket, few reach far beyond the ring of buckets
  base::SplitMix64 random(5);
  for (int i = 0; i < 300; ++i) {
    const auto u = static_cast<Vertex>(random.below(60)), v = static_cast<Vertex>(random.below(60));
    powers.push_back({u, v, std::ldexp(1, static_cast<int>(random.below(23)))});
  }
  for (const bool directed : {true, false}) {
    all.push_back(
        {"zeros", random_graph({.n = 50, .arcs = 150, .greatest = 1, .directed = directed})});
    all.push_back(
        {"all zero", random_graph({.n = 50, .arcs = 80, .greatest = 0, .directed = directed})});
    all.push_back({"powers of two", graph_of(60, powers, directed)});
  }
  std::vector<Edge> chain;
  for (Vertex v = 0; v < 99; ++v) chain.push_back({v, v + 1, 1000});
  for (const Vertex v : {0U, 99U}) {  // ends of degree 3, so that the chain ends in the queue
    chain.push_back({v, 100 + v % 2 * 2, 1});
    chain.push_back({v, 101 + v % 2 * 2, 1});
  }
  chain.push_back({0, 102, 20000});
  chain.push_back({100, 103, 90000});
  all.push_back({"beyond the ring of buckets", graph_of(104, chain, false)});
  all.push_back({"one long arc", graph_of(81, complete_with_one_long_arc(80))});
  std::vector<Edge> leaps = complete_with_one_long_arc(150);
  leaps.pop_back();
  all.push_back({"leaps", graph_of(150, leaps)});
  all.push_back({"real", random_graph({.n = 60, .arcs = 300, .least = -5, .real = true})});
  all.push_back({"negative", random_graph({.n = 60, .arcs = 90, .least = -5, .directed = false})});
  return all;
}

TEST(DijkstraRows, AreTheTextbooksInEverySemiringAndType) {
  for (const NamedGraph& problem : problems()) {
    for (const Semiring semiring : {Semiring::min_plus, Semiring::min_max, Semiring::max_min}) {
      for (const ValueType type :
           {ValueType::f32, ValueType::f64, ValueType::i32, ValueType::u16}) {
        if (!holds(type, semiring, problem.graph)) continue;
        semiring::dispatch(semiring, type, [&]<class S>() { expect_textbook<S>(problem, type); });
      }
    }
  }
}

SearchArcs<std::uint32_t> arcs_of(const Graph& graph) {
  return search_arcs<std::uint32_t>(
      graph, clustered_order(links_of(graph), 512),
      [](Vertex, Vertex, double weight) { return static_cast<std::uint32_t>(weight); });
}

TEST(DijkstraRows, WeightsOfManyOrdersOfMagnitudeSortTheBuckets) {
  const auto arcs = arcs_of(graph_of(81, complete_with_one_long_arc(80)));
  DijkstraSearch<std::uint32_t, PathKey::sum> search(arcs);
  for (Vertex s = 0; s < 81; ++s) search.run(s);
  EXPECT_TRUE(search.sorts_buckets());
}

TEST(DijkstraRows, ArcsThatAllImproveAVertexTakeNoMemory) {
  using Search = DijkstraSearch<std::uint32_t, PathKey::sum>;
  const std::int64_t without_arcs = BucketQueue<std::uint32_t>::memory_bytes(2 * 151 + 1);
  EXPECT_LE(Search::memory_bytes(arcs_of(graph_of(151, complete_with_one_long_arc(150)))),
            without_arcs + (1 << 16))
      << "22,351 arcs take none";
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

/// Rows of integers by potentials are the textbook's.
void expect_by_potentials(const Graph& graph, Semiring semiring, const Potentials* h) {
  const std::vector<double> expected = verifier::floyd_warshall(graph, semiring);
  for (const ValueType type : {ValueType::i32, ValueType::f32, ValueType::f64}) {
    semiring::dispatch(semiring, type, [&]<class S>() {
      EXPECT_EQ(computed_rows<typename S::Value>(*dijkstra_rows(graph, semiring, type, h)),
                values_of<S>(expected))
          << name(semiring) << ' ' << name(type);
    });
  }
}

TEST(DijkstraRows, NegativeWeightsAndLongestPathsByPotentials) {
  const Graph graph = random_graph({.n = 80, .arcs = 400, .greatest = 50, .potential = 300});
  ASSERT_LT(graph.weight_facts().least, 0);
  const Potentials h = potentials(graph);
  expect_by_potentials(graph, Semiring::min_plus, &h);
  const Graph acyclic =
      random_graph({.n = 70, .arcs = 200, .least = -3, .greatest = 9, .acyclic = true, .seed = 6});
  const Potentials negated = potentials(acyclic, -1);
  expect_by_potentials(acyclic, Semiring::max_plus, &negated);
  expect_by_potentials(random_graph({.n = 70, .arcs = 200, .least = -9, .greatest = 0}),
                       Semiring::max_plus, nullptr);
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
  WeightMatrix matrix{.type = ValueType::i32, .n = 3, .data = weights.data(), .owner = nullptr};
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
  const Graph positive = graph_of(2, {{0, 1, 2}});
  EXPECT_ERROR(usage, dijkstra_rows(positive, Semiring::max_plus, ValueType::f32));
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
}  // namespace apsp::search::dijkstra_rows_test
