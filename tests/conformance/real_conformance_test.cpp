// Real weights, of one sign and of both, on every back end, with cycles looked for and excluded.
//
// Sums of reals depend on how they associate, so distances are compared within the rounding of a
// path of n edges: n · 2u of the largest magnitude on the way, u the unit roundoff. With weights of
// one sign that is a share of the distance itself; signs that cancel leave a share of the largest
// distance and weight. Every cycle here weighs at least 1: those that rounding can turn are the
// potentials' business (planner/signed_weights.hpp), not the kernels'. Bottlenecks copy weights:
// they are exact once weights are rounded.
#include <apsp/graph.hpp>

#include "conformance/back_ends.hpp"
#include "graph/adjacency_matrix.hpp"
#include "semiring/dispatch.hpp"
#include "support/test.hpp"
#include "support/textbook.hpp"

namespace apsp::conformance::real_conformance_test {
namespace {

using kernels::Cycles;
using kernels::Sign;

struct Case {
  std::size_t back_end;
  Semiring semiring;
  ValueType type;
  bool is_signed;
  Cycles cycles;
};

std::vector<Case> cases() {
  std::vector<Case> list;
  for (std::size_t b = 0; b < back_ends().size(); ++b) {
    for (const Semiring semiring : all_semirings()) {
      for (const ValueType type : {ValueType::f32, ValueType::f64}) {
        if (!back_ends()[b].solves || !has(back_ends()[b], semiring, type)) continue;
        for (const bool is_signed : {false, true}) {
          for (const Cycles cycles : {Cycles::possible, Cycles::excluded}) {
            list.push_back({b, semiring, type, is_signed, cycles});
          }
        }
      }
    }
  }
  return list;
}

/// Weights from 1 to 100, their lower bits all taken; signed by potentials, so that cycles keep
/// theirs. Longest paths: arcs to greater numbers alone.
Graph make_graph(const Case& c, std::int64_t n) {
  GenerateOptions options{.kind = GraphKind::gnp, .vertices = n};
  options.probability = 0.15;  // leaves pairs without a path
  options.directed = true;
  options.real_weights = true;
  options.negative = c.is_signed;
  options.seed = static_cast<std::uint64_t>(n) + 1;
  const Graph graph = generate(options);
  if (c.semiring != Semiring::max_plus) return graph;
  GraphBuilder builder(n, true);
  for (Vertex u = 0; u < static_cast<Vertex>(n); ++u) {
    for (std::size_t a = 0; a < graph.targets(u).size(); ++a) {
      if (u < graph.targets(u)[a]) builder.add_edge(u, graph.targets(u)[a], graph.weights(u)[a]);
    }
  }
  return std::move(builder).build();
}

/// What a back end made of a graph, beside what it started from.
template <class S>
struct Solved {
  using T = typename S::Value;

  Solved(const Case& c, const BackEnd& back_end, const Graph& graph, bool tracks_via)
      : n(graph.vertex_count()),
        weights(static_cast<std::size_t>(n * n)),
        via(tracks_via ? weights.size() : 0, kernels::kNoVia) {
    graph::fill_adjacency_matrix(graph, c.semiring, c.type, {weights.data(), n, n, n}, 1);
    values = weights;
    const std::int64_t tile = back_end.tile;
    dense::TiledMatrix via_tiling;
    if (tracks_via) via_tiling = {{via.data(), n, n, n}, sizeof(std::int32_t), tile};
    back_end.floyd_warshall(c.semiring, c.type, c.is_signed ? Sign::any : Sign::non_negative,
                            c.cycles, {{values.data(), n, n, n}, sizeof(T), tile},
                            dense::Shape::full, via_tiling);
  }
  std::size_t at(std::int64_t i, std::int64_t j) const {
    return static_cast<std::size_t>(i * n + j);
  }
  /// Of n additions of such values.
  double rounding(double magnitude) const {
    if (S::kKind != Semiring::min_plus && S::kKind != Semiring::max_plus) return 0;
    return static_cast<double>(n) * std::numeric_limits<T>::epsilon() * magnitude;
  }

  std::int64_t n;
  std::vector<T> weights;         // [n, n]
  std::vector<T> values;          // [n, n]
  std::vector<std::int32_t> via;  // [n, n], or empty
};

class RealConformance : public testing::TestWithParam<Case> {
 protected:
  const BackEnd& back_end() const { return back_ends()[GetParam().back_end]; }

  /// Largest finite distance or weight, where signs cancel.
  static double largest(const Graph& graph, const std::vector<double>& distances) {
    double most = std::max(std::abs(graph.weight_facts().least), graph.weight_facts().greatest);
    for (const double distance : distances) {
      if (std::isfinite(distance)) most = std::max(most, std::abs(distance));
    }
    return most;
  }

  template <class S>
  void expect_distances(const Graph& graph) {
    using T = typename S::Value;
    const Case& c = GetParam();
    const Solved<S> got(c, back_end(), graph, false);
    const std::vector<double> truth = verifier::floyd_warshall(graph, c.semiring);
    const double most = largest(graph, truth);
    for (std::int64_t i = 0; i < got.n; ++i) {
      ASSERT_EQ(got.values[got.at(i, i)], S::one()) << i;
      for (std::int64_t j = 0; j < got.n; ++j) {
        const double want = truth[got.at(i, j)];
        const T value = got.values[got.at(i, j)];
        if (i == j) continue;
        if (std::isinf(want)) {
          ASSERT_EQ(value, S::zero()) << "n " << got.n << ", " << i << " to " << j;
          continue;
        }
        const double magnitude = c.is_signed ? 2 * most : std::abs(want);
        ASSERT_NEAR(static_cast<double>(value), static_cast<double>(static_cast<T>(want)),
                    got.rounding(magnitude))
            << "n " << got.n << ", " << i << " to " << j;
      }
    }
  }

  template <class S>
  void expect_via(const Graph& graph) {
    using T = typename S::Value;
    const Solved<S> got(GetParam(), back_end(), graph, true);
    for (std::int64_t i = 0; i < got.n; ++i) {
      for (std::int64_t j = 0; j < got.n; ++j) {
        const std::int64_t k = got.via[got.at(i, j)];
        const T value = got.values[got.at(i, j)];
        if (k == kernels::kNoVia) {
          ASSERT_EQ(value, got.weights[got.at(i, j)]) << i << " to " << j;
          continue;
        }
        ASSERT_TRUE(k >= 0 && k < got.n && k != i && k != j) << k;
        const T first = got.values[got.at(i, k)], second = got.values[got.at(k, j)];
        const double magnitude =
            std::abs(static_cast<double>(first)) + std::abs(static_cast<double>(second));
        ASSERT_NEAR(static_cast<double>(value), static_cast<double>(S::times(first, second)),
                    got.rounding(GetParam().is_signed ? magnitude + 200 : magnitude))
            << "n " << got.n << ", " << i << " to " << j << " via " << k;
      }
    }
  }
};

TEST_P(RealConformance, DistancesAreRightWithinRounding) {
  back_end().select();
  const std::int64_t tile = back_end().tile;
  for (const std::int64_t n : {tile - 1, 2 * tile + 3, 4 * tile - 3}) {
    const Graph graph = make_graph(GetParam(), n);
    semiring::dispatch(GetParam().semiring, GetParam().type,
                       [&]<class S>() { expect_distances<S>(graph); });
  }
}

TEST_P(RealConformance, ViaSplitsEveryDistanceWithinRounding) {
  back_end().select();
  const Graph graph = make_graph(GetParam(), 2 * back_end().tile + 3);
  semiring::dispatch(GetParam().semiring, GetParam().type,
                     [&]<class S>() { expect_via<S>(graph); });
}

std::string word_of(const Case& c) {
  return case_word(back_ends()[c.back_end].name, c.semiring, c.type,
                   std::string(c.is_signed ? "_signed" : "") +
                       (c.cycles == Cycles::excluded ? "_cycles_excluded" : ""));
}

std::string case_name(const testing::TestParamInfo<Case>& each) { return word_of(each.param); }

void PrintTo(const Case& c, std::ostream* out) { *out << word_of(c); }

INSTANTIATE_TEST_SUITE_P(Driver, RealConformance, testing::ValuesIn(cases()), case_name);

/// Two vertices whose cycle weighs one unit in the last place less than nothing: excluded by the
/// caller's word, it is rounding, and must neither end the solve nor be fed on.
class RoundedCycle : public testing::TestWithParam<Case> {};

TEST_P(RoundedCycle, IsPutBackWhereCyclesAreExcluded) {
  const Case& c = GetParam();
  const BackEnd& back_end = back_ends()[c.back_end];
  back_end.select();
  const std::int64_t n = 2 * back_end.tile + 3;
  semiring::dispatch(Semiring::min_plus, c.type, [&]<class S>() {
    using T = typename S::Value;
    // A directed ring, its weights with one: the two ends of the cycle lie in different tiles.
    std::vector<T> matrix(static_cast<std::size_t>(n * n), S::zero());
    const auto at = [&](std::int64_t i, std::int64_t j) -> T& {
      return matrix[static_cast<std::size_t>(i * n + j)];
    };
    for (std::int64_t i = 0; i < n; ++i) {
      at(i, i) = S::one();
      at(i, (i + 1) % n) = T(1);
    }
    const T unit = std::numeric_limits<T>::epsilon();
    at(0, 1) = T(1);
    at(1, 0) = -(T(1) + unit);
    at(2, n - 1) = T(1);
    at(n - 1, 2) = -(T(1) + unit);
    const auto solve = [&](std::vector<T>& values, Cycles cycles) {
      back_end.floyd_warshall(Semiring::min_plus, c.type, Sign::any, cycles,
                              {{values.data(), n, n, n}, sizeof(T), back_end.tile},
                              dense::Shape::full, {});
    };
    std::vector<T> copy = matrix;
    EXPECT_THROW(solve(copy, Cycles::possible), Error);
    solve(matrix, Cycles::excluded);
    // 0 → 1 → 2 → n − 1 and back: exact but for some units.
    const double slack = 64 * static_cast<double>(unit);
    for (std::int64_t i = 0; i < n; ++i) EXPECT_NEAR(at(i, i), 0, slack) << i;
    EXPECT_NEAR(at(0, 1), 1, slack);
    EXPECT_NEAR(at(0, n - 1), 3, slack);
    EXPECT_NEAR(at(n - 1, 2), -1, slack);
    EXPECT_NEAR(at(2, 0), 2, slack);
    EXPECT_NEAR(at(1, 0), -1, slack);
  });
}

std::vector<Case> rounded_cycles() {
  std::vector<Case> list = cases();
  std::erase_if(list, [](const Case& c) {
    return c.semiring != Semiring::min_plus || !c.is_signed || c.cycles != Cycles::excluded;
  });
  return list;
}

INSTANTIATE_TEST_SUITE_P(Driver, RoundedCycle, testing::ValuesIn(rounded_cycles()), case_name);

}  // namespace
}  // namespace apsp::conformance::real_conformance_test
