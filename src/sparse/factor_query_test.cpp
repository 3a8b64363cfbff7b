// Single distances and rows from factors, against the textbook and against sweeps.
#include "sparse/factor_query.hpp"

#include "semiring/dispatch.hpp"
#include "sparse/eliminate.hpp"
#include "sparse/sweep.hpp"
#include "support/random_graph.hpp"
#include "support/test.hpp"
#include "support/textbook.hpp"
#include "support/types_of.hpp"

namespace apsp::sparse::factor_query_test {
namespace {

struct How {
  Semiring semiring = Semiring::min_plus;
  ValueType type = ValueType::i32;
  bool relaxed = true;
};

Factor factor_of(const Graph& graph, const How& how) {
  const Pattern pattern = pattern_of(graph);
  auto tree = std::make_shared<const Tree>(pattern, nested_dissection(pattern), how.relaxed);
  return eliminate(graph, tree,
                   {how.semiring, how.type, kernels::Sign::any, kernels::Cycles::possible, 1, {}});
}

void expect_right(const Graph& graph, const How& how) {
  const Factor factor = factor_of(graph, how);
  const std::vector<double> expected = verifier::floyd_warshall(graph, how.semiring);
  DownwardCopies copies(factor, 0, 16);
  FactorQuery query(factor), copied(factor, kernels::Sign::any, &copies);
  semiring::dispatch(how.semiring, how.type, [&]<class S>() {
    const double none =
        how.semiring == Semiring::or_and ? 0 : no_path(how.semiring, ValueType::f64);
    const auto n = static_cast<Vertex>(graph.vertex_count());
    std::vector<typename S::Value> row(n), shared(n), other(n);
    for (Vertex s = 0; s < n; ++s) {
      query.row(s, row.data());
      copied.row(s, shared.data(), 1 + static_cast<int>(s) % 4);
      ASSERT_EQ(row, shared) << "from " << s;
      query.row(s, End::target, other.data(), 1);
      copied.row(s, End::target, shared.data(), 1);
      ASSERT_EQ(other, shared) << "to " << s;
      for (Vertex t = 0; t < n; ++t) {
        typename S::Value value{};
        query.distance(s, t, &value);
        ASSERT_EQ(row[t], value);
        if (s == t) {
          ASSERT_EQ(value, S::one());
          continue;
        }
        ASSERT_EQ(value == S::zero() ? none : static_cast<double>(value), expected[s * n + t])
            << name(how.semiring) << " " << name(how.type) << " " << s << " to " << t << " of "
            << n;
      }
    }
  });
}

TEST(FactorQuery, GivesTheDistancesOfTheTextbookInEverySemiringAndType) {
  for (const auto& [graph, semiring, type, seed] : typed_graphs({1, 2, 17, 90}, {0.5, 2, 6}, 30)) {
    expect_right(graph, {semiring, type, seed % 2 == 0});
  }
}

TEST(FactorQuery, TakesNegativeWeights) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    for (const ValueType type : {ValueType::i32, ValueType::f64}) {
      expect_right(random_graph({.n = 90, .arcs = 300, .potential = 40, .seed = seed}),
                   {.type = type});
    }
  }
}

TEST(FactorQuery, GivesTheSameBitsWhateverWasAskedBefore) {
  for (const bool directed : {false, true}) {
    const Graph graph = random_graph(
        {.n = 150, .arcs = 900, .least = 0.1, .greatest = 7, .real = true, .directed = directed});
    const Factor factor = factor_of(graph, {.type = ValueType::f32});
    for (const kernels::Sign sign : {kernels::Sign::any, kernels::Sign::non_negative}) {
      FactorQuery kept(factor, sign), jumping(factor, sign);
      std::vector<float> row(150);
      for (Vertex s = 0; s < 150; s += 7) {
        if (s % 2 == 0) kept.row(s, row.data());
        for (Vertex t = 0; t < 150; ++t) {
          float value = 0, fresh = 0, other = 0;
          kept.distance(s, t, &value);
          jumping.distance(t, s, &other);
          jumping.distance(s, t, &fresh);
          ASSERT_EQ(value, fresh) << s << " to " << t;
        }
      }
    }
  }
}

TEST(FactorQuery, LeavesOutWhatIsNoBetterThanTheBestPathSoFar) {
  // Most pairs of a long strip of streets have their lowest common ancestor far below the root.
  const Graph graph = random_graph({.n = 300, .arcs = 500, .least = 0, .greatest = 9, .seed = 4});
  for (const Semiring semiring : {Semiring::min_plus, Semiring::max_min, Semiring::min_max}) {
    const Factor factor = factor_of(graph, {.semiring = semiring});
    FactorQuery all(factor), some(factor, kernels::Sign::non_negative);
    for (Vertex s = 0; s < 300; s += 3) {
      for (Vertex t = 0; t < 300; t += 2) {
        std::int32_t with = 0, without = 0;
        all.distance(s, t, &without);
        some.distance(s, t, &with);
        ASSERT_EQ(with, without) << name(semiring) << " " << s << " to " << t;
      }
    }
  }
}

TEST(FactorQuery, MeetsInWideSupernodes) {
  // Dense enough that the last supernodes hold dozens of vertices.
  for (const bool directed : {false, true}) {
    const Graph graph =
        random_graph({.n = 160, .arcs = 1500, .least = 1, .greatest = 90, .directed = directed});
    for (const ValueType type : {ValueType::u16, ValueType::i32, ValueType::f64}) {
      expect_right(graph, {.type = type});
    }
  }
}

TEST(FactorQuery, RowsOfFloatsAreThoseOfASweepToTheLastBit) {
  const Graph graph = random_graph(
      {.n = 200, .arcs = 900, .least = 0.1, .greatest = 7, .real = true, .directed = true});
  const Factor factor = factor_of(graph, {.type = ValueType::f32});
  const std::size_t n = 200;
  std::vector<float> alone(n), swept(n), copied(n);
  FactorQuery query(factor);
  DownwardCopies copies(factor, 1);
  FactorQuery copying(factor, kernels::Sign::non_negative, &copies);
  Sweep sweep(factor, kernels::Sign::non_negative, 16);
  for (Vertex s = 0; s < n; ++s) {
    query.row(s, alone.data());
    sweep.run({&s, 1}, [&](Position first, kernels::ConstView values) {
      for (std::int64_t i = 0; i < values.rows; ++i) {
        const Vertex t = factor.tree().order().vertex_at[static_cast<std::size_t>(first + i)];
        swept[t] = static_cast<const float*>(values.data)[i * values.stride];
      }
    });
    ASSERT_EQ(alone, swept);
    copying.row(s, copied.data());
    ASSERT_EQ(copied, swept);
    float value = 0;
    query.distance(s, 7, &value);
    if (alone[7] < std::numeric_limits<float>::infinity()) {
      EXPECT_NEAR(value, alone[7], 1e-5);
    }
  }
}

}  // namespace
}  // namespace apsp::sparse::factor_query_test
