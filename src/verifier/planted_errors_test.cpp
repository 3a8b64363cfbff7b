// The verifier finds every planted error, by the check that is responsible for it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <apsp/error.hpp>
#include <apsp/graph.hpp>

#include <cmath>
#include <limits>

#include "base/random.hpp"
#include "support/graph_of.hpp"
#include "support/matrix_store.hpp"

namespace apsp::verifier {
namespace {

using testing::ElementsAre;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Verifier, FindsAnEntryTooLarge) {
  const Graph graph = small_graph();
  MatrixStore store = solved(graph);
  store.at(0, 3) = 12;
  EXPECT_THAT(failures(graph, store), ElementsAre("tightness", "triangle"));
  EXPECT_EQ(find(verify(graph, store, {}), "triangle").first_failure,
            "distance from 0 to 3 is 12, but 0 → 2 (5) and the edge 2 → 3 (4) give 9");
  store = solved(graph);
  store.at(0, 1) = 3;
  EXPECT_THAT(failures(graph, store), testing::IsSupersetOf({"edges", "triangle"}));
  EXPECT_EQ(find(verify(graph, store, {}), "edges").first_failure,
            "distance from 0 to 1 is 3, but the edge 0 → 1 has 2");
}

TEST(Verifier, FindsAnEntryTooSmall) {
  const Graph graph = small_graph();
  MatrixStore store = solved(graph);
  store.at(0, 3) = 8;
  EXPECT_THAT(failures(graph, store), ElementsAre("tightness"));
  EXPECT_EQ(find(verify(graph, store, {}), "tightness").first_failure,
            "distance from 0 to 3 is 8, but no path attains it");
}

/// For sums of both signs, the rounding error is accepted, not a fraction of their size.
TEST(Verifier, FindsAnErrorAmongLargeIntegersOfBothSigns) {
  const Graph graph = graph_of(4, {{0, 1, 0x1p53}, {1, 2, -0x1p52}, {2, 3, 0x1p52}});
  MatrixStore store = solved(graph, Semiring::min_plus, ValueType::f64);
  EXPECT_TRUE(verify(graph, store, {}).passed);
  store.at(0, 2) += 0x1p20;
  EXPECT_FALSE(verify(graph, store, {}).passed);
}

TEST(Verifier, FindsAMissingPathAndAnInventedOne) {
  const Graph graph = small_graph();
  MatrixStore store = solved(graph);
  store.at(0, 2) = no_path(Semiring::min_plus, ValueType::i32);
  EXPECT_THAT(failures(graph, store), testing::IsSupersetOf({"edges", "reachability", "triangle"}));
  EXPECT_EQ(find(verify(graph, store, {}), "reachability").first_failure,
            "distance from 0 to 2 is none, but there is a path");
  store = solved(graph);
  store.at(3, 0) = 4;
  EXPECT_THAT(failures(graph, store), testing::IsSupersetOf({"reachability", "tightness"}));
  EXPECT_EQ(find(verify(graph, store, {}), "reachability").first_failure,
            "distance from 3 to 0 is 4, but there is no path");
}

TEST(Verifier, FindsSwappedRows) {
  const Graph graph = small_graph();
  MatrixStore store = solved(graph);
  for (Vertex v = 0; v < 6; ++v) std::swap(store.at(1, v), store.at(2, v));
  EXPECT_TRUE(failures(graph, store).contains("diagonal"));
}

TEST(Verifier, FindsADiagonalThatIsNotTheEmptyPath) {
  const Graph graph = small_graph();
  for (const double wrong : {1.0, -1.0, no_path(Semiring::min_plus, ValueType::i32)}) {
    MatrixStore store = solved(graph);
    store.at(4, 4) = wrong;
    EXPECT_TRUE(failures(graph, store).contains("diagonal")) << wrong;
  }
  MatrixStore store = solved(graph);
  store.at(4, 4) = 2;
  EXPECT_EQ(find(verify(graph, store, {}), "diagonal").first_failure,
            "distance from 4 to itself is 2, not 0");
}

TEST(Verifier, FindsNaNAndInfinities) {
  const Graph graph = small_graph();
  for (const double wrong : {std::nan(""), -kInfinity}) {
    for (Vertex v = 0; v < 6; ++v) {
      MatrixStore store = solved(graph, Semiring::min_plus, ValueType::f64);
      store.at(0, v) = wrong;
      EXPECT_FALSE(failures(graph, store).empty()) << wrong << ' ' << v;
      EXPECT_FALSE(failures(graph, store, with_tolerance(1e-6)).empty()) << wrong << ' ' << v;
    }
  }
}

// The cycle 3 ⇄ 4 has weight zero: its wrong values are tight against each other, so that requiring
// one tight arc into every vertex would accept them.
TEST(Verifier, ZeroCyclesDoNotHoldEachOtherUp) {
  const Graph graph =
      graph_of(5, {{0, 1, 5}, {1, 3, 5}, {3, 4, 0}, {4, 3, 0}, {0, 2, 1}, {2, 1, 3}});
  MatrixStore store = solved(graph);
  ASSERT_TRUE(failures(graph, store).empty());
  store.at(0, 3) = store.at(0, 4) = 8;
  EXPECT_THAT(failures(graph, store), ElementsAre("tightness"));

  const Graph mixed = graph_of(4, {{0, 1, 5}, {1, 2, 3}, {2, 3, -3}, {3, 2, 3}});
  MatrixStore mixed_store = solved(mixed);
  ASSERT_TRUE(failures(mixed, mixed_store).empty());
  mixed_store.at(0, 2) -= 1;
  mixed_store.at(0, 3) -= 1;
  EXPECT_THAT(failures(mixed, mixed_store), ElementsAre("tightness"));
}

TEST(Verifier, ZeroCyclesOutOfReachMustNotBeClaimed) {
  const Graph graph = graph_of(4, {{0, 1, 5}, {2, 3, 0}, {3, 2, 0}});
  MatrixStore store = solved(graph);
  store.at(0, 2) = store.at(0, 3) = 4;
  EXPECT_THAT(failures(graph, store), ElementsAre("reachability", "tightness"));
  const Graph undirected = graph_of(4, {{0, 1, 5}, {2, 3, 0}}, false);
  MatrixStore twin = solved(undirected);
  twin.at(0, 2) = twin.at(0, 3) = 4;
  EXPECT_THAT(failures(undirected, twin), ElementsAre("reachability", "tightness"));
}

TEST(Verifier, NoMatrixPassesForANegativeCycle) {
  const Graph graph = graph_of(3, {{0, 1, 2}, {1, 0, -3}, {1, 2, 1}});
  MatrixStore store(3, Semiring::min_plus, ValueType::i32, {0, 2, 3, -3, 0, 1, 0, 0, 0});
  EXPECT_FALSE(failures(graph, store).empty());
  EXPECT_FALSE(failures(graph, solved(graph)).empty());
}

struct Sample {
  Semiring semiring;
  ValueType type;
  Graph graph;
};

/// Small graphs of every kind: loops, parallel arcs, zero and negative weights, directed and not.
std::vector<Sample> samples() {
  std::vector<Sample> result;
  base::SplitMix64 random(99);
  for (int round = 0; round < 160; ++round) {
    const Semiring semiring = all_semirings()[static_cast<std::size_t>(round) % 5];
    const ValueType type = semiring == Semiring::or_and ? ValueType::boolean
                           : round % 3 == 0             ? ValueType::f32
                           : round % 3 == 1             ? ValueType::f64
                                                        : ValueType::i32;
    const std::uint64_t n = 1 + random.below(9);
    const bool directed = semiring == Semiring::max_plus || random.below(3) > 0;
    const bool negative = directed && random.below(2) == 0;
    std::vector<double> h(n);
    for (double& potential : h) potential = static_cast<double>(random.below(8));
    GraphBuilder builder(static_cast<std::int64_t>(n), directed);
    for (std::uint64_t arc = random.below(3 * n); arc > 0; --arc) {
      auto u = static_cast<Vertex>(random.below(n));
      auto v = static_cast<Vertex>(random.below(n));
      if (semiring == Semiring::max_plus && u == v) continue;
      if (semiring == Semiring::max_plus && u > v) std::swap(u, v);
      const double w = static_cast<double>(random.below(5));
      builder.add_edge(u, v, negative ? w + h[u] - h[v] : w);
    }
    result.push_back({semiring, type, std::move(builder).build()});
  }
  return result;
}

TEST(Verifier, FailsForEverySingleWrongEntry) {
  std::int64_t planted = 0;
  for (const auto& [semiring, type, graph] : samples()) {
    const MatrixStore right = solved(graph, semiring, type);
    ASSERT_TRUE(failures(graph, right).empty()) << name(semiring);
    const std::int64_t n = graph.vertex_count();
    const double none = no_path(semiring, type);
    for (std::int64_t i = 0; i < n * n; ++i) {
      MatrixStore wrong = right;
      double& entry = wrong.at(i / n, i % n);
      const double value = entry;
      std::vector<double> others = {value - 1, value + 1, none, 3};
      if (semiring == Semiring::or_and) others = {1 - value};
      for (const double other : others) {
        if (other == value || (std::isinf(value) && std::isnan(other))) continue;
        entry = other;
        EXPECT_FALSE(failures(graph, wrong).empty())
            << name(semiring) << ' ' << name(type) << ": (" << i / n << ", " << i % n << ") is "
            << value << ", planted " << other;
        ++planted;
      }
    }
  }
  EXPECT_GT(planted, 10000);
}

}  // namespace
}  // namespace apsp::verifier
