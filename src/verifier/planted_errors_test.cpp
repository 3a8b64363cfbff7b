// The verifier finds every planted error, by the check that is responsible for it.
#include <apsp/graph.hpp>

#include "base/random.hpp"
#include "support/graph_of.hpp"
#include "support/matrix_store.hpp"
#include "support/plane_store.hpp"
#include "support/test.hpp"
#include "verifier/verifier.hpp"

namespace apsp::verifier::planted_errors_test {
namespace {

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

/// A graph of random arcs of weights below `weights`, shifted by the potentials of their ends.
/// Acyclic for max-plus.
Graph random_arcs(Semiring semiring, bool directed, std::uint64_t weights,
                  const std::vector<double>& h, base::SplitMix64& random) {
  const std::uint64_t n = h.size();
  GraphBuilder builder(static_cast<std::int64_t>(n), directed);
  for (std::uint64_t arc = random.below(3 * n); arc > 0; --arc) {
    auto u = static_cast<Vertex>(random.below(n));
    auto v = static_cast<Vertex>(random.below(n));
    if (semiring == Semiring::max_plus && u == v) continue;
    if (semiring == Semiring::max_plus && u > v) std::swap(u, v);
    builder.add_edge(u, v, static_cast<double>(random.below(weights)) + h[u] - h[v]);
  }
  return std::move(builder).build();
}

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
    std::vector<double> h(1 + random.below(9));
    const bool directed = semiring == Semiring::max_plus || random.below(3) > 0;
    const bool negative = directed && random.below(2) == 0;
    for (double& potential : h) {
      const auto drawn = static_cast<double>(random.below(8));
      potential = negative ? drawn : 0;
    }
    result.push_back({semiring, type, random_arcs(semiring, directed, 5, h, random)});
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

// Planted errors in predecessors, via and hops are found by the responsible check, and accepted
// planes describe paths of the stored lengths, as following every path shows.

const std::vector<Plane> kPredecessors = {Plane::distance, Plane::predecessor};
const std::vector<Plane> kVia = {Plane::distance, Plane::via};
const std::vector<Plane> kHops = {Plane::distance, Plane::via, Plane::hops};

PlaneStore small(const std::vector<Plane>& planes) {
  return solved_planes(small_graph(), Semiring::min_plus, ValueType::i32, planes);
}

std::string first_failure(const Graph& graph, const PlaneStore& store, std::string_view check) {
  return find(verify(graph, *store, {}), check).first_failure;
}

/// At most five vertices and few different weights, so that ties and cycles of cost zero are
/// frequent; negative ones by potentials.
std::vector<Sample> tied_samples() {
  std::vector<Sample> result;
  base::SplitMix64 random(7);
  for (int round = 0; round < 90; ++round) {
    const Semiring semiring = all_semirings()[static_cast<std::size_t>(round) % 5];
    const ValueType type = semiring == Semiring::or_and ? ValueType::boolean
                           : round % 2 == 0             ? ValueType::f64
                                                        : ValueType::i32;
    std::vector<double> h(2 + random.below(4));
    if (random.below(3) == 0) {
      for (double& potential : h) potential = static_cast<double>(random.below(5));
    }
    result.push_back({semiring, type, random_arcs(semiring, true, 3, h, random)});
  }
  return result;
}

/// Follows all paths by brute force and compares their lengths.
class Judge {
 public:
  Judge(const Claim& claim, const Textbook& right, PlaneStore& store)
      : claim_(claim), right_(right), store_(store) {}

  bool via_is_right(bool with_hops) {
    for (std::int64_t s = 0; s < right_.n; ++s) {
      for (std::int64_t t = 0; t < right_.n; ++t) {
        if (s == t || !right_.is_path(s, t)) {
          if (store_.at(Plane::via, s, t) != -1) return false;
          if (with_hops && store_.at(Plane::hops, s, t) != (s == t ? 0 : -1)) return false;
          continue;
        }
        std::int32_t edges = 0;
        steps_ = 0;
        const auto length = walk(s, t, edges);
        if (length != right_.distance[right_.at(s, t)]) return false;
        if (with_hops && edges != store_.at(Plane::hops, s, t)) return false;
      }
    }
    return true;
  }

  bool predecessors_are_right() {
    for (std::int64_t s = 0; s < right_.n; ++s) {
      for (std::int64_t t = 0; t < right_.n; ++t) {
        if (s == t || !right_.is_path(s, t)) {
          if (store_.at(Plane::predecessor, s, t) != -1) return false;
          continue;
        }
        if (way_back(s, t) != right_.distance[right_.at(s, t)]) return false;
      }
    }
    return true;
  }

 private:
  std::optional<double> best_edge(std::int64_t u, std::int64_t v) const {
    std::optional<double> best;
    claim_.graph.for_each_arc_between(static_cast<Vertex>(u), static_cast<Vertex>(v),
                                      [&](double exact) {
                                        const double weight = claim_.held(exact);
                                        if (!best || weight < *best) best = weight;
                                      });
    return best;
  }
  /// The sum of the parts; empty for an edge that does not exist, or an endless path.
  std::optional<double> walk(std::int64_t s, std::int64_t t, std::int32_t& edges) {
    if (++steps_ > 2000) return std::nullopt;
    const std::int64_t k = store_.at(Plane::via, s, t);
    if (k < -1 || k >= right_.n || k == s || k == t) return std::nullopt;
    if (k == -1) {
      ++edges;
      const auto weight = best_edge(s, t);
      return weight ? std::optional(claim_.join(claim_.one, *weight)) : std::nullopt;
    }
    const auto first = walk(s, k, edges);
    const auto second = first ? walk(k, t, edges) : std::nullopt;
    return second ? std::optional(claim_.join(*first, *second)) : std::nullopt;
  }
  std::optional<double> way_back(std::int64_t s, std::int64_t t) const {
    std::vector<double> weights;
    while (t != s) {
      const std::int64_t p = store_.at(Plane::predecessor, s, t);
      if (p < 0 || p >= right_.n || std::ssize(weights) > right_.n) return std::nullopt;
      const auto weight = best_edge(p, t);
      if (!weight) return std::nullopt;
      weights.push_back(*weight);
      t = p;
    }
    double length = claim_.one;
    for (const double weight : weights) length = claim_.join(length, weight);
    return length;
  }

  const Claim& claim_;
  const Textbook& right_;
  PlaneStore& store_;
  int steps_ = 0;
};

TEST(PlantedPlanes, RightPlanesPass) {
  for (const auto& [semiring, type, graph] : tied_samples()) {
    const std::vector<Plane> all = {Plane::distance, Plane::predecessor, Plane::via, Plane::hops};
    const PlaneStore store = solved_planes(graph, semiring, type, all);
    EXPECT_THAT(failures(graph, *store), IsEmpty()) << name(semiring);
    VerifyOptions one_row;
    one_row.sources = 1;
    EXPECT_THAT(failures(graph, *store, one_row), IsEmpty()) << name(semiring);
  }
}

TEST(PlantedPlanes, OnlyPlanesThatAreThereAreReported) {
  const Graph graph = small_graph();
  EXPECT_EQ(verify(graph, *small({Plane::distance}), {}).checks.size(), 5u);
  EXPECT_EQ(verify(graph, *small(kPredecessors), {}).checks.back().name, "predecessors");
  EXPECT_EQ(verify(graph, *small(kPredecessors), {}).checks.back().tested, 36);
  EXPECT_EQ(verify(graph, *small(kVia), {}).checks.back().name, "via");
  EXPECT_EQ(verify(graph, *small(kVia), {}).checks.back().tested, 36);
  EXPECT_EQ(verify(graph, *small(kHops), {}).checks.back().name, "hops");
}

/// How often another entry of a plane made it wrong, and left it right.
struct Planted {
  std::int64_t wrong = 0, still_right = 0;

  /// Compares the verifier with `is_right` for every other entry of the plane.
  void plant(const Sample& sample, PlaneStore& store, Plane plane, const auto& is_right) {
    ASSERT_TRUE(is_right());
    const std::int64_t n = sample.graph.vertex_count();
    for (std::int64_t i = 0; i < n * n; ++i) {
      std::int32_t& entry = store.at(plane, i / n, i % n);
      const std::int32_t value = entry;
      for (std::int32_t other = -2; other <= n; ++other) {
        if (other == value) continue;
        entry = other;
        const bool expected = is_right();
        ASSERT_EQ(verify(sample.graph, *store, {}).passed, expected)
            << name(sample.semiring) << ": " << store::name(plane) << "(" << i / n << ", " << i % n
            << ") was " << value << ", is " << other;
        ++(expected ? still_right : wrong);
      }
      entry = value;
    }
  }
};

TEST(PlantedPlanes, APassMeansThatEveryPathOfViaHasTheStoredLength) {
  Planted planted;
  for (const Sample& sample : tied_samples()) {
    const Claim claim(sample.graph, sample.semiring, sample.type, {});
    const Textbook right(claim);
    for (const bool with_hops : {false, true}) {
      PlaneStore store =
          solved_planes(sample.graph, sample.semiring, sample.type, with_hops ? kHops : kVia);
      Judge judge(claim, right, store);
      planted.plant(sample, store, Plane::via, [&] { return judge.via_is_right(with_hops); });
    }
  }
  EXPECT_GT(planted.wrong, 10000);
  EXPECT_GT(planted.still_right, 100);  // other best paths
}

TEST(PlantedPlanes, EveryWrongHopIsFound) {
  for (const auto& [semiring, type, graph] : tied_samples()) {
    PlaneStore store = solved_planes(graph, semiring, type, kHops);
    const std::int64_t n = graph.vertex_count();
    for (std::int64_t i = 0; i < n * n; ++i) {
      std::int32_t& entry = store.at(Plane::hops, i / n, i % n);
      for (const std::int32_t step : {-1, 1, 7}) {
        entry += step;
        ASSERT_THAT(failures(graph, *store), ElementsAre("hops")) << name(semiring) << ' ' << i;
        entry -= step;
      }
    }
  }
}

TEST(PlantedPlanes, APassMeansThatEveryWayBackHasTheStoredLength) {
  Planted planted;
  for (const Sample& sample : tied_samples()) {
    const Claim claim(sample.graph, sample.semiring, sample.type, {});
    const Textbook right(claim);
    PlaneStore store = solved_planes(sample.graph, sample.semiring, sample.type, kPredecessors);
    Judge judge(claim, right, store);
    planted.plant(sample, store, Plane::predecessor,
                  [&] { return judge.predecessors_are_right(); });
  }
  EXPECT_GT(planted.wrong, 5000);
  EXPECT_GT(planted.still_right, 30);
}

TEST(PlantedPlanes, ErrorsOfViaAreNamed) {
  const Graph graph = small_graph();
  const auto failure = [&](std::int64_t s, std::int64_t t, std::int32_t via) {
    PlaneStore store = small(kVia);
    store.at(Plane::via, s, t) = via;
    EXPECT_THAT(failures(graph, *store), ElementsAre("via"));
    return first_failure(graph, store, "via");
  };
  EXPECT_EQ(failure(0, 3, 4),
            "distance from 0 to 3 is 9, but its parts by way of 4 are none and none");
  EXPECT_EQ(failure(0, 2, -1),
            "via from 0 to 2 says that the path is an edge, but there is none "
            "of 5");
  EXPECT_EQ(failure(0, 2, 6), "via from 0 to 2 is number 6, which is not a vertex between them");
  EXPECT_EQ(failure(0, 2, 0), "via from 0 to 2 is number 0, which is not a vertex between them");
  EXPECT_EQ(failure(3, 0, 1), "via from 3 to 0 is number 1, but there is no path");
  EXPECT_EQ(failure(3, 3, 1), "via from 3 to 3 is number 1, but the path is empty");
}

TEST(PlantedPlanes, ErrorsOfHopsAreNamed) {
  const Graph graph = small_graph();
  const auto failure = [&](std::int64_t s, std::int64_t t, std::int32_t hops) {
    PlaneStore store = small(kHops);
    store.at(Plane::hops, s, t) = hops;
    EXPECT_THAT(failures(graph, *store), ElementsAre("hops"));
    return first_failure(graph, store, "hops");
  };
  EXPECT_EQ(failure(0, 3, 4), "hops from 0 to 3 are 4, but its parts by way of 2 have 2 and 1");
  EXPECT_EQ(failure(4, 5, 2), "hops from 4 to 5 are 2, but the path is an edge");
  EXPECT_EQ(failure(3, 0, 1), "hops from 3 to 0 are 1, but there is no path");
  EXPECT_EQ(failure(3, 3, 1), "hops from 3 to 3 are 1, but the path is empty");
  PlaneStore without_via = small({Plane::distance, Plane::hops});
  EXPECT_THAT(failures(graph, *without_via), ElementsAre("hops"));
}

TEST(PlantedPlanes, ErrorsOfPredecessorsAreNamed) {
  const Graph graph = small_graph();
  const auto failure = [&](std::int64_t s, std::int64_t t, std::int32_t predecessor) {
    PlaneStore store = small(kPredecessors);
    store.at(Plane::predecessor, s, t) = predecessor;
    EXPECT_THAT(failures(graph, *store), ElementsAre("predecessors"));
    return first_failure(graph, store, "predecessors");
  };
  const std::string of_2 = "the predecessor of 2 on the way from 0 is ";
  EXPECT_EQ(failure(0, 2, 0),  // an edge, but not the best path
            of_2 + "0, but no path of length 5 leads back along predecessors");
  EXPECT_EQ(failure(0, 2, -1), of_2 +
                                   "none, but no path of length 5 leads back along "
                                   "predecessors");
  EXPECT_EQ(failure(0, 2, 6), of_2 + "number 6, which is not a vertex");
  EXPECT_THAT(failure(3, 0, 1), HasSubstr("is 1, but there is no path"));
  EXPECT_THAT(failure(3, 3, 1), HasSubstr("but the empty path has none"));
}

/// Around a cycle of weight zero every split is consistent, in a circle.
TEST(PlantedPlanes, CirclesThatCostNothingAreFound) {
  const Graph graph = graph_of(4, {{0, 1, 1}, {1, 2, 0}, {2, 3, 0}, {3, 1, 0}});
  PlaneStore store = solved_planes(graph, Semiring::min_plus, ValueType::i32, kVia);
  store.at(Plane::via, 0, 1) = 2;  // 0 → 1 via 2, and 0 → 2 via 1
  ASSERT_EQ(store.at(Plane::via, 0, 2), 1);
  EXPECT_THAT(failures(graph, *store), ElementsAre("via"));
  EXPECT_THAT(first_failure(graph, store, "via"), HasSubstr("a circle, no path"));
  VerifyOptions sample;
  for (sample.seed = 1; sample.seed < 20; ++sample.seed) {
    sample.sources = 3;  // row 0 is not always checked
    const VerifyReport report = verify(graph, *store, sample);
    EXPECT_TRUE(report.passed || find(report, "via").failed > 0);
  }
}

TEST(PlantedPlanes, ACircleThroughSeveralRowsIsFound) {
  // All weights are equal to the bottleneck of all paths: any vertex splits any pair.
  GraphBuilder builder(6, true);
  for (Vertex u = 0; u < 6; ++u) {
    for (Vertex v = 0; v < 6; ++v) {
      if (u != v) builder.add_edge(u, v, 5);
    }
  }
  const Graph graph = std::move(builder).build();
  PlaneStore store = solved_planes(graph, Semiring::min_max, ValueType::i32, kVia);
  ASSERT_THAT(failures(graph, *store), IsEmpty());
  // (0,1) → (0,2) → (3,2) → (3,1) → (0,1)
  store.at(Plane::via, 0, 1) = 2;
  store.at(Plane::via, 0, 2) = 3;
  store.at(Plane::via, 3, 2) = 1;
  ASSERT_THAT(failures(graph, *store), IsEmpty());
  store.at(Plane::via, 3, 1) = 0;
  EXPECT_THAT(failures(graph, *store), ElementsAre("via"));
}

/// Floats absorb small terms, so lengths need not decrease from a path to its parts.
TEST(PlantedPlanes, CirclesOfAbsorbedWeightsAreFound) {
  const Graph graph = graph_of(3, {{0, 1, 1e9}, {1, 2, 1e-3}, {2, 1, 1e-3}});
  PlaneStore store = solved_planes(graph, Semiring::min_plus, ValueType::f32, kVia);
  ASSERT_THAT(failures(graph, *store), IsEmpty());
  store.at(Plane::via, 0, 1) = 2;
  EXPECT_THAT(failures(graph, *store), ElementsAre("via"));
}

/// Only a part via vertex 0 is longer than its whole, within the tolerance.
TEST(PlantedPlanes, ACircleThatRisesByWayOfVertex0IsFound) {
  const Graph graph = graph_of(3, {{1, 0, 10}, {1, 2, 10}, {0, 2, 0}, {2, 0, 0}});
  PlaneStore store = solved_planes(graph, Semiring::min_plus, ValueType::f64, kVia);
  store.set_distance(1, 0, 10.0625);
  store.at(Plane::via, 1, 2) = 0;
  VerifyOptions options;
  options.tolerance = 1.0 / 64;
  ASSERT_THAT(failures(graph, *store, options), IsEmpty());
  store.at(Plane::via, 1, 0) = 2;
  EXPECT_THAT(failures(graph, *store, options), ElementsAre("via"));
}

/// 400 vertices: all threads, and sampled rows.
class LargePlanes : public testing::Test {
 protected:
  LargePlanes() {
    base::SplitMix64 random(5);
    GraphBuilder builder(kVertices, true);
    for (Vertex v = 0; v < kVertices; ++v) {
      builder.add_edge(v, (v + 1) % kVertices, 9);
      builder.add_edge(v, static_cast<Vertex>(random.below(kVertices)),
                       static_cast<double>(1 + random.below(20)));
    }
    graph_ = std::move(builder).build();
  }
  PairOutcome check(const PlaneStore& store, std::vector<Vertex> sources,
                    const PairLimits& limits) {
    const Claim claim(graph_, Semiring::min_plus, ValueType::i32, {});
    return check_pairs(claim, *store, sources, limits, {});
  }
  std::int64_t failed(const PairOutcome& outcome) {
    Tally tally = outcome.tally;
    return tally.of(Check::via).failed;
  }

  static constexpr Vertex kVertices = 400;
  static constexpr std::int64_t kMemory = std::int64_t{1} << 30;
  Graph graph_;
};

TEST_F(LargePlanes, AnErrorInAnyRowIsFoundInAllPairs) {
  PlaneStore store = solved_planes(graph_, Semiring::min_plus, ValueType::i32, kHops);
  ASSERT_THAT(failures(graph_, *store), IsEmpty());
  for (const std::int64_t row : {0, 100, 399}) {
    std::int32_t& entry = store.at(Plane::via, row, (row + 200) % 400);
    const std::int32_t right = entry;
    entry = -1;
    EXPECT_TRUE(failures(graph_, *store).contains("via")) << row;
    entry = right;
  }
}

TEST_F(LargePlanes, SampledRowsFollowTheirPathsIntoOtherRows) {
  PlaneStore store = solved_planes(graph_, Semiring::min_plus, ValueType::i32, kVia);
  const PairLimits limits{.memory = kMemory};
  const PairOutcome right = check(store, {7, 50}, limits);
  EXPECT_EQ(failed(right), 0);
  EXPECT_FALSE(right.drawn);
  // The second part of the path from 7 to a vertex with an intermediate vertex.
  std::int64_t t = 0;
  const auto second_part_is_split = [&] {
    const std::int32_t k = store.at(Plane::via, 7, t);
    return k >= 0 && store.at(Plane::via, k, t) >= 0;
  };
  while (!second_part_is_split()) ++t;
  store.at(Plane::via, store.at(Plane::via, 7, t), t) = -1;
  EXPECT_GE(failed(check(store, {7}, limits)), 1);
}

TEST_F(LargePlanes, WhereThePlanesDoNotFitSomePathsAreDrawn) {
  PlaneStore store = solved_planes(graph_, Semiring::min_plus, ValueType::i32, kHops);
  const std::vector<Vertex> sources = {3, 30, 300};
  const PairLimits limits{.memory = 0, .pairs = 5000};
  PairOutcome outcome = check(store, sources, limits);
  EXPECT_TRUE(outcome.drawn);
  EXPECT_EQ(failed(outcome), 0);
  EXPECT_GE(outcome.tally.of(Check::via).tested, 5000);
  EXPECT_EQ(outcome.tally.of(Check::via).tested, outcome.tally.of(Check::hops).tested);
  for (std::int64_t t = 0; t < kVertices; ++t) store.at(Plane::via, 30, t) = -1;
  EXPECT_GT(failed(check(store, sources, limits)), 0);
}

}  // namespace
}  // namespace apsp::verifier::planted_errors_test
