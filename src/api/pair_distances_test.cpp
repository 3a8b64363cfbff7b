// Distances of pairs straight from a graph are those of its result, in every semiring, whether rows
// are found along or against the arcs or a factor is asked.
#include <gtest/gtest.h>

#include <apsp/apsp.hpp>
#include <string>

#include "base/random.hpp"
#include "support/error_of.hpp"
#include "support/graph_of.hpp"
#include "support/random_graph.hpp"

namespace apsp {
namespace {

constexpr std::int64_t kVertices = 300;

/// Pairs of some sources and some targets, some of them twice.
std::vector<VertexPair> drawn_pairs(std::uint64_t sources, std::uint64_t targets, int count) {
  base::SplitMix64 random(7);
  std::vector<VertexPair> pairs = {{0, 0}};
  for (int i = 0; i < count; ++i) {
    pairs.push_back(
        {static_cast<Vertex>(random.below(sources)), static_cast<Vertex>(random.below(targets))});
  }
  return pairs;
}

struct Solved {
  std::vector<double> distances;
  PlanReport plan;
};

Solved told(const Graph& graph, const std::vector<VertexPair>& pairs, SolveOptions options = {}) {
  Solved found;
  options.machine.threads = 2;
  options.on_plan = [&](const PlanReport& plan) { found.plan = plan; };
  found.distances = distances(graph, pairs, options);
  return found;
}

/// A grid of streets; a narrow one has a small factor.
Graph streets(Vertex width, Vertex length) {
  GraphBuilder builder(std::int64_t{width} * length, false);
  for (Vertex v = 0; v < width * length; ++v) {
    if ((v + 1) % width != 0) builder.add_edge(v, v + 1, 1 + v % 7);
    if (v + width < width * length) builder.add_edge(v, v + width, 1 + v % 5);
  }
  return std::move(builder).build();
}

TEST(PairDistances, AreThoseOfTheResultInEverySemiring) {
  const RandomGraph shape{.n = kVertices, .arcs = 3 * kVertices, .least = 0, .greatest = 9};
  for (const Semiring semiring : all_semirings()) {
    RandomGraph of = shape;
    of.acyclic = semiring == Semiring::max_plus;
    const Graph graph = random_graph(of);
    const Result whole = solve(graph, {.question = {.semiring = semiring}});
    for (const auto& pairs : {drawn_pairs(3, kVertices, 200), drawn_pairs(kVertices, 3, 200),
                              drawn_pairs(kVertices, kVertices, 500)}) {
      for (const Algorithm algorithm : {Algorithm::automatic, Algorithm::nested_dissection}) {
        EXPECT_EQ(told(graph, pairs,
                       {.question = {.semiring = semiring}, .method = {.algorithm = algorithm}})
                      .distances,
                  whole.distances(pairs))
            << name(semiring) << " " << name(algorithm);
      }
    }
  }
}

TEST(PairDistances, TakeNegativeWeights) {
  const Graph graph = random_graph({.n = kVertices, .arcs = 3 * kVertices, .potential = 40});
  const Result whole = solve(graph);
  for (const auto& pairs : {drawn_pairs(3, kVertices, 50), drawn_pairs(kVertices, 3, 500)}) {
    EXPECT_EQ(told(graph, pairs, {.method = {.algorithm = Algorithm::johnson}}).distances,
              whole.distances(pairs));
  }
}

TEST(PairDistances, OfFewTargetsAreFoundAgainstTheArcs) {
  const Graph graph =
      random_graph({.n = kVertices, .arcs = 3 * kVertices, .least = 1, .greatest = 9});
  const SolveOptions searching{.method = {.algorithm = Algorithm::johnson}};
  EXPECT_EQ(told(graph, drawn_pairs(kVertices, 2, 500), searching).plan.sources, 2);
  EXPECT_EQ(told(graph, drawn_pairs(2, kVertices, 500), searching).plan.sources, 2);
  const Graph negative = random_graph({.n = kVertices, .arcs = 3 * kVertices, .potential = 40});
  EXPECT_GT(told(negative, drawn_pairs(kVertices, 2, 500), searching).plan.sources, 2);
}

TEST(PairDistances, OfOnePairAreASearch) {
  const Solved found = told(streets(60, 60), {{0, 3599}});
  EXPECT_EQ(found.plan.algorithm, Algorithm::johnson);
  EXPECT_EQ(found.plan.keep, Keep::statistics);
}

TEST(PairDistances, OfManyPairsAreAskedOfTheFactor) {
  constexpr Vertex kVerticesOfStreets = 36'000;
  const Graph graph = streets(3, kVerticesOfStreets / 3);
  const SolveOptions dissecting{.method = {.algorithm = Algorithm::nested_dissection}};
  const auto some = drawn_pairs(kVerticesOfStreets, kVerticesOfStreets, 100);
  const Solved asked = told(graph, some, dissecting);
  EXPECT_EQ(asked.plan.keep, Keep::factor);
  EXPECT_EQ(asked.distances,
            told(graph, some, {.method = {.algorithm = Algorithm::johnson}}).distances);
  const auto all_of_few = drawn_pairs(3, kVerticesOfStreets, 100'000);
  EXPECT_EQ(told(graph, all_of_few, dissecting).plan.keep, Keep::statistics);
}

TEST(PairDistances, OfAFactorAreTheSameInAnyMemory) {
  for (const bool directed : {false, true}) {
    for (const Semiring semiring : {Semiring::min_plus, Semiring::max_min, Semiring::or_and}) {
      const Graph graph =
          generate({.kind = GraphKind::roads, .vertices = 3000, .directed = directed});
      const Result factor = solve(graph, {.question = {.semiring = semiring, .statistics = false},
                                          .storage = {.keep = Keep::factor}});
      const auto pairs = drawn_pairs(3000, 3000, 40'000);
      const std::vector<double> found = factor.distances(pairs);
      EXPECT_EQ(factor.distances(pairs, {.memory = 1}), found);
      EXPECT_EQ(factor.distances(pairs, {.memory = 3 << 20, .threads = 2}), found);
      EXPECT_EQ(factor.distances(pairs, {.threads = 1}), found);
      for (std::size_t i = 0; i < pairs.size(); i += 4001) {
        EXPECT_EQ(found[i], factor.distances_from(pairs[i].from)[pairs[i].to]);
      }
    }
  }
}

TEST(PairDistances, OfAFactorEndWhenTheCallerAsks) {
  const Graph graph = generate({.kind = GraphKind::roads, .vertices = 3000, .directed = false});
  const Result factor =
      solve(graph, {.question = {.statistics = false}, .storage = {.keep = Keep::factor}});
  const auto pairs = drawn_pairs(3000, 3000, 40'000);
  Cancellation cancellation;
  cancellation.request();
  for (const std::int64_t memory : {1, 0}) {
    EXPECT_ERROR(interrupted,
                 factor.distances(pairs, {.memory = memory, .control = {nullptr, &cancellation}}));
  }
  EXPECT_ERROR(
      usage, factor.distances(std::vector<VertexPair>(1000, VertexPair{0, 3000}), PairsOptions()));
}

TEST(PairDistances, RefuseWhatIsNoVertexAndACycle) {
  const Graph graph = streets(3, 3);
  EXPECT_TRUE(distances(graph, {}).empty());
  const auto asked = [](const Graph& of, VertexPair pair) {
    return error_of([&] { distances(of, std::vector<VertexPair>{pair}); }).kind();
  };
  EXPECT_EQ(asked(graph, {0, 9}), ErrorKind::usage);
  EXPECT_EQ(asked(graph_of(2, {{0, 1, 1}, {1, 0, -2}}), {0, 1}), ErrorKind::negative_cycle);
}

}  // namespace
}  // namespace apsp
