// Weight matrices as graphs have the arcs, facts and fingerprint of the same edges, in every type
// and storage order.
#include "graph/matrix_scan.hpp"

#include "base/random.hpp"
#include "graph/components.hpp"
#include "graph/mirrored.hpp"
#include "graph/negative_cycle.hpp"
#include "support/same_facts.hpp"
#include "support/test.hpp"
#include "support/weight_matrices.hpp"

namespace apsp::graph::matrix_scan_test {
namespace {

Graph graph_of(const WeightMatrix& matrix, bool directed = true) {
  GraphBuilder builder(matrix.n, directed);
  builder.set_matrix(matrix);
  return std::move(builder).build();
}

/// The arcs by definition.
template <class T>
Graph graph_of_edges(const std::vector<T>& values, std::int64_t n, bool by_columns) {
  GraphBuilder builder(n);
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      const T value = values[static_cast<std::size_t>(by_columns ? j * n + i : i * n + j)];
      if (value == WeightMatrix::no_arc<T>() || (i == j && value >= T(0))) continue;
      builder.add_edge(static_cast<Vertex>(i), static_cast<Vertex>(j), static_cast<double>(value));
    }
  }
  return std::move(builder).build();
}

/// A matrix in which `absent` of ten entries are no arcs; weights from −20 to 79, negative only if
/// T is signed.
template <class T>
std::vector<T> random_values(std::int64_t n, std::uint64_t absent, double scale,
                             std::uint64_t seed) {
  base::SplitMix64 random(seed);
  std::vector<T> values(static_cast<std::size_t>(n * n));
  for (T& value : values) {
    const auto whole = static_cast<double>(random.below(100)) - (std::is_signed_v<T> ? 20 : 0);
    value = random.below(10) < absent ? WeightMatrix::no_arc<T>() : static_cast<T>(whole * scale);
  }
  return values;
}

void expect_same(const Graph& a, const Graph& b) {
  expect_same_facts(a, b);
  EXPECT_EQ(strong_components(a).of, strong_components(b).of);
  EXPECT_EQ(weak_components(a).of, weak_components(b).of);
}

template <class T>
class MatrixGraph : public testing::Test {};
TYPED_TEST_SUITE(MatrixGraph, WeightTypes, WeightTypeNames);

TYPED_TEST(MatrixGraph, IsTheGraphOfItsArcs) {
  for (const std::int64_t n : {0, 1, 2, 3, 15, 16, 17, 33, 64, 67}) {
    for (const std::uint64_t absent : {0, 5, 10}) {
      constexpr bool kReal = std::is_floating_point_v<TypeParam>;
      for (const double scale : {1.0, kReal ? 0.3 : 3.0, kReal ? 1e-42 : 5.0}) {
        for (const bool by_columns : {false, true}) {
          const auto values = random_values<TypeParam>(n, absent, scale, 7 + absent);
          SCOPED_TRACE(testing::Message() << n << " " << absent << " " << scale << by_columns);
          expect_same(graph_of(matrix_of(values, n, by_columns)),
                      graph_of_edges(values, n, by_columns));
        }
      }
    }
  }
}

TEST(MatrixScan, WithoutDataIsAnError) {
  WeightMatrix matrix;
  EXPECT_EQ(graph_of(matrix).vertex_count(), 0);
  matrix.n = 2;
  EXPECT_ERROR(usage, graph_of(matrix));
}

TEST(MatrixScan, FindsWhatF32WouldCut) {
  const auto least_cut = [](std::vector<double> values) {
    return graph_of(matrix_of(values, 2)).weight_facts().below_f32;
  };
  EXPECT_EQ(least_cut({0, 1, 0.5, 0}), 0);
  EXPECT_EQ(least_cut({0, 0, 1e-30, 0}), 0);
  EXPECT_EQ(least_cut({1e-60, 0x1p-149, -0x1p-130, 0}), 0) << "a diagonal is no arc";
  EXPECT_EQ(least_cut({0, 1e-50, -1e-42, 0}), 1e-50);
  EXPECT_EQ(least_cut({0, 5, -1e-42, 0}), 1e-42);
}

TYPED_TEST(MatrixGraph, IsHeldAsItIsUnlessNearlyEmpty) {
  constexpr std::int64_t n = 100;
  for (const bool by_columns : {false, true}) {
    auto values = random_values<TypeParam>(n, 10, 1, 3);
    values[0 * n + 7] = TypeParam(5);
    values[9 * n + 3] = TypeParam(6);
    const Graph sparse = graph_of(matrix_of(values, n, by_columns));
    EXPECT_EQ(sparse.matrix(), nullptr);
    expect_same(sparse, graph_of_edges(values, n, by_columns));
    const WeightMatrix dense = matrix_of(random_values<TypeParam>(n, 5, 1, 3), n, by_columns);
    ASSERT_NE(graph_of(dense).matrix(), nullptr);
    EXPECT_EQ(graph_of(dense).matrix()->data, dense.data);
    EXPECT_THROW(graph_of(dense).targets(), Error);
  }
}

TYPED_TEST(MatrixGraph, OfPartsOfThreadsIsTheSame) {
  const auto values = random_values<TypeParam>(300, 2, 1, 5);
  for (const bool by_columns : {false, true}) {
    const WeightMatrix matrix = matrix_of(values, 300, by_columns);
    const MatrixScan one = scan_matrix(matrix, 1), seven = scan_matrix(matrix, 7);
    EXPECT_EQ(one.offsets, seven.offsets);
    EXPECT_EQ(one.loops, seven.loops);
    EXPECT_EQ(one.facts.longest_path, seven.facts.longest_path);
  }
}

TYPED_TEST(MatrixGraph, SymmetryIsSeenAndTheFirstDifferenceNamed) {
  constexpr std::int64_t n = 150;
  auto values = random_values<TypeParam>(n, 3, 1, 5);
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < i; ++j) {
      values[static_cast<std::size_t>(i * n + j)] = values[static_cast<std::size_t>(j * n + i)];
    }
  }
  EXPECT_TRUE(graph_of(matrix_of(values, n)).symmetric());
  for (const auto& [row, col] : {std::pair{3, 149}, std::pair{70, 71}, std::pair{148, 149}}) {
    auto other = values;
    other[static_cast<std::size_t>(col * n + row)] += TypeParam(1);
    other[n * n - 2] += TypeParam(1);  // a later one: [149, 148]
    if (row == 148) other[n * n - 2] = values[n * n - 2] + TypeParam(1);
    const Graph graph = graph_of(matrix_of(other, n));
    EXPECT_FALSE(graph.symmetric());
    const auto found = find_unmirrored(graph);
    ASSERT_TRUE(found);
    EXPECT_EQ(std::pair(static_cast<int>(found->from), static_cast<int>(found->to)),
              std::pair(row, col));
  }
}

TEST(MatrixGraph, SymmetryIsAPropertyOfTheGraph) {
  const Graph same = graph_of(matrix_of(std::vector<float>{0, 3, 3, 0}, 2));
  EXPECT_TRUE(same.directed() && same.symmetric());
  EXPECT_FALSE(same.as_undirected().directed());
  EXPECT_EQ(same.as_undirected().edge_count(), 1);
  const WeightMatrix other = matrix_of(std::vector<float>{0, 3, 4, 0}, 2);
  EXPECT_FALSE(graph_of(other).symmetric());
}

TEST(MatrixGraph, OfAnUndirectedOneIsSymmetric) {
  for (const std::int64_t n : {2, 200}) {
    std::vector<float> values(static_cast<std::size_t>(n * n), 3);
    EXPECT_FALSE(graph_of(matrix_of(values, n), false).directed());
    values[1] = 4;
    EXPECT_ERROR(usage, graph_of(matrix_of(values, n), false));
  }
}

TEST(MatrixGraph, UndirectedEdgesAreCountedOnce) {
  const std::vector<float> values = {-1, 3, 2, 3, 0, 4, 2, 4, 9};
  const Graph graph = graph_of(matrix_of(values, 3), false);
  EXPECT_EQ(graph.arc_count(), 7);
  EXPECT_EQ(graph.edge_count(), 4);
  EXPECT_EQ(graph.loop_count(), 1);
}

TEST(MatrixGraph, RefusesWhatIsNoWeight) {
  for (const bool by_columns : {false, true}) {
    std::vector<double> values(25, 1.0);
    values[2 * 5 + 3] = std::nan("");
    values[4 * 5 + 4] = -std::numeric_limits<double>::infinity();
    EXPECT_ERROR(usage, graph_of(matrix_of(values, 5, by_columns)));
    values[2 * 5 + 3] = 1;
    EXPECT_THROW(graph_of(matrix_of(values, 5, by_columns)), Error);
    values[4 * 5 + 4] = std::numeric_limits<double>::infinity();
    EXPECT_EQ(graph_of(matrix_of(values, 5, by_columns)).loop_count(), 0);
  }
}

TEST(MatrixGraph, CyclesAreFoundWithTheirWeights) {
  const float none = WeightMatrix::no_arc<float>();
  const std::vector<float> values = {0, 2, none, none, 0, -5, 1, none, 0};
  const Graph graph = graph_of(matrix_of(values, 3));
  ASSERT_NE(graph.matrix(), nullptr);
  const auto negative = potentials(graph).cycle;
  ASSERT_TRUE(negative);
  EXPECT_EQ(negative->weight, -2);
  const auto any = find_cycle(graph);
  ASSERT_TRUE(any);
  EXPECT_EQ(any->weight, -2);
}

TEST(MatrixGraph, CopiesShareTheirArcs) {
  const std::vector<float> values(16, 1.0f);
  const Graph graph = graph_of(matrix_of(values, 4));
  Graph copy;
  EXPECT_EQ(copy.vertex_count(), 0);
  copy = graph;
  EXPECT_EQ(copy.matrix(), graph.matrix());
  const Graph moved = std::move(copy);
  EXPECT_EQ(copy.vertex_count(), 4);  // NOLINT(bugprone-use-after-move): a copy as well
  EXPECT_EQ(moved.matrix(), graph.matrix());
}

}  // namespace
}  // namespace apsp::graph::matrix_scan_test
