// The verifier accepts the textbook's results, and reports what it did.
#include <apsp/graph.hpp>

#include "base/random.hpp"
#include "support/graph_of.hpp"
#include "support/matrix_store.hpp"
#include "support/recorded_progress.hpp"
#include "support/test.hpp"
#include "support/textbook.hpp"
#include "support/types_of.hpp"

namespace apsp::verifier::verifier_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

VerifyOptions with_sample(std::int64_t sources, std::uint64_t seed = 1) {
  VerifyOptions options{.sources = sources, .seed = seed};
  return options;
}

Graph acyclic_graph(std::uint64_t seed) {
  base::SplitMix64 random(seed);
  GraphBuilder builder(17);
  for (Vertex u = 0; u < 17; ++u) {
    for (Vertex v = u + 1; v < 17; ++v) {
      if (random.below(4) == 0) builder.add_edge(u, v, static_cast<double>(random.below(20)) - 5);
    }
  }
  return std::move(builder).build();
}

TEST(Verifier, PassesEverySemiringAndType) {
  for (const auto& [semiring, type] : all_kinds()) {
    for (const std::int64_t n : {0, 1, 2, 17, 40}) {
      for (const bool directed : {true, false}) {
        const Graph graph =
            semiring == Semiring::max_plus
                ? acyclic_graph(static_cast<std::uint64_t>(n))
                : generate({.vertices = n, .probability = 0.07, .directed = directed});
        const VerifyReport report = verify(graph, solved(graph, semiring, type), {});
        EXPECT_TRUE(report.passed) << name(semiring) << ' ' << name(type) << ' ' << n;
        EXPECT_EQ(report.tolerance, 0);
        EXPECT_EQ(report.meaning, "proof");
        EXPECT_EQ(report.sources_checked, report.sources);
      }
    }
  }
}

TEST(Verifier, FailsWhatF32CutsInEverySemiring) {
  for (const Semiring semiring :
       {Semiring::min_plus, Semiring::max_plus, Semiring::max_min, Semiring::min_max}) {
    for (const double small : {1e-50, -1e-50, 1e-42, -1e-42}) {
      const Graph graph = graph_of(3, {{0, 1, 2 * std::abs(small)}, {1, 2, small}});
      SCOPED_TRACE(testing::Message() << name(semiring) << ' ' << small);
      EXPECT_TRUE(verify(graph, solved(graph, semiring, ValueType::f64), {}).passed);
      EXPECT_FALSE(verify(graph, solved(graph, semiring, ValueType::f32), {}).passed);
    }
  }
  const Graph held = graph_of(3, {{0, 1, 0x1p-149}, {1, 2, 0x1p-130}});
  EXPECT_TRUE(verify(held, solved(held, Semiring::min_plus, ValueType::f32), {}).passed);
}

TEST(Verifier, ReportsEveryCheckWithItsCount) {
  const Graph graph = small_graph();
  const VerifyReport report = verify(graph, solved(graph), {});
  std::vector<std::string> names;
  for (const VerifyCheck& check : report.checks) names.push_back(check.name);
  EXPECT_THAT(names, ElementsAre("diagonal", "edges", "triangle", "tightness", "reachability"));
  EXPECT_EQ(find(report, "diagonal").tested, 6);
  EXPECT_EQ(find(report, "edges").tested, 8);
  // All six arcs of its side from 0, three from 1, one from 2, none from 3; two from 4 and 5.
  EXPECT_EQ(find(report, "triangle").tested, 6 + 3 + 1 + 0 + 2 + 2);
  EXPECT_EQ(find(report, "tightness").tested, 3 + 2 + 1 + 0 + 1 + 1);
  EXPECT_EQ(find(report, "reachability").tested, 36);
}

TEST(Verifier, LabelsStandInTheSentences) {
  GraphBuilder builder(2);
  builder.add_edge(0, 1, 7);
  builder.set_labels({"Oslo", "Bern"});
  const Graph graph = std::move(builder).build();
  MatrixStore store = solved(graph, Semiring::min_plus, ValueType::f64);
  store.at(0, 1) = 7.5;
  EXPECT_EQ(find(verify(graph, store, {}), "edges").first_failure,
            "distance from Oslo to Bern is 7.5, but the edge Oslo → Bern has 7");
}

TEST(Verifier, SentencesOfNegatedSemirings) {
  const Graph graph = graph_of(3, {{0, 1, 4}, {1, 2, 6}});
  MatrixStore store = solved(graph, Semiring::max_min, ValueType::f32);
  store.at(0, 2) = 3;
  EXPECT_EQ(find(verify(graph, store, {}), "triangle").first_failure,
            "distance from 0 to 2 is 3, but 0 → 1 (4) and the edge 1 → 2 (6) give 4");
  store.at(0, 2) = 0;
  store.at(1, 0) = 1;
  EXPECT_EQ(find(verify(graph, store, {}), "reachability").first_failure,
            "distance from 1 to 0 is 1, but there is no path");
}

TEST(Verifier, BottlenecksOfRealWeightsAreExactInFloats) {
  const Graph graph = generate({.vertices = 50, .probability = 0.1, .real_weights = true});
  for (const Semiring semiring : {Semiring::max_min, Semiring::min_max}) {
    MatrixStore store = solved(graph, semiring, ValueType::f32);
    const VerifyReport report = verify(graph, store, {});
    EXPECT_TRUE(report.passed);
    EXPECT_EQ(report.tolerance, 0);
    store.at(3, 4) *= 1 + 1e-6;
    EXPECT_FALSE(verify(graph, store, {}).passed);
  }
}

TEST(Verifier, RealWeightsPassWithinTolerance) {
  for (const bool negative : {false, true}) {
    const Graph graph = generate({.kind = GraphKind::geometric,
                                  .vertices = 150,
                                  .least_weight = 0.1,
                                  .real_weights = true,
                                  .negative = negative});
    for (const ValueType type : {ValueType::f32, ValueType::f64}) {
      MatrixStore store = solved(graph, Semiring::min_plus, type);
      const VerifyReport report = verify(graph, store, {});
      EXPECT_TRUE(report.passed) << name(type);
      EXPECT_DOUBLE_EQ(report.tolerance, 300 * (type == ValueType::f32 ? 0x1p-24 : 0x1p-53));
      EXPECT_EQ(report.meaning, "proof, within tolerance");
      store.at(2, graph.targets(2)[0]) += 1;
      EXPECT_FALSE(verify(graph, store, {}).passed) << name(type);
    }
  }
}

TEST(Verifier, CancellingSumsAreComparedAsReducedLengths) {
  const Graph graph = graph_of(3, {{0, 1, 1000000.123}, {1, 2, -1000000.120}});
  // In f64 a millionth is far beyond rounding; a tolerance relative to the largest distance would
  // accept it.
  MatrixStore wide = solved(graph, Semiring::min_plus, ValueType::f64);
  EXPECT_TRUE(verify(graph, wide, {}).passed);
  wide.at(0, 2) += 1e-6;
  EXPECT_FALSE(verify(graph, wide, {}).passed);
  // One rounding of f32 is 0.03 here.
  MatrixStore narrow = solved(graph, Semiring::min_plus, ValueType::f32);
  EXPECT_TRUE(verify(graph, narrow, {}).passed);
  narrow.at(0, 2) = 2;
  EXPECT_FALSE(verify(graph, narrow, {}).passed);
}

TEST(Verifier, AZeroThatIsNoRoundingFailsBesideLargeWeights) {
  // The distance from 0 to 3 does not depend on the million elsewhere in its row.
  const Graph graph = graph_of(4, {{0, 1, 1e6}, {1, 2, -0.5}, {0, 3, 0.25}});
  MatrixStore store = solved(graph, Semiring::min_plus, ValueType::f32);
  EXPECT_TRUE(verify(graph, store, {}).passed);
  store.at(0, 3) = 0.24;
  EXPECT_FALSE(verify(graph, store, {}).passed);
}

TEST(Verifier, NoRowPassesThatReachesANegativeCycle) {
  // Its weight, −1e-9, is too small for f32.
  const Graph graph = graph_of(4, {{0, 1, 0.5}, {1, 2, 0.5}, {2, 1, -0.500000001}, {3, 0, 1}});
  const MatrixStore store = solved(graph, Semiring::min_plus, ValueType::f32);
  const VerifyReport report = verify(graph, store, {});
  EXPECT_FALSE(report.passed);
  EXPECT_EQ(find(report, "triangle").first_failure,
            "a negative cycle leads through 1, so there are no shortest distances");
}

TEST(Verifier, IntegersBeyondTheMantissaAreNotExact) {
  const Graph graph = graph_of(3, {{0, 1, 16777215}, {1, 2, 3}});
  const VerifyReport report = verify(graph, solved(graph, Semiring::min_plus, ValueType::f32), {});
  EXPECT_TRUE(report.passed);
  EXPECT_GT(report.tolerance, 0);
  EXPECT_EQ(verify(graph, solved(graph, Semiring::min_plus, ValueType::f64), {}).tolerance, 0);
}

TEST(Verifier, AFractionIsNotTakenForItsIntegerPart) {
  const Graph graph = graph_of(2, {{0, 1, 1.5}});
  MatrixStore store(2, Semiring::min_plus, ValueType::i32,
                    {0, 1, no_path(Semiring::min_plus, ValueType::i32), 0});
  EXPECT_FALSE(failures(graph, store).empty());
}

TEST(Verifier, ToleranceCanBeGiven) {
  const Graph graph = graph_of(2, {{0, 1, 100}});
  MatrixStore store = solved(graph, Semiring::min_plus, ValueType::f64);
  store.at(0, 1) = 100.5;
  EXPECT_FALSE(verify(graph, store, {}).passed);
  EXPECT_FALSE(verify(graph, store, with_tolerance(0.004)).passed);
  const VerifyReport report = verify(graph, store, with_tolerance(0.006));
  EXPECT_TRUE(report.passed);
  EXPECT_EQ(report.tolerance, 0.006);
  store.at(0, 1) = kInfinity;
  EXPECT_FALSE(verify(graph, store, with_tolerance(0.5)).passed);
}

TEST(Verifier, ASampleIsSaidToBeOne) {
  const Graph graph = generate({.vertices = 60, .probability = 0.1});
  const MatrixStore store = solved(graph);
  const VerifyReport report = verify(graph, store, with_sample(7));
  EXPECT_TRUE(report.passed);
  EXPECT_EQ(report.sources_checked, 7);
  EXPECT_EQ(report.sources, 60);
  EXPECT_EQ(report.meaning, "proof for the sampled sources");
  EXPECT_EQ(find(report, "diagonal").tested, 7);
  EXPECT_EQ(verify(graph, store, with_sample(1000)).meaning, "proof");

  // One wrong row: found with some seeds and not with others, each row once.
  MatrixStore wrong = store;
  wrong.at(5, 5) = 1;
  int found = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const VerifyReport sampled = verify(graph, wrong, with_sample(30, seed));
    EXPECT_LE(find(sampled, "diagonal").failed, 1);
    if (!sampled.passed) ++found;
  }
  EXPECT_NEAR(found, 100, 30);
}

TEST(Verifier, RefusesWhatDoesNotFitTogether) {
  const Graph graph = small_graph();
  const MatrixStore other(5, Semiring::min_plus, ValueType::i32, std::vector<double>(25));
  const MatrixStore store = solved(graph);
  const auto refused = [&](const store::Store& matrix, const VerifyOptions& options) {
    return error_of([&] { verify(graph, matrix, options); }).kind() == ErrorKind::usage;
  };
  EXPECT_TRUE(refused(other, {}));
  EXPECT_TRUE(refused(store, with_sample(-1)));
  EXPECT_TRUE(refused(store, with_tolerance(-0.5)));
  EXPECT_TRUE(refused(store, with_tolerance(std::nan(""))));
}

TEST(Verifier, ReportsProgressAndCanBeInterrupted) {
  const Graph graph = small_graph();
  RecordedProgress progress;
  VerifyOptions options;
  options.control.progress = &progress;
  verify(graph, solved(graph), options);
  EXPECT_EQ(progress.task, "verify");
  EXPECT_EQ(progress.unit, "row");
  EXPECT_TRUE(progress.complete());
  Cancellation cancellation;
  cancellation.request();
  options.control.cancellation = &cancellation;
  EXPECT_EQ(error_of([&] { verify(graph, solved(graph), options); }).kind(),
            ErrorKind::interrupted);
}

// The oracles against each other, and against small cases solved by hand.

/// 0 → 1 → 2 with parallel arcs and a detour 0 → 2, a loop at 1, an isolated vertex 3.
Graph small_graph() {
  GraphBuilder builder(4);
  for (const Edge& edge : {Edge{0, 1, 2}, {0, 1, 5}, {1, 2, 3}, {0, 2, 9}, {1, 1, 4}}) {
    builder.add_edge(edge.from, edge.to, edge.weight);
  }
  return std::move(builder).build();
}

TEST(Adjacency, FoldsParallelArcsBySemiring) {
  const auto row = [](Semiring semiring) {
    const std::vector<double> all = adjacency(small_graph(), semiring);
    return std::vector(all.begin(), all.begin() + 4);
  };
  EXPECT_THAT(row(Semiring::min_plus), ElementsAre(0, 2, 9, kInfinity));
  EXPECT_THAT(row(Semiring::max_plus), ElementsAre(0, 5, 9, -kInfinity));
  EXPECT_THAT(row(Semiring::max_min), ElementsAre(kInfinity, 5, 9, -kInfinity));
  EXPECT_THAT(row(Semiring::min_max), ElementsAre(-kInfinity, 2, 9, kInfinity));
  EXPECT_THAT(row(Semiring::or_and), ElementsAre(1, 1, 1, 0));
}

TEST(FloydWarshall, ByHand) {
  const auto row = [](Semiring semiring) {
    const std::vector<double> all = floyd_warshall(small_graph(), semiring);
    return std::vector(all.begin(), all.begin() + 4);
  };
  EXPECT_THAT(row(Semiring::min_plus), ElementsAre(0, 2, 5, kInfinity));
  EXPECT_THAT(row(Semiring::max_min), ElementsAre(kInfinity, 5, 9, -kInfinity));
  EXPECT_THAT(row(Semiring::min_max), ElementsAre(-kInfinity, 2, 3, kInfinity));
  EXPECT_THAT(row(Semiring::or_and), ElementsAre(1, 1, 1, 0));
}

TEST(FloydWarshall, LongestPathOfAnAcyclicGraph) {
  GraphBuilder builder(4);
  for (const Edge& edge : {Edge{0, 1, 2}, {1, 2, 3}, {0, 2, 4}, {2, 3, -1}}) {
    builder.add_edge(edge.from, edge.to, edge.weight);
  }
  const std::vector<double> d = floyd_warshall(std::move(builder).build(), Semiring::max_plus);
  EXPECT_THAT(std::vector(d.begin(), d.begin() + 4), ElementsAre(0, 2, 5, 4));
}

TEST(FloydWarshall, NegativeCyclesShowOnTheDiagonal) {
  const std::vector<double> d =
      floyd_warshall(graph_of(3, {{0, 1, 2}, {1, 0, -3}, {2, 2, -1}}), Semiring::min_plus);
  EXPECT_LT(d[0], 0);
  EXPECT_LT(d[4], 0);
  EXPECT_LT(d[8], 0);
}

TEST(FloydWarshall, NoVertexAndOneVertex) {
  EXPECT_TRUE(floyd_warshall(Graph(), Semiring::min_plus).empty());
  EXPECT_THAT(floyd_warshall(GraphBuilder(1).build(), Semiring::min_plus), ElementsAre(0));
}

TEST(Dijkstra, EqualsFloydWarshall) {
  for (const bool directed : {true, false}) {
    const Graph graph =
        generate({.vertices = 97, .probability = 0.03, .least_weight = 0, .directed = directed});
    const std::vector<double> d = floyd_warshall(graph, Semiring::min_plus);
    for (Vertex s = 0; s < 97; ++s) {
      EXPECT_EQ(dijkstra(graph, s), std::vector(d.begin() + 97 * s, d.begin() + 97 * (s + 1)));
    }
  }
}

TEST(Bfs, CountsHops) {
  const Graph graph = generate({.vertices = 97, .probability = 0.02, .greatest_weight = 1});
  ASSERT_TRUE(graph.weight_facts().unit);
  const std::vector<double> d = floyd_warshall(graph, Semiring::min_plus);
  for (Vertex s = 0; s < 97; ++s) {
    const std::vector<std::int64_t> hops = bfs(graph, s);
    for (Vertex v = 0; v < 97; ++v) {
      EXPECT_EQ(hops[v] < 0 ? kInfinity : static_cast<double>(hops[v]), d[97 * s + v]);
    }
  }
}

}  // namespace
}  // namespace apsp::verifier::verifier_test
