// Rows of semirings of one's own against the closure of the whole matrix; predecessors lead back to
// the source by arcs whose values give those of the row.
#include <apsp/own_rows.hpp>

#include "base/random.hpp"
#include "support/graph_of.hpp"
#include "support/own_semirings.hpp"
#include "support/test.hpp"

namespace apsp::own_rows_test {
namespace {

template <class S>
struct Case {
  using T = typename S::Value;
  using Arcs = std::map<std::pair<Vertex, Vertex>, T>;

  explicit Case(std::int64_t vertices, int arcs, std::uint64_t seed) : n(vertices) {
    base::SplitMix64 random(seed);
    GraphBuilder builder(n);
    for (int arc = 0; arc < arcs && n > 0; ++arc) {
      const auto from = static_cast<Vertex>(random.below(static_cast<std::uint64_t>(n)));
      const auto to = static_cast<Vertex>(random.below(static_cast<std::uint64_t>(n)));
      const bool is_new =
          values
              .try_emplace({from, to}, edge_value<S>([&](std::int32_t most) {
                             return 1 + static_cast<std::int32_t>(random.uniform() * most);
                           }))
              .second;
      if (is_new) builder.add_edge(from, to, 1);
    }
    graph = std::move(builder).build();
  }

  auto value_of() const {
    return [this](Vertex from, Vertex to, double) { return values.at({from, to}); };
  }
  std::vector<T> closure() const {
    std::vector<T> d(static_cast<std::size_t>(n * n), S::zero());
    for (const auto& [arc, value] : values) d[arc.first * d_stride() + arc.second] = value;
    floyd_warshall<S>(MatrixView<T>(d.data(), n, n), {.threads = 1});
    return d;
  }
  std::size_t d_stride() const { return static_cast<std::size_t>(n); }

  std::int64_t n;
  Arcs values;
  Graph graph;
};

template <class S>
class OwnRowsTest : public testing::Test {};
using Semirings = testing::Types<Sums, ShortestWidest, FirstEdge, Sets>;
TYPED_TEST_SUITE(OwnRowsTest, Semirings);

TYPED_TEST(OwnRowsTest, AgreeWithTheClosure) {
  using T = typename TypeParam::Value;
  for (const auto& [n, arcs] : {std::pair(1, 2), std::pair(7, 20), std::pair(60, 150)}) {
    const Case<TypeParam> c(n, arcs, static_cast<std::uint64_t>(n));
    const std::vector<T> all = c.closure();
    std::vector<T> rows(all.size());
    own_rows<TypeParam>(c.graph, c.value_of(), MatrixView<T>(rows.data(), n, n), {.threads = 3});
    EXPECT_TRUE(rows == all) << n;
  }
}

TYPED_TEST(OwnRowsTest, HoldTheSelectionInItsOrder) {
  using T = typename TypeParam::Value;
  const std::int64_t n = 60, stride = 5;
  const std::vector<Vertex> sources = {9, 3, 9}, targets = {59, 0, 3, 3};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Case<TypeParam> c(n, 150, seed);
    const std::vector<T> all = c.closure();
    std::vector<T> rows(sources.size() * stride, TypeParam::one());
    own_rows<TypeParam>(c.graph, c.value_of(), MatrixView<T>(rows.data(), 3, 4, stride),
                        {.sources = sources, .targets = targets, .threads = 1});
    for (std::size_t i = 0; i < sources.size(); ++i) {
      for (std::size_t j = 0; j < targets.size(); ++j) {
        EXPECT_TRUE(rows[i * stride + j] == all[sources[i] * c.d_stride() + targets[j]]);
      }
      EXPECT_TRUE(rows[i * stride + 4] == TypeParam::one());
    }
  }
}

TYPED_TEST(OwnRowsTest, PredecessorsAreOnBestPaths) {
  using S = TypeParam;
  using T = typename S::Value;
  const std::int64_t n = 60;
  const Case<S> c(n, 150, 4);
  std::vector<T> rows(static_cast<std::size_t>(n * n));
  std::vector<std::int32_t> before(rows.size());
  const auto solve = [&] {
    own_rows<S>(c.graph, c.value_of(), MatrixView<T>(rows.data(), n, n), {.threads = 2},
                MatrixView<std::int32_t>(before.data(), n, n));
  };
  if constexpr (std::is_same_v<S, Sets>) {  // a union is the value of no path
    EXPECT_ERROR(usage, solve());
    return;
  }
  solve();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t source = i / c.d_stride();
    const auto target = static_cast<Vertex>(i % c.d_stride());
    const bool has_one = target != source && !(rows[i] == S::zero());
    ASSERT_EQ(before[i] >= 0, has_one);
    if (!has_one) continue;
    const auto u = static_cast<Vertex>(before[i]);
    EXPECT_TRUE(rows[i] == S::times(rows[source * c.d_stride() + u], c.values.at({u, target})));
  }
}

TEST(OwnRows, EdgesOfUndirectedGraphsLeadBothWays) {
  std::vector<std::int32_t> rows(9);
  own_rows<Sums>(
      graph_of(3, {{0, 1, 4}, {1, 2, 5}}, false),
      [](Vertex, Vertex, double weight) { return static_cast<int>(weight); },
      MatrixView<std::int32_t>(rows.data(), 3, 3));
  EXPECT_EQ(rows, (std::vector<std::int32_t>{0, 4, 9, 4, 0, 5, 9, 5, 0}));
}

TEST(OwnRows, ErrorsOfCalls) {
  const Case<Sums> c(4, 6, 1);
  std::vector<std::int32_t> rows(16);
  const auto error = [&](OwnRowsOptions options, std::int64_t columns, auto&& value_of) {
    return error_of([&] {
             own_rows<Sums>(c.graph, value_of, MatrixView<std::int32_t>(rows.data(), 4, columns),
                            options);
           })
        .kind();
  };
  const std::vector<Vertex> beyond = {0, 1, 2, 4};
  EXPECT_EQ(error({.sources = beyond}, 4, c.value_of()), ErrorKind::usage);
  EXPECT_EQ(error({.targets = beyond}, 4, c.value_of()), ErrorKind::usage);
  EXPECT_EQ(error({}, 3, c.value_of()), ErrorKind::usage);
  EXPECT_EQ(error({.threads = -1}, 4, c.value_of()), ErrorKind::usage);
  const auto throws = [](Vertex, Vertex, double) -> std::int32_t {
    throw Error(ErrorKind::input, "no value");
  };
  EXPECT_EQ(error({}, 4, throws), ErrorKind::input);
  Cancellation cancellation;
  cancellation.request();
  EXPECT_EQ(error({.control = {nullptr, &cancellation}}, 4, c.value_of()), ErrorKind::interrupted);
}

TEST(OwnRows, CyclesBetterThanTheEmptyPathEnd) {
  const Graph graph = graph_of(4, {{0, 1, 1}, {1, 2, 1}, {2, 1, 1}});
  std::vector<std::int32_t> rows(16);
  const auto value_of = [](Vertex, Vertex to, double) { return to == 1 ? -2 : 1; };
  EXPECT_ERROR(negative_cycle,
               own_rows<Sums>(graph, value_of, MatrixView<std::int32_t>(rows.data(), 4, 4)));
}

}  // namespace
}  // namespace apsp::own_rows_test
