#include <apsp/graph.hpp>

#include "graph/components.hpp"
#include "graph/generators.hpp"
#include "support/test.hpp"

namespace apsp::generate_test {
namespace {

constexpr GraphKind kAllKinds[] = {
    GraphKind::dense, GraphKind::gnp,   GraphKind::rmat,     GraphKind::grid, GraphKind::geometric,
    GraphKind::path,  GraphKind::cycle, GraphKind::complete, GraphKind::star, GraphKind::roads};

TEST(GraphKindNames, ReadBack) {
  for (const GraphKind kind : kAllKinds) EXPECT_EQ(parse_graph_kind(name(kind)), kind);
  EXPECT_EQ(parse_graph_kind("tree"), std::nullopt);
  EXPECT_EQ(parse_graph_kind(""), std::nullopt);
}

// A change here changes every graph that users generated from a seed.
TEST(Generate, TheSameSeedGivesTheSameGraphForEver) {
  std::map<std::string, std::string> digests;
  for (const GraphKind kind : kAllKinds) {
    GenerateOptions options{.kind = kind, .vertices = 60, .probability = 0.1, .seed = 42};
    digests[std::string(name(kind))] = generate(options).digest();
    options.directed = false;
    options.real_weights = true;
    options.least_weight = -0.1;
    options.greatest_weight = 0.3;
    digests[std::string(name(kind)) + " undirected real"] = generate(options).digest();
  }
  digests["negative"] = generate({.vertices = 60, .negative = true}).digest();
  digests["negative real"] =
      generate({.vertices = 60, .real_weights = true, .negative = true}).digest();
  const std::map<std::string, std::string> frozen = {
      {"complete", "fnv1a64:4007a12761a3a7f7"},
      {"complete undirected real", "fnv1a64:de8aef8073e9b383"},
      {"cycle", "fnv1a64:1d8c23d9ec0e6e6b"},
      {"cycle undirected real", "fnv1a64:144a2ee07244d766"},
      {"dense", "fnv1a64:4007a12761a3a7f7"},
      {"dense undirected real", "fnv1a64:de8aef8073e9b383"},
      {"geometric", "fnv1a64:98e5b406bbdc48f2"},
      {"geometric undirected real", "fnv1a64:75c51da29f5562e7"},
      {"gnp", "fnv1a64:43e22c9705b60608"},
      {"gnp undirected real", "fnv1a64:d13075093e225714"},
      {"grid", "fnv1a64:f5255591783394ea"},
      {"grid undirected real", "fnv1a64:0d9839dd8f299702"},
      {"negative", "fnv1a64:11ff4b7c84a60f6a"},
      {"negative real", "fnv1a64:acd7ff4776c8ec04"},
      {"path", "fnv1a64:15dd09c4c01c9735"},
      {"path undirected real", "fnv1a64:3ad44c2148ed1b43"},
      {"rmat", "fnv1a64:c76e37bb72fa6bf7"},
      {"rmat undirected real", "fnv1a64:492eee2f9674d725"},
      {"roads", "fnv1a64:03df346c0efe153e"},
      {"roads undirected real", "fnv1a64:239472637ebb2e18"},
      {"star", "fnv1a64:cd156ebcbcc8f2ef"},
      {"star undirected real", "fnv1a64:26efaec0aa0babc9"},
  };
  EXPECT_EQ(digests, frozen);
}

TEST(Generate, RoadsAreConnectedAndHaveTwoAndAHalfNeighbours) {
  for (const std::int64_t n : {1, 2, 17, 3000, 50000}) {
    const Graph roads = generate({.kind = GraphKind::roads, .vertices = n, .directed = false});
    EXPECT_EQ(roads.vertex_count(), n);
    EXPECT_EQ(weak_components(roads).count, 1) << n;
    if (n < 3000) continue;
    const double degree = 2.0 * static_cast<double>(roads.edge_count()) / static_cast<double>(n);
    EXPECT_GT(degree, 2.3);
    EXPECT_LT(degree, 2.7);
    const auto& offsets = roads.offsets();
    std::int64_t dead_ends = 0, bends = 0;
    for (std::int64_t v = 0; v < n; ++v) {
      dead_ends += offsets[v + 1] - offsets[v] == 1;
      bends += offsets[v + 1] - offsets[v] == 2;
    }
    EXPECT_GT(dead_ends, n / 100);
    EXPECT_GT(bends, n / 3);
  }
}

TEST(Generate, SeedsDiffer) {
  EXPECT_NE(generate({.vertices = 50, .seed = 1}).digest(),
            generate({.vertices = 50, .seed = 2}).digest());
}

TEST(Generate, WeightsDoNotMoveEdges) {
  const Graph a = generate({.kind = GraphKind::rmat, .vertices = 100});
  const Graph b = generate({.kind = GraphKind::rmat, .vertices = 100, .greatest_weight = 7});
  EXPECT_TRUE(
      std::equal(a.targets().begin(), a.targets().end(), b.targets().begin(), b.targets().end()));
}

TEST(Generate, EveryKindTakesZeroOneAndTwoVertices) {
  for (const GraphKind kind : kAllKinds) {
    for (const std::int64_t n : {0, 1, 2, 3}) {
      for (const bool directed : {true, false}) {
        const Graph graph = generate({.kind = kind, .vertices = n, .directed = directed});
        EXPECT_EQ(graph.vertex_count(), n);
        EXPECT_EQ(graph.directed(), directed);
        if (n < 2 && kind != GraphKind::rmat) {
          EXPECT_EQ(graph.arc_count(), 0) << name(kind);
        }
      }
    }
  }
}

std::int64_t edges_of(GraphKind kind, std::int64_t n, bool directed) {
  return generate({.kind = kind, .vertices = n, .directed = directed}).edge_count();
}

TEST(Generate, EdgeCountsOfRegularGraphs) {
  EXPECT_EQ(edges_of(GraphKind::dense, 11, true), 110);
  EXPECT_EQ(edges_of(GraphKind::complete, 11, true), 110);
  EXPECT_EQ(edges_of(GraphKind::complete, 11, false), 55);
  EXPECT_EQ(edges_of(GraphKind::path, 11, true), 10);
  EXPECT_EQ(edges_of(GraphKind::cycle, 11, false), 11);
  EXPECT_EQ(edges_of(GraphKind::cycle, 2, true), 2);
  EXPECT_EQ(edges_of(GraphKind::cycle, 2, false), 1);
  EXPECT_EQ(edges_of(GraphKind::star, 11, true), 10);
  EXPECT_EQ(edges_of(GraphKind::grid, 12, false), 17);  // 3 × 4
  EXPECT_EQ(edges_of(GraphKind::grid, 12, true), 34);
  EXPECT_EQ(edges_of(GraphKind::grid, 13, false), 12);  // a prime: 1 × 13
}

TEST(Generate, GridIsAsSquareAsDivides) {
  EXPECT_EQ(patterns::grid_rows(0), 0);
  EXPECT_EQ(patterns::grid_rows(1), 1);
  EXPECT_EQ(patterns::grid_rows(12), 3);
  EXPECT_EQ(patterns::grid_rows(36), 6);
  EXPECT_EQ(patterns::grid_rows(37), 1);
  const Graph graph = generate({.kind = GraphKind::grid, .vertices = 12, .directed = false});
  EXPECT_THAT(graph.targets(0), ElementsAre(1, 4));
  EXPECT_THAT(graph.targets(5), ElementsAre(1, 4, 6, 9));
  EXPECT_THAT(graph.targets(11), ElementsAre(7, 10));
}

TEST(Generate, GnpHasTheRightNumberOfDistinctPairs) {
  for (const bool directed : {true, false}) {
    for (const double p : {0.001, 0.03, 0.5, 0.97}) {
      const Graph graph = generate({.vertices = 700, .probability = p, .directed = directed});
      const double pairs = 700.0 * 699 / (directed ? 1 : 2);
      const double sigma = std::sqrt(pairs * p * (1 - p));
      EXPECT_NEAR(static_cast<double>(graph.edge_count()), pairs * p, 4 * sigma) << p;
      EXPECT_EQ(graph.loop_count(), 0);
      for (Vertex v = 0; v < 700; ++v) {
        const auto row = graph.targets(v);
        EXPECT_EQ(std::adjacent_find(row.begin(), row.end()), row.end()) << "parallel arcs";
      }
    }
  }
  EXPECT_EQ(generate({.vertices = 50, .probability = 1}).arc_count(), 50 * 49);
  EXPECT_EQ(generate({.vertices = 50, .probability = 0}).arc_count(), 0);
  EXPECT_EQ(generate({.vertices = 50, .probability = 1e-300}).arc_count(), 0);
}

// Each of the 12 ordered pairs of 4 vertices must come with the same frequency.
TEST(Generate, GnpFavoursNoPair) {
  std::map<std::pair<Vertex, Vertex>, int> seen;
  constexpr int kRounds = 4000;
  for (int seed = 0; seed < kRounds; ++seed) {
    const Graph graph =
        generate({.vertices = 4, .probability = 0.3, .seed = static_cast<std::uint64_t>(seed)});
    for (Vertex v = 0; v < 4; ++v) {
      for (const Vertex to : graph.targets(v)) ++seen[{v, to}];
    }
  }
  EXPECT_EQ(seen.size(), 12u);
  for (const auto& [pair, count] : seen) {
    EXPECT_NEAR(count, 0.3 * kRounds, 4.5 * std::sqrt(0.21 * kRounds)) << pair.first << pair.second;
  }
}

TEST(Generate, RmatFollowsItsQuadrants) {
  for (const std::int64_t n : {1024, 1000}) {
    const Graph graph = generate({.kind = GraphKind::rmat, .vertices = n, .edges = 40000});
    EXPECT_EQ(graph.arc_count(), 40000);
    double quadrant[2][2] = {};
    for (Vertex v = 0; v < n; ++v) {
      for (const Vertex to : graph.targets(v)) ++quadrant[v >= n / 2][to >= n / 2];
    }
    EXPECT_NEAR(quadrant[0][0] / 40000, 0.45, 0.012);
    EXPECT_NEAR(quadrant[0][1] / 40000, 0.22, 0.012);
    EXPECT_NEAR(quadrant[1][0] / 40000, 0.22, 0.012);
    EXPECT_NEAR(quadrant[1][1] / 40000, 0.11, 0.012);
  }
  EXPECT_EQ(generate({.kind = GraphKind::rmat, .vertices = 100}).arc_count(), 1600);
}

TEST(Generate, RmatEndsForOneSidedProbabilities) {
  const Graph corner =
      generate({.kind = GraphKind::rmat, .vertices = 5, .edges = 3, .rmat = {0, 1, 0, 0}});
  EXPECT_THAT(corner.targets(0), ElementsAre(4, 4, 4));
  const Graph loops =
      generate({.kind = GraphKind::rmat, .vertices = 7, .edges = 20, .rmat = {0.5, 0, 0, 0.5}});
  EXPECT_EQ(loops.loop_count(), 20);
}

TEST(Generate, GeometricHasDegreeSixAndShortArcs) {
  const Graph graph = generate({.kind = GraphKind::geometric, .vertices = 5000, .directed = false});
  const double degree = 2.0 * static_cast<double>(graph.edge_count()) / 5000;
  EXPECT_NEAR(degree, 6, 0.3);  // a little below six: points at the border have fewer neighbours
  EXPECT_LT(weak_components(graph).count, 250);
}

TEST(Generate, GeometricByCellsIsGeometricByPairs) {
  for (const double radius : {1e-12, 0.01, 0.11, 0.34, 0.6, 1.0, 1e9}) {
    base::SplitMix64 random(5);
    const auto edges = patterns::geometric(150, false, radius, random);
    // A single cell misses no pair; the same points are numbered otherwise.
    base::SplitMix64 again(5);
    std::vector<std::pair<double, double>> points(150);
    for (auto& [x, y] : points) {
      x = static_cast<double>(again.next() >> 33) * 0x1p-31;
      y = static_cast<double>(again.next() >> 33) * 0x1p-31;
    }
    std::size_t pairs = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (std::hypot(points[i].first - points[j].first, points[i].second - points[j].second) <=
            radius) {
          ++pairs;
        }
      }
    }
    EXPECT_EQ(edges.size(), pairs) << radius;
  }
}

TEST(Generate, WeightsFillTheirRange) {
  const Graph integers = generate(
      {.kind = GraphKind::complete, .vertices = 60, .least_weight = -2, .greatest_weight = 3});
  EXPECT_EQ(integers.weight_facts().least, -2);
  EXPECT_EQ(integers.weight_facts().greatest, 3);
  EXPECT_TRUE(integers.weight_facts().integral);
  std::map<double, int> count;
  for (const double w : integers.weights()) ++count[w];
  EXPECT_EQ(count.size(), 6u);
  for (const auto& [w, times] : count) EXPECT_NEAR(times, 590, 100) << w;

  const Graph reals = generate({.kind = GraphKind::complete,
                                .vertices = 60,
                                .least_weight = 0.5,
                                .greatest_weight = 0.75,
                                .real_weights = true});
  EXPECT_GE(reals.weight_facts().least, 0.5);
  EXPECT_LE(reals.weight_facts().greatest, 0.75);
  EXPECT_FALSE(reals.weight_facts().integral);
  EXPECT_LT(reals.weight_facts().least, 0.501);
  EXPECT_GT(reals.weight_facts().greatest, 0.749);
  EXPECT_TRUE(generate({.vertices = 50, .greatest_weight = 1}).weight_facts().unit);
}

TEST(Generate, NegativeWeightsStayIntegral) {
  const Graph graph = generate({.kind = GraphKind::dense, .vertices = 40, .negative = true});
  EXPECT_LT(graph.weight_facts().least, 0);
  EXPECT_GE(graph.weight_facts().least, -99);
  EXPECT_LE(graph.weight_facts().greatest, 200);
  EXPECT_TRUE(graph.weight_facts().integral);
}

// A cycle of three has the weight of its unshifted arcs, at least 3 × least_weight, exactly.
TEST(Generate, NegativeRealWeightsSumExactly) {
  const Graph graph = generate({.kind = GraphKind::dense,
                                .vertices = 12,
                                .least_weight = 0,
                                .greatest_weight = 0.7,
                                .real_weights = true,
                                .negative = true});
  EXPECT_LT(graph.weight_facts().least, 0);
  const auto w = [&](Vertex u, Vertex v) { return graph.weights(u)[v < u ? v : v - 1]; };
  for (Vertex a = 0; a < 12; ++a) {
    for (Vertex b = 0; b < 12; ++b) {
      for (Vertex c = 0; c < 12; ++c) {
        if (a == b || b == c || a == c) continue;
        EXPECT_GE(w(a, b) + w(b, c) + w(c, a), 0);
        EXPECT_EQ(w(a, b) + w(b, c) + w(c, a), w(b, c) + w(c, a) + w(a, b));
      }
    }
  }
}

TEST(Generate, RefusesAndNamesTheParameter) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::pair<const char*, GenerateOptions> cases[] = {
      {"vertices", {.vertices = -1}},
      {"edges", {.kind = GraphKind::rmat, .edges = -1}},
      {"edges", {.kind = GraphKind::gnp, .edges = 10}},
      {"edges", {.kind = GraphKind::rmat, .vertices = 0, .edges = 1}},
      {"probability", {.probability = 1.5}},
      {"probability", {.probability = std::nan("")}},
      {"radius", {.kind = GraphKind::geometric, .radius = -1}},
      {"radius", {.kind = GraphKind::geometric, .radius = infinity}},
      {"radius", {.kind = GraphKind::gnp, .radius = 0.5}},
      {"rmat", {.kind = GraphKind::rmat, .rmat = {0.5, 0.5, 0.5, 0.5}}},
      {"rmat", {.kind = GraphKind::rmat, .rmat = {-0.1, 0.6, 0.3, 0.2}}},
      {"least_weight", {.least_weight = 5, .greatest_weight = 4}},
      {"least_weight", {.least_weight = 0.5}},
      {"least_weight", {.least_weight = -infinity}},
      {"greatest_weight", {.greatest_weight = 1.5}},
      {"greatest_weight", {.greatest_weight = 0x1p60}},
      {"greatest_weight", {.greatest_weight = std::nan(""), .real_weights = true}},
      {"greatest_weight", {.least_weight = -1e308, .greatest_weight = 1e308, .real_weights = true}},
      {"greatest_weight", {.greatest_weight = 0x1p53, .negative = true}},
      {"directed", {.directed = false, .negative = true}},
      {"least_weight", {.least_weight = -1, .negative = true}},
  };
  for (const auto& [parameter, options] : cases) {
    EXPECT_ERROR(usage, generate(options)) << parameter;
  }
}

TEST(Generate, RefusesWhatDoesNotFit) {
  for (const std::int64_t n : {std::int64_t{10'000'000}, std::int64_t{1} << 40}) {
    EXPECT_ERROR(does_not_fit, generate({.kind = GraphKind::dense, .vertices = n})) << n;
  }
}

}  // namespace
}  // namespace apsp::generate_test
