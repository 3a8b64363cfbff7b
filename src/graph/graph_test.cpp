#include <apsp/graph.hpp>

#include "base/random.hpp"
#include "graph/adjacency_matrix.hpp"
#include "graph/components.hpp"
#include "graph/distance_bounds.hpp"
#include "graph/negative_cycle.hpp"
#include "support/graph_of.hpp"
#include "support/random_graph.hpp"
#include "support/test.hpp"
#include "support/textbook.hpp"

namespace apsp::graph_test {
namespace {

TEST(GraphBuilder, NoVertices) {
  const Graph graph = GraphBuilder(0).build();
  EXPECT_EQ(graph.vertex_count(), 0);
  EXPECT_EQ(graph.arc_count(), 0);
  EXPECT_EQ(Graph().vertex_count(), 0);
}

TEST(GraphBuilder, SortsRowsAndKeepsParallelArcsAndLoops) {
  const Graph graph = graph_of(3, {{2, 1, 7}, {0, 2, 5}, {0, 1, 4}, {0, 1, -3}, {1, 1, 2}});
  EXPECT_THAT(graph.offsets(), ElementsAre(0, 3, 4, 5));
  EXPECT_THAT(graph.targets(), ElementsAre(1, 1, 2, 1, 1));
  EXPECT_THAT(graph.weights(), ElementsAre(-3, 4, 5, 2, 7));
  EXPECT_EQ(graph.loop_count(), 1);
  EXPECT_EQ(graph.edge_count(), 5);
  EXPECT_EQ(graph.weight_facts().least, -3);
  EXPECT_EQ(graph.weight_facts().greatest, 7);
  EXPECT_TRUE(graph.weight_facts().integral);
  EXPECT_FALSE(graph.weight_facts().unit);
}

TEST(GraphBuilder, KnowsInWhichOrderParallelArcsWereGiven) {
  const Graph graph = graph_of(
      3, {{0, 1, 7}, {0, 2, 1}, {0, 1, 2}, {1, 0, 4}, {0, 1, 2}, {0, 1, 5}, {2, 2, 3}}, false);
  EXPECT_TRUE(graph.knows_given_order());
  EXPECT_THAT(graph.weights_as_given(0, 1), ElementsAre(7, 2, 4, 2, 5));
  EXPECT_THAT(graph.weights_as_given(1, 0), ElementsAre(7, 2, 4, 2, 5));
  EXPECT_THAT(graph.weights_as_given(0, 2), ElementsAre(1));
  EXPECT_THAT(graph.weights_as_given(2, 2), ElementsAre(3));
  EXPECT_THAT(graph.weights_as_given(1, 2), ElementsAre());
  GraphBuilder other(2);
  other.add_edge(0, 1, 2);
  other.forget_order();
  EXPECT_FALSE(std::move(other).build().knows_given_order());
}

/// Builds with one thread or several, and sorts rows by ranks or by comparison.
TEST(GraphBuilder, KnowsTheOrderOfParallelArcsOfManyEdges) {
  constexpr Vertex kMany = 300;
  for (const int edges : {1'000, 200'000}) {
    base::SplitMix64 random(3);
    std::vector<std::vector<double>> given(std::size_t{kMany} * kMany);
    GraphBuilder builder(kMany);
    for (int i = 0; i < edges; ++i) {
      const auto from = static_cast<Vertex>(random.below(kMany));
      const auto to = static_cast<Vertex>(random.below(edges < 10'000 ? 3 : kMany));
      const auto weight = static_cast<double>(random.below(1000));
      builder.add_edge(from, to, weight);
      given[from * kMany + to].push_back(weight);
    }
    builder.set_threads(5);
    const Graph graph = std::move(builder).build();
    for (Vertex u = 0; u < kMany; ++u) {
      for (Vertex v = 0; v < kMany; ++v) {
        ASSERT_EQ(graph.weights_as_given(u, v), given[u * kMany + v]) << u << ' ' << v;
      }
    }
  }
}

/// Rows of many arcs are sorted by digits, and so are many real weights of one pair.
TEST(GraphBuilder, KnowsTheOrderOfManyParallelArcs) {
  for (const double unit : {1.0, 0.1, 0x1p31}) {
    base::SplitMix64 random(5);
    std::vector<std::vector<double>> given(9);
    GraphBuilder builder(3);
    for (int i = 0; i < 30'000; ++i) {
      const auto pair = static_cast<std::size_t>(random.below(9));
      const double weight = unit * (static_cast<double>(random.below(900)) - (unit < 1 ? 450 : 0));
      builder.add_edge(static_cast<Vertex>(pair / 3), static_cast<Vertex>(pair % 3), weight);
      given[pair].push_back(weight);
    }
    const Graph graph = std::move(builder).build();
    for (std::size_t pair = 0; pair < given.size(); ++pair) {
      const auto u = static_cast<Vertex>(pair / 3), v = static_cast<Vertex>(pair % 3);
      ASSERT_EQ(graph.weights_as_given(u, v), given[pair]) << unit;
      std::vector<double> rising;
      graph.for_each_arc_between(u, v, [&](double weight) { rising.push_back(weight); });
      std::sort(given[pair].begin(), given[pair].end());
      ASSERT_EQ(rising, given[pair]) << unit;
    }
  }
}

TEST(WeightFactsOfAGraph, LongestPathIsNotRoundedBelowTwoToThe53) {
  const Graph graph = graph_of(4, {{0, 1, 0x1p53}, {1, 2, 1}, {2, 3, 1}});
  EXPECT_GE(graph.weight_facts().longest_path, 0x1p53);
  EXPECT_EQ(graph_of(3, {{0, 1, 0x1p53 - 3}, {1, 2, 2}}).weight_facts().longest_path, 0x1p53 - 1);
}

TEST(GraphBuilder, AnUndirectedEdgeIsTwoArcsAndALoopOne) {
  const Graph graph = graph_of(2, {{1, 0, 0.5}, {1, 1, 2}}, false);
  EXPECT_THAT(graph.targets(), ElementsAre(1, 0, 1));
  EXPECT_EQ(graph.edge_count(), 2);
  EXPECT_EQ(graph.arc_count(), 3);
  EXPECT_FALSE(graph.weight_facts().integral);
}

TEST(GraphBuilder, RefusesWhatIsNoGraph) {
  GraphBuilder out_of_range(2);
  out_of_range.add_edge(0, 2);
  EXPECT_THROW(std::move(out_of_range).build(), Error);
  EXPECT_THROW(graph_of(2, {{0, 1, std::numeric_limits<double>::infinity()}}), Error);
  EXPECT_THROW(GraphBuilder(std::int64_t{1} << 40), Error);
  GraphBuilder twice(2);
  twice.set_labels({"a", "a"});
  EXPECT_THROW(std::move(twice).build(), Error);
}

ArcArrays arrays(const std::vector<Vertex>& targets, const std::vector<double>& weights) {
  ArcArrays arcs;
  arcs.targets = std::shared_ptr<Vertex[]>(new Vertex[targets.size()]);
  arcs.weights = std::shared_ptr<double[]>(new double[weights.size()]);
  std::copy(targets.begin(), targets.end(), const_cast<Vertex*>(arcs.targets.get()));
  std::copy(weights.begin(), weights.end(), const_cast<double*>(arcs.weights.get()));
  return arcs;
}

TEST(GraphBuilder, TakesRowsThatAreSorted) {
  GraphBuilder builder(3);
  const ArcArrays arcs = arrays({1, 1, 2, 1}, {-3, 4, 5, 0.5});
  builder.set_rows({0, 3, 4, 4}, arcs);
  const Graph graph = std::move(builder).build();
  EXPECT_EQ(graph.targets().data(), arcs.targets.get());  // nothing was copied
  EXPECT_EQ(graph.loop_count(), 1);
  EXPECT_EQ(graph.weight_facts().least, -3);
  EXPECT_EQ(graph.weight_facts().greatest, 5);
  EXPECT_EQ(graph.weight_facts().longest_path, 5.5);
  EXPECT_FALSE(graph.weight_facts().integral);
  EXPECT_FALSE(graph.symmetric());
}

TEST(GraphBuilder, RefusesRowsThatAreNone) {
  const auto build = [](bool directed, std::vector<std::int64_t> offsets, const ArcArrays& arcs) {
    GraphBuilder builder(2, directed);
    builder.set_rows(std::move(offsets), arcs);
    return std::move(builder).build();
  };
  EXPECT_NO_THROW(build(true, {0, 2, 2}, arrays({0, 1}, {1, 1})));
  EXPECT_THROW(build(true, {0, 2, 2}, arrays({1, 0}, {1, 1})), Error);
  EXPECT_THROW(build(true, {0, 2, 2}, arrays({1, 1}, {2, 1})), Error);
  EXPECT_THROW(build(true, {0, 1, 1}, arrays({2}, {1})), Error);
  EXPECT_THROW(build(true, {0, 1, 1}, arrays({1}, {std::numeric_limits<double>::quiet_NaN()})),
               Error);
  EXPECT_THROW(build(true, {0, 1}, arrays({1}, {1})), Error);
  EXPECT_NO_THROW(build(false, {0, 1, 2}, arrays({1, 0}, {1, 1})));
  EXPECT_THROW(build(false, {0, 1, 2}, arrays({1, 0}, {1, 2})), Error);
  EXPECT_THROW(build(false, {0, 1, 1}, arrays({1}, {1})), Error);
}

TEST(Graph, NamesAndFindsVertices) {
  GraphBuilder numbered(3);
  numbered.set_first_id(1);
  const Graph one_based = std::move(numbered).build();
  EXPECT_EQ(one_based.name(0), "1");
  EXPECT_EQ(one_based.find("3"), Vertex{2});
  EXPECT_EQ(one_based.find("0"), std::nullopt);
  EXPECT_EQ(one_based.find("4"), std::nullopt);
  EXPECT_EQ(one_based.find("x"), std::nullopt);

  GraphBuilder labelled(3);
  labelled.set_labels({"Rome", "Oslo", "Bern"});
  const Graph cities = std::move(labelled).build();
  EXPECT_EQ(cities.name(1), "Oslo");
  EXPECT_EQ(cities.find("Bern"), Vertex{2});
  EXPECT_EQ(cities.find("1"), std::nullopt);
}

TEST(Graph, DigestTellsGraphsApart) {
  const auto digest = [](double weight, bool directed) {
    return graph_of(2, {{0, 1, weight}}, directed).digest();
  };
  EXPECT_EQ(digest(1, true), digest(1, true));
  EXPECT_NE(digest(1, true), digest(2, true));
  EXPECT_NE(digest(1, true), digest(1, false));
}

TEST(Graph, TellsMinusZeroAsZero) {
  for (const bool first : {false, true}) {
    const Graph graph = graph_of(2, {{0, 1, first ? -0.0 : 0.0}, {1, 0, first ? 0.0 : -0.0}}, true);
    EXPECT_FALSE(std::signbit(graph.weight_facts().least));
    EXPECT_FALSE(std::signbit(graph.weight_facts().greatest));
  }
}

}  // namespace
}  // namespace apsp::graph_test

namespace apsp::graph::graph_test {
namespace {

TEST(Condensation, HoldsTheVerticesOfEachComponent) {
  const Graph graph = graph_of(5, {{0, 2, 1}, {2, 0, 1}, {2, 1, 7}, {3, 4, 1}, {4, 3, 1}});
  const Condensation condensation(graph);
  ASSERT_EQ(condensation.count(), 3U);
  EXPECT_THAT(condensation.vertices(condensation.of(2)), ElementsAre(0, 2));
  EXPECT_THAT(condensation.vertices(condensation.of(1)), ElementsAre(1));
  EXPECT_THAT(condensation.vertices(condensation.of(3)), ElementsAre(3, 4));
}

TEST(Condensation, TakesTheLightestArcBetweenTwoAndTheLongestWay) {
  // {0, 1} → {2, 3} by 9 and by 4, {0, 1} → {4} by 1, {4} → {2, 3} by 2.
  const Graph graph = graph_of(
      5, {{0, 1, 1}, {1, 0, 1}, {2, 3, 1}, {3, 2, 1}, {0, 2, 9}, {1, 3, 4}, {0, 4, 1}, {4, 2, 2}});
  const Condensation condensation(graph);
  EXPECT_EQ(condensation.longest_path({10, 100, 0}), 10 + 4 + 100);
  EXPECT_EQ(condensation.longest_path({10, 100, 5}), 10 + 1 + 5 + 2 + 100);
  EXPECT_EQ(Condensation(Graph()).longest_path({}), 0);
}

TEST(Condensation, BoundsTheDistancesOfAcyclicGraphs) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Graph graph = random_graph({.n = 40, .arcs = 90, .acyclic = true, .seed = seed});
    EXPECT_GE(Condensation(graph).longest_path(std::vector<double>(40, 0)),
              verifier::longest_distance(graph));
  }
}

}  // namespace
}  // namespace apsp::graph::graph_test

namespace apsp::graph_test {
namespace {

constexpr std::int64_t kEnough = 167;

std::int64_t edges_found(const Graph& graph, double sign = 1) {
  return path_edges(graph, {.sign = sign}, kEnough);
}

/// The path 0 – 1 – … – n − 1 in one direction or both.
Graph chain(std::int64_t n, bool directed, bool backwards = false, double weight = 0.1) {
  std::vector<Edge> edges;
  for (Vertex v = 0; v + 1 < n; ++v) {
    edges.push_back(backwards ? Edge{v + 1, v, weight} : Edge{v, v + 1, weight});
  }
  return graph_of(n, edges, directed);
}

/// A complete graph with weight(u, v) for u ≠ v.
template <class T, class Weight>
Graph dense_graph(std::int64_t n, bool by_columns, Weight&& weight) {
  const auto values = std::make_shared<std::vector<T>>(static_cast<std::size_t>(n * n), T(0));
  for (std::int64_t i = 0; i < n * n; ++i) {
    const std::int64_t line = i / n, place = i % n;
    if (line == place) continue;
    (*values)[static_cast<std::size_t>(i)] =
        static_cast<T>(by_columns ? weight(place, line) : weight(line, place));
  }
  GraphBuilder builder(n);
  builder.set_matrix({.type = sizeof(T) == 4 ? ValueType::f32 : ValueType::f64,
                      .n = n,
                      .by_columns = by_columns,
                      .data = values->data(),
                      .owner = values});
  return std::move(builder).build();
}

TEST(PathEdges, OfFewVerticesAreThoseOfAPathThroughAll) {
  EXPECT_EQ(edges_found(Graph()), 0);
  EXPECT_EQ(edges_found(graph_of(1, {})), 0);
  EXPECT_EQ(edges_found(graph_of(168, {})), 167);
}

TEST(PathEdges, OfAChainAreMoreThanEnough) {
  for (const bool directed : {false, true}) {
    for (const bool backwards : {false, true}) {
      EXPECT_GT(edges_found(chain(5000, directed, backwards)), kEnough);
      // One-way chains: a search finds only the vertices after its source.
      EXPECT_GE(path_edges(chain(5000, directed, backwards), {}, 4998), directed ? 2500 : 4999);
    }
  }
  EXPECT_GT(edges_found(chain(5000, true, false, -0.1), -1), kEnough) << "longest paths";
}

TEST(PathEdges, OfAnyComponentCount) {
  // 400 pairs, and a chain of 300 among them.
  std::vector<Edge> edges;
  for (Vertex v = 0; v < 800; v += 2) edges.push_back({v, v + 1, 0.5});
  for (Vertex v = 800; v + 1 < 1100; ++v) edges.push_back({v, v + 1, 0.5});
  EXPECT_GT(edges_found(graph_of(1100, edges, false)), kEnough);
}

TEST(PathEdges, ThatAreShortcutsAreFew) {
  // A chain whose first vertex has an arc to each.
  std::vector<Edge> edges;
  for (Vertex v = 0; v + 1 < 3000; ++v) edges.push_back({v, v + 1, 1.5});
  for (Vertex v = 1; v < 3000; ++v) edges.push_back({0, v, 0.25});
  EXPECT_LE(edges_found(graph_of(3000, edges, false)), 2);
}

TEST(PathEdges, OfRandomGraphsAreFew) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Graph sparse =
        random_graph({.n = 3000, .arcs = 20000, .greatest = 100, .real = true, .seed = seed});
    EXPECT_LE(edges_found(sparse), 60);
  }
}

TEST(PathEdges, OfRandomMatricesAreFew) {
  base::SplitMix64 random(7);
  for (const std::int64_t n : {169, 200, 400, 1000}) {
    for (int i = 0; i < 8; ++i) {
      const Graph graph =
          dense_graph<float>(n, i % 2 == 1, [&](auto, auto) { return 0.01 + random.uniform(); });
      ASSERT_NE(graph.matrix(), nullptr);
      EXPECT_LE(edges_found(graph), 100) << n;
    }
  }
}

TEST(PathEdges, OfADenseChainAreMany) {
  // Neighbours are near, and every other arc is a little longer than the way along the chain.
  const auto along = [](std::int64_t u, std::int64_t v) {
    return 0.1 * static_cast<double>(std::abs(u - v)) * (std::abs(u - v) == 1 ? 1 : 1.001);
  };
  for (const bool by_columns : {false, true}) {
    EXPECT_GT(edges_found(dense_graph<double>(200, by_columns, along)), kEnough);
    EXPECT_GT(edges_found(dense_graph<float>(1500, by_columns, along)), kEnough);
  }
}

TEST(PathEdges, OfAMatrixAreFoundWhereFewVerticesReachAny) {
  // 36 of 100 vertices have arcs, and the shortest paths there take every vertex on the way.
  const Graph graph = dense_graph<float>(100, false, [](std::int64_t u, std::int64_t v) {
    const bool there = 27 <= u && u < v && v < 63;
    return there ? static_cast<float>((v - u) * (v - u)) : WeightMatrix::no_arc<float>();
  });
  ASSERT_NE(graph.matrix(), nullptr);
  EXPECT_GT(path_edges(graph, {}, 10), 10);
  EXPECT_GE(path_edges(graph, {}, 0), 1) << "an arc is a path";
}

TEST(PathEdges, OfSignedWeightsFollowTheirPotentials) {
  std::vector<Edge> edges;
  for (Vertex v = 0; v + 1 < 1000; ++v) edges.push_back({v, v + 1, v % 2 == 0 ? 0.75 : -0.5});
  const Graph graph = graph_of(1000, edges);
  const Potentials found = potentials(graph);
  ASSERT_FALSE(found.cycle);
  EXPECT_GT(path_edges(graph, {.sign = 1, .potentials = found.h}, kEnough), kEnough);
}

TEST(PathEdges, OfLongestPathsAreThoseOfTheLongestChain) {
  EXPECT_GT(edges_found(chain(1000, true), -1), kEnough);
  std::vector<Edge> edges;
  for (Vertex v = 1; v < 1000; ++v) edges.push_back({0, v, 0.5});
  EXPECT_EQ(edges_found(graph_of(1000, edges), -1), 1);
}

}  // namespace
}  // namespace apsp::graph_test

namespace apsp::graph::graph_test {
namespace {

// Copies of a file's matrix equal its arcs.
/// Entries from −3 to 96 (from 1 for unsigned types); every eighth is no arc.
template <class T>
WeightMatrix random_matrix(ValueType type, std::int64_t n, bool by_columns) {
  base::SplitMix64 random(static_cast<std::uint64_t>(n) + 1);
  auto values = std::make_shared<std::vector<T>>(static_cast<std::size_t>(n * n));
  for (T& value : *values) {
    const auto whole = static_cast<double>(random.below(100)) - (std::is_signed_v<T> ? 3 : -1);
    value = random.below(8) == 0 ? WeightMatrix::no_arc<T>() : static_cast<T>(whole);
  }
  WeightMatrix matrix;
  matrix.type = type;
  matrix.n = n;
  matrix.by_columns = by_columns;
  matrix.data = values->data();
  matrix.owner = values;
  return matrix;
}

Graph listed(const Graph& graph) {
  GraphBuilder builder(graph.vertex_count());
  for (Vertex v = 0; v < graph.vertex_count(); ++v) {
    graph.for_each_arc(v, [&](Vertex to, double weight) { builder.add_edge(v, to, weight); });
  }
  return std::move(builder).build();
}

/// Parts of a 2 × 3 grid with tiles of side 5, joined again.
template <class T>
std::vector<T> copied_by_parts(const WeightMatrix& weights, Semiring semiring, ValueType type,
                               std::int64_t stride) {
  std::vector<T> whole(static_cast<std::size_t>(weights.n * stride), T(7));
  const auto distribution = [&](std::int64_t rank, std::int64_t size) {
    std::vector<Stretch> stretches;
    std::int64_t here = 0;
    for (std::int64_t there = 5 * rank; there < weights.n; there += 5 * size) {
      stretches.push_back({here, there, std::min<std::int64_t>(5, weights.n - there)});
      here += stretches.back().count;
    }
    return stretches;
  };
  for (const std::int64_t row : {0, 1}) {
    for (const std::int64_t col : {0, 1, 2}) {
      const std::vector<Stretch> rows = distribution(row, 2), columns = distribution(col, 3);
      std::vector<T> part(whole.size(), T(9));
      copy_weight_part(weights, semiring, type, rows, columns,
                       {part.data(), weights.n, weights.n, stride}, 2, {});
      for (const Stretch& down : rows) {
        for (const Stretch& across : columns) {
          for (std::int64_t i = 0; i < down.count; ++i) {
            std::copy_n(part.begin() + (down.here + i) * stride + across.here, across.count,
                        whole.begin() + (down.there + i) * stride + across.there);
          }
        }
      }
    }
  }
  return whole;
}

template <class T>
void expect_copied(const WeightMatrix& weights, Semiring semiring, ValueType type) {
  GraphBuilder builder(weights.n);
  builder.set_matrix(weights);
  const Graph graph = std::move(builder).build();
  if (!supported(semiring, type)) return;
  ASSERT_EQ(graph.matrix() != nullptr, graph.arc_count() > 0);  // n = 1 may hold no arc
  const std::int64_t stride = weights.n + 5;
  std::vector<T> copied(static_cast<std::size_t>(weights.n * stride), T(7)), filled = copied;
  fill_adjacency_matrix(graph, semiring, type, {copied.data(), weights.n, weights.n, stride}, 2);
  fill_adjacency_matrix(listed(graph), semiring, type,
                        {filled.data(), weights.n, weights.n, stride}, 2);
  EXPECT_EQ(copied, filled) << name(semiring) << " " << name(type) << " of " << name(weights.type)
                            << " n=" << weights.n << (weights.by_columns ? " by columns" : "");
  EXPECT_EQ(copied_by_parts<T>(weights, semiring, type, stride), copied)
      << name(semiring) << " by parts, n=" << weights.n;
  for (const Graph& held : {graph, listed(graph)}) {
    std::vector<T> pieces(copied.size(), T(7));
    constexpr std::int64_t kRows = 13;
    for (std::int64_t first = 0; first < weights.n; first += kRows) {
      fill_adjacency_rows(
          held, semiring, type, first,
          {pieces.data() + first * stride, std::min(kRows, weights.n - first), weights.n, stride},
          2);
    }
    EXPECT_EQ(pieces, copied) << "n=" << weights.n << " row by row";
  }
}

TEST(WeightMatrix, CopiedIsFilledArcByArc) {
  for (const std::int64_t n : {1, 2, 63, 64, 65, 200}) {
    for (const bool by_columns : {false, true}) {
      for (const WeightMatrix& weights :
           {random_matrix<float>(ValueType::f32, n, by_columns),
            random_matrix<double>(ValueType::f64, n, by_columns),
            random_matrix<std::int32_t>(ValueType::i32, n, by_columns),
            random_matrix<std::uint16_t>(ValueType::u16, n, by_columns)}) {
        for (const Semiring semiring : all_semirings()) {
          expect_copied<float>(weights, semiring, ValueType::f32);
          expect_copied<double>(weights, semiring, ValueType::f64);
          expect_copied<std::int32_t>(weights, semiring, ValueType::i32);
          if (weights.type == ValueType::u16) {
            expect_copied<std::uint16_t>(weights, semiring, ValueType::u16);
          }
          expect_copied<std::uint8_t>(weights, semiring, ValueType::boolean);
        }
      }
    }
  }
}

TEST(WeightMatrix, WeightsBeyondTheTypeAreNoArcs) {
  WeightMatrix weights = random_matrix<std::int32_t>(ValueType::i32, 65, false);
  auto values = std::make_shared<std::vector<std::int32_t>>(
      static_cast<const std::int32_t*>(weights.data),
      static_cast<const std::int32_t*>(weights.data) + 65 * 65);
  for (std::int32_t& value : *values) value = std::max(1, value);
  (*values)[1] = 65536 + 7;  // would wrap to 7
  (*values)[2] = 32767;
  (*values)[3] = 32766;
  weights.data = values->data();
  weights.owner = values;
  expect_copied<std::uint16_t>(weights, Semiring::min_plus, ValueType::u16);
  std::vector<std::uint16_t> copied(65 * 65);
  copy_weight_matrix(weights, Semiring::min_plus, ValueType::u16, {copied.data(), 65, 65, 65}, 1,
                     {});
  EXPECT_EQ(copied[1], 32767);
  EXPECT_EQ(copied[2], 32767);
  EXPECT_EQ(copied[3], 32766);
}

}  // namespace
}  // namespace apsp::graph::graph_test
