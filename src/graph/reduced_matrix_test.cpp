#include "graph/reduced_matrix.hpp"

#include <apsp/graph.hpp>

#include "graph/adjacency_matrix.hpp"
#include "graph/bellman_check.hpp"
#include "graph/negative_cycle.hpp"
#include "support/graph_of.hpp"
#include "support/test.hpp"
#include "support/textbook.hpp"

namespace apsp::graph::reduced_matrix_test {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

Graph signed_graph(std::int64_t n, double probability) {
  return generate({.kind = GraphKind::gnp,
                   .vertices = n,
                   .probability = probability,
                   .real_weights = true,
                   .negative = true});
}

template <class T>
std::vector<T> weights_of(const Graph& graph, ValueType type) {
  const std::int64_t n = graph.vertex_count();
  std::vector<T> matrix(static_cast<std::size_t>(n * n));
  fill_adjacency_matrix(graph, Semiring::min_plus, type, {matrix.data(), n, n, n}, 1);
  return matrix;
}

TEST(ReducedMatrix, IsNeverNegativeAndKeepsTheLeastParallelArc) {
  const Graph graph = graph_of(3, {{0, 1, -4}, {0, 1, 2}, {1, 2, 3}, {2, 2, 1}});
  const Potentials p = potentials(graph);
  std::vector<double> matrix(9);
  fill_reduced_matrix(graph, {p.h, 1}, ValueType::f64, {matrix.data(), 3, 3, 3}, 2, {});
  EXPECT_THAT(matrix, ElementsAre(0, 0, kInf, kInf, 0, 0, kInf, kInf, 0));
  restore_matrix({p.h, 1}, ValueType::f64, {matrix.data(), 3, 3, 3}, 2, {});
  EXPECT_THAT(matrix, ElementsAre(0, -4, kInf, kInf, 0, 3, kInf, kInf, 0));
}

TEST(ReducedMatrix, InPlaceIsAsFromTheGraph) {
  const Graph graph = signed_graph(90, 0.2);
  const Potentials p = potentials(graph);
  std::vector<double> filled(90 * 90), reduced = weights_of<double>(graph, ValueType::f64);
  fill_reduced_matrix(graph, {p.h, 1}, ValueType::f64, {filled.data(), 90, 90, 90}, 2, {});
  reduce_matrix({p.h, 1}, ValueType::f64, {reduced.data(), 90, 90, 90}, 2, {});
  EXPECT_EQ(filled, reduced);
}

TEST(ReducedMatrix, LongestPathsAreShortestOnesOfNegatedWeights) {
  std::vector<double> matrix = {0, 3, -kInf, -kInf, 0, -5, -kInf, -kInf, 0};
  const kernels::View tile{matrix.data(), 3, 3, 3};
  const MatrixFacts facts = prepare_matrix(Semiring::max_plus, ValueType::f64, tile, 1);
  const Potentials p = matrix_potentials(ValueType::f64, tile, facts, -1, 1, {});
  reduce_matrix({p.h, -1}, ValueType::f64, tile, 1, {});
  EXPECT_THAT(matrix, ElementsAre(0, 0, kInf, kInf, 0, 2, kInf, kInf, 0));
  matrix[2] = 2;
  const LargestValues largest = restore_matrix({p.h, -1}, ValueType::f64, tile, 1, {});
  EXPECT_THAT(matrix, ElementsAre(0, 3, -2, -kInf, 0, -5, -kInf, -kInf, 0));
  EXPECT_EQ(largest.reduced, 2);
  EXPECT_EQ(largest.distance, 5);
}

TEST(MatrixPotentials, AreThoseOfTheGraph) {
  for (const std::int64_t n : {1, 31, 32, 33, 150, 1100}) {
    const Graph graph = signed_graph(n, n > 1000 ? 0.9 : 0.3);
    std::vector<double> matrix = weights_of<double>(graph, ValueType::f64);
    const kernels::View tile{matrix.data(), n, n, n};
    const MatrixFacts facts = prepare_matrix(Semiring::min_plus, ValueType::f64, tile, 2);
    const Potentials p = matrix_potentials(ValueType::f64, tile, facts, 1, 3, {});
    EXPECT_EQ(p.h, potentials(graph).h) << n;
  }
}

TEST(MatrixPotentials, OfFloatsLeaveNoNegativeWeight) {
  const Graph graph = signed_graph(200, 0.5);
  std::vector<float> matrix = weights_of<float>(graph, ValueType::f32);
  const kernels::View tile{matrix.data(), 200, 200, 200};
  const MatrixFacts facts = prepare_matrix(Semiring::min_plus, ValueType::f32, tile, 2);
  EXPECT_TRUE(facts.negative && facts.positive);
  EXPECT_FALSE(facts.integral);
  const Potentials p = matrix_potentials(ValueType::f32, tile, facts, 1, 2, {});
  ASSERT_FALSE(p.cycle);
  for (std::size_t u = 0; u < 200; ++u) {
    for (std::size_t v = 0; v < 200; ++v) {
      const double w = static_cast<double>(matrix[u * 200 + v]);
      if (w < kInf) {
        EXPECT_GE(w + p.h[u].high - p.h[v].high, -1e-12);
      }
    }
  }
}

TEST(MatrixPotentials, FindANegativeCycle) {
  std::vector<float> matrix = {0, 1.5F, 7, 2, 0, 0.25F, -1.75F, 1, 0};
  const kernels::View tile{matrix.data(), 3, 3, 3};
  const MatrixFacts facts = prepare_matrix(Semiring::min_plus, ValueType::f32, tile, 1);
  EXPECT_FALSE(matrix_potentials(ValueType::f32, tile, facts, 1, 1, {}).cycle);
  matrix[5] = 0.125F;
  const Potentials p = matrix_potentials(ValueType::f32, tile, facts, 1, 1, {});
  ASSERT_TRUE(p.cycle);
  EXPECT_THAT(p.cycle->vertices, ElementsAre(0, 1, 2));
  EXPECT_EQ(p.cycle->weight, -0.125);
}

TEST(BellmanCheck, FindsAValueThatRanAway) {
  const Graph graph = signed_graph(60, 0.3);
  std::vector<double> d = verifier::floyd_warshall(graph, Semiring::min_plus);
  const kernels::View tile{d.data(), 60, 60, 60};
  check_bellman(graph, 1, ValueType::f64, tile, 1e-9, 2, {});
  const std::vector<Vertex> rows = rows_to_check(60, graph.arc_count() + 60);
  ASSERT_FALSE(rows.empty());
  const auto spoil = [&](double value) {
    std::vector<double> spoilt = d;
    spoilt[rows.back() * 60 + 7] = value;
    return error_of([&] {
             check_bellman(graph, 1, ValueType::f64, {spoilt.data(), 60, 60, 60}, 1e-9, 2, {});
           })
        .kind();
  };
  EXPECT_EQ(spoil(-1e30), ErrorKind::defect);
  EXPECT_EQ(spoil(1e30), ErrorKind::defect);
  EXPECT_EQ(spoil(kInf), ErrorKind::defect);
  EXPECT_EQ(spoil(std::nan("")), ErrorKind::defect);
}

TEST(BellmanCheck, OfKeptRows) {
  const Graph graph = generate({.vertices = 50, .probability = 0.3, .real_weights = true});
  std::vector<float> weights = weights_of<float>(graph, ValueType::f32);
  const KeptRows kept(ValueType::f32, {weights.data(), 50, 50, 50});
  std::vector<float> d;
  for (const double value : verifier::floyd_warshall(graph, Semiring::min_plus)) {
    d.push_back(static_cast<float>(value));
  }
  kept.check({d.data(), 50, 50, 50}, 2, {});
  const std::vector<Vertex> rows = rows_to_check(50, 2500);
  for (const float value :
       {1e30F, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    std::vector<float> spoilt = d;
    spoilt[rows.front() * 50 + 9] = value;
    EXPECT_ERROR(defect, kept.check({spoilt.data(), 50, 50, 50}, 2, {}));
  }
}

}  // namespace
}  // namespace apsp::graph::reduced_matrix_test
