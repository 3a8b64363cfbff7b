// Distances of integer weights are exact or refused, at every door: random graphs whose weights lie
// near 2^53 and 2^62, against sums in 128 bits. APSP_EXACT_SOLVES says how many.
#include <gtest/gtest.h>

#include <apsp/apsp.hpp>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "graph/whole_weights.hpp"
#include "support/error_of.hpp"
#include "support/graph_of.hpp"

namespace apsp {
namespace {

__extension__ using Wide = __int128;
constexpr Wide kNone = Wide{1} << 100;

int trials() {
  constexpr int kFew = 300;
  const char* const given = std::getenv("APSP_EXACT_SOLVES");
  return given == nullptr ? kFew : std::atoi(given);
}

/// A double that is an integer around a power of two.
double drawn_weight(base::SplitMix64& random) {
  const double few = static_cast<double>(random.below(4));
  switch (random.below(6)) {
    case 0:
      return few;
    case 1:
      return 0x1p53 - 1 - few;
    case 2:
      return 0x1p53 + 2 * few;
    case 3:
      return 0x1p62 + 2048 * few;
    case 4:
      return std::floor(0x1p53 / static_cast<double>(2 + random.below(4))) + few;
    default:
      return std::floor(0x1p53 / 9) - few;
  }
}

struct Case {
  Graph graph;
  std::vector<Wide> truth;  // [n, n]

  Wide at(Vertex s, Vertex t) const {
    return truth[static_cast<std::size_t>(s * graph.vertex_count() + t)];
  }
};

std::vector<Wide> true_distances(const Graph& graph) {
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  std::vector<Wide> d(n * n, kNone);
  for (std::size_t v = 0; v < n; ++v) d[v * n + v] = 0;
  graph.visit_all([&](Vertex u, Vertex v, double weight) {
    d[u * n + v] = std::min(d[u * n + v], static_cast<Wide>(weight));
  });
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        d[i * n + j] = std::min(d[i * n + j], d[i * n + k] + d[k * n + j]);
      }
    }
  }
  return d;
}

/// Weights of one magnitude, or of all.
Case drawn_case(std::uint64_t seed) {
  base::SplitMix64 random(seed);
  const auto n = static_cast<Vertex>(2 + random.below(8));
  const std::optional<double> scale =
      random.below(3) == 0 ? std::nullopt : std::optional(drawn_weight(random));
  std::vector<Edge> edges;
  for (std::uint64_t i = 0; i < std::uint64_t{2} * n; ++i) {
    const double weight = scale ? std::floor(*scale / static_cast<double>(1 + random.below(8)))
                                : drawn_weight(random);
    edges.push_back(
        {static_cast<Vertex>(random.below(n)), static_cast<Vertex>(random.below(n)), weight});
  }
  Graph graph = graph_of(n, edges, random.below(2) == 0);
  std::vector<Wide> truth = true_distances(graph);
  return {graph, std::move(truth)};
}

void expect_exact(const Case& of, Vertex s, Vertex t, double found) {
  const Wide exact = of.at(s, t);
  if (exact >= kNone) {
    EXPECT_TRUE(std::isinf(found)) << s << " to " << t;
    return;
  }
  EXPECT_LE(found, 0x1p53) << s << " to " << t;
  EXPECT_TRUE(static_cast<Wide>(found) == exact) << s << " to " << t << " is " << found;
}

void expect_all_exact(const Case& of, const Result& result) {
  const auto n = static_cast<Vertex>(of.graph.vertex_count());
  for (Vertex s = 0; s < n; ++s) {
    for (Vertex t = 0; t < n; ++t) expect_exact(of, s, t, result.distance(s, t));
  }
}

/// Whether `ask` answered, and did not refuse.
template <class Ask>
bool answers(const Ask& ask) {
  try {
    ask();
    return true;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::does_not_fit) << error.what();
    return false;
  }
}

TEST(ExactIntegers, DistancesAreExactOrRefused) {
  int solved = 0, refused = 0;
  for (int seed = 1; seed <= trials(); ++seed) {
    SCOPED_TRACE(seed);
    const Case of = drawn_case(static_cast<std::uint64_t>(seed));
    const double bound = of.graph.weight_facts().longest_path;
    for (const Keep keep : {Keep::matrix, Keep::factor}) {
      const bool answered = answers([&] {
        const Result result = solve(of.graph, {.storage = {.keep = keep}});
        expect_all_exact(of, result);
        EXPECT_TRUE(result.verify().passed);
      });
      if (of.graph.weight_facts().integral && bound <= graph::kMostExact) {
        EXPECT_TRUE(answered);
      }
      (answered ? solved : refused) += 1;
    }
  }
  EXPECT_GT(solved, trials() / 4);
  EXPECT_GT(refused, trials() / 4);
}

TEST(ExactIntegers, OfPairsPlacesAndLimitsAreExactOrRefused) {
  for (int seed = 1; seed <= trials(); ++seed) {
    SCOPED_TRACE(seed);
    const Case of = drawn_case(static_cast<std::uint64_t>(seed));
    const auto last = static_cast<Vertex>(of.graph.vertex_count() - 1);
    const std::vector<VertexPair> pairs = {{0, last}, {last, 0}};
    answers([&] {
      const std::vector<double> found = distances(of.graph, pairs);
      expect_exact(of, 0, last, found[0]);
      expect_exact(of, last, 0, found[1]);
    });
    answers([&] {
      const NearestPlaces found = nearest(of.graph, std::vector<Vertex>{last});
      for (Vertex v = 0; v <= last; ++v) expect_exact(of, v, last, found.distances[v]);
    });
    for (const double limit : {0x1p53 - 1, 0x1p52, std::floor(0x1p53 / 3)}) {
      for (const Algorithm engine : {Algorithm::johnson, Algorithm::nested_dissection}) {
        const SparseDistances found = within(of.graph, limit, {.algorithm = engine});
        std::size_t at = 0;
        for (Vertex s = 0; s <= last; ++s) {
          for (Vertex t = 0; t <= last; ++t) {
            if (s == t || of.at(s, t) > static_cast<Wide>(limit)) continue;
            ASSERT_LT(at, found.targets.size());
            EXPECT_EQ(found.targets[at], t);
            expect_exact(of, s, t, found.distances[at++]);
          }
        }
        EXPECT_EQ(at, found.targets.size());
      }
    }
    answers([&] { within(of.graph, 0x1p60); });
  }
}

TEST(ExactIntegers, OfUpdatesAreExactOrRefused) {
  int updated = 0;
  for (int seed = 1; seed <= trials(); ++seed) {
    SCOPED_TRACE(seed);
    base::SplitMix64 random(static_cast<std::uint64_t>(seed));
    const Case of = drawn_case(static_cast<std::uint64_t>(seed));
    std::vector<double> weights(static_cast<std::size_t>(of.graph.edge_count()));
    for (double& weight : weights) {
      weight = std::floor(0x1p53 / static_cast<double>(1 + random.below(12)));
    }
    Case now{with_weights(of.graph, weights), {}};
    now.truth = true_distances(now.graph);
    for (const Keep keep : {Keep::matrix, Keep::factor}) {
      std::optional<Result> before;
      if (!answers([&] { before = solve(of.graph, {.storage = {.keep = keep}}); })) continue;
      updated += answers([&] {
        const Result after = before->update(now.graph);
        expect_all_exact(now, after);
      });
    }
  }
  EXPECT_GT(updated, 0);
}

Graph chain(double first) { return graph_of(5, {{0, 1, first}, {1, 2, 1}, {2, 3, 1}, {3, 4, 1}}); }

TEST(ExactIntegers, RoundedSumsAreOnlyGivenWhereF64IsNamed) {
  const Graph graph = chain(0x1p53);
  const Error refusal = error_of([&] { solve(graph); });
  EXPECT_EQ(refusal.kind(), ErrorKind::does_not_fit);
  EXPECT_NE(std::string(refusal.what()).find("`value_type=f64`"), std::string::npos);
  const Result named = solve(graph, {.method = {.value_type = ValueType::f64}});
  EXPECT_EQ(named.report().unit_roundoff, 0x1p-53);
  EXPECT_TRUE(named.verify().passed);
  EXPECT_GT(named.verify().tolerance, 0);
  EXPECT_ERROR(does_not_fit, solve(graph, {.method = {.value_type = ValueType::i32}}));
  EXPECT_ERROR(does_not_fit, betweenness(graph));
  const Result exact = solve(chain(0x1p53 - 4));
  EXPECT_EQ(exact.report().unit_roundoff, 0);
  EXPECT_EQ(exact.distance(0, 4), 0x1p53 - 1);
  EXPECT_ERROR(does_not_fit, solve(chain(0x1p53 - 3)));
}

/// No distance exceeds 2^53, although the largest weights of all vertices add up to more.
TEST(ExactIntegers, SearchesProveThatDistancesAreExact) {
  std::vector<Edge> spokes;
  for (Vertex v = 1; v < 40; ++v) spokes.push_back({0, v, 0x1p51 + v});
  const Graph star = graph_of(40, spokes, false);
  const Result result = solve(star);
  EXPECT_EQ(result.value_type(), ValueType::f64);
  EXPECT_EQ(result.report().unit_roundoff, 0);
  EXPECT_EQ(result.distance(38, 39), 0x1p52 + 77);
  EXPECT_EQ(result.verify().meaning, "proof");
}

/// Who took rounded sums by name may update them. Exact ones do not become rounded unnoticed.
TEST(ExactIntegers, AnUpdateKeepsExactSumsExact) {
  const Graph after = chain(0x1p53);
  for (const Keep keep : {Keep::matrix, Keep::factor}) {
    const Result exact = solve(chain(0x1p52), {.storage = {.keep = keep}});
    EXPECT_ERROR(does_not_fit, exact.update(after));
    const Result rounded =
        solve(chain(0x1p54), {.method = {.value_type = ValueType::f64}, .storage = {.keep = keep}});
    EXPECT_GT(rounded.update(after).report().unit_roundoff, 0);
  }
}

TEST(ExactIntegers, BottlenecksOfAnyMagnitudeAreExact) {
  const Graph graph = graph_of(3, {{0, 1, 0x1p62 + 2048}, {1, 2, 0x1p62 + 4096}});
  for (const Semiring semiring : {Semiring::max_min, Semiring::min_max}) {
    const Result result = solve(graph, {.question = {.semiring = semiring}});
    EXPECT_EQ(result.report().unit_roundoff, 0);
    EXPECT_EQ(result.distance(0, 2), 0x1p62 + (semiring == Semiring::max_min ? 2048 : 4096));
  }
}

}  // namespace
}  // namespace apsp
