#include "graph/adjacency_matrix.hpp"

#include "support/test.hpp"
#include "support/weight_matrices.hpp"

namespace apsp::graph::adjacency_matrix_test {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

Graph small_graph() {
  GraphBuilder builder(3);
  builder.add_edge(0, 1, 4);
  builder.add_edge(0, 1, 2);  // parallel
  builder.add_edge(1, 1, 5);  // harmless loop
  builder.add_edge(2, 0, -3);
  return std::move(builder).build();
}

template <class T>
std::vector<T> filled(Semiring semiring, ValueType type) {
  std::vector<T> values(9);
  fill_adjacency_matrix(small_graph(), semiring, type, {values.data(), 3, 3, 3}, 2);
  return values;
}

TEST(AdjacencyMatrix, FoldsParallelArcsAndLoopsBySemiring) {
  EXPECT_THAT(filled<float>(Semiring::min_plus, ValueType::f32),
              ElementsAre(0, 2, kInf, kInf, 0, kInf, -3, kInf, 0));
  EXPECT_THAT(filled<float>(Semiring::max_min, ValueType::f32),
              ElementsAre(kInf, 4, -kInf, -kInf, kInf, -kInf, -3, -kInf, kInf));
  EXPECT_THAT(filled<std::uint8_t>(Semiring::or_and, ValueType::boolean),
              ElementsAre(1, 1, 0, 0, 1, 0, 1, 0, 1));
}

TEST(AdjacencyMatrix, HonoursTheStride) {
  std::vector<std::int32_t> values(3 * 5, 77);
  fill_adjacency_matrix(small_graph(), Semiring::min_plus, ValueType::i32, {values.data(), 3, 3, 5},
                        1);
  EXPECT_EQ(values[1], 2);
  EXPECT_EQ(values[3], 77);
  EXPECT_EQ(values[10], -3);
}

/// A 2 × 2 matrix of weights, in values of T; the empty path is on the diagonal.
template <class T, class In>
void expect_off_diagonal(Semiring semiring, const std::vector<In>& weights, T upper, T lower) {
  GraphBuilder builder(2);
  builder.set_matrix(matrix_of(weights, 2));
  const ValueType type = kWeightType<T>;
  std::vector<T> values(4);
  fill_adjacency_matrix(std::move(builder).build(), semiring, type, {values.data(), 2, 2, 2}, 1);
  const auto empty = static_cast<T>(empty_path(semiring, type));
  EXPECT_THAT(values, ElementsAre(empty, upper, lower, empty));
}

TEST(AdjacencyMatrix, KeepsWeightsOfNarrowerMatrices) {
  const std::vector<std::uint16_t> weights = {0, 32766, 7, 0};
  for (const Semiring semiring : {Semiring::min_plus, Semiring::max_min}) {
    expect_off_diagonal<std::int32_t>(semiring, weights, 32766, 7);
  }
}

TEST(AdjacencyMatrix, DropsLoopsThatItsTypeDoesNotHold) {
  const std::vector<double> weights = {0x1p30, 5, 7, 65531};
  for (const Semiring semiring : {Semiring::min_max, Semiring::max_min}) {
    expect_off_diagonal<std::uint16_t>(semiring, weights, 5, 7);
  }
}

TEST(PrepareMatrix, FindsSignAndLongestPathAndFixesTheDiagonal) {
  std::vector<float> values = {9, 2, kInf, kInf, kInf, 5, -3, kInf, 0};
  const MatrixFacts facts =
      prepare_matrix(Semiring::min_plus, ValueType::f32, {values.data(), 3, 3, 3}, 2);
  EXPECT_TRUE(facts.negative);
  EXPECT_EQ(facts.longest_path, 9 + 5 + 3);
  EXPECT_TRUE(facts.positive);
  EXPECT_TRUE(facts.integral);
  EXPECT_EQ(facts.largest, 9);
  EXPECT_THAT(values, ElementsAre(0, 2, kInf, kInf, 0, 5, -3, kInf, 0));
}

TEST(PrepareMatrix, RefusesNanAndValuesBeyondNoPath) {
  std::vector<float> nan = {0, NAN, 0, 0};
  EXPECT_THROW(prepare_matrix(Semiring::min_plus, ValueType::f32, {nan.data(), 2, 2, 2}, 1), Error);
  std::vector<std::uint16_t> beyond = {0, 1, 40000, 0};
  EXPECT_THROW(prepare_matrix(Semiring::min_plus, ValueType::u16, {beyond.data(), 2, 2, 2}, 1),
               Error);
}

TEST(PutBackDiagonal, WritesTheEmptyPath) {
  std::vector<std::int32_t> values = {-1, 2, 3, -4};
  put_back_diagonal(Semiring::min_plus, ValueType::i32, {values.data(), 2, 2, 2});
  EXPECT_THAT(values, ElementsAre(0, 2, 3, 0));
}

}  // namespace
}  // namespace apsp::graph::adjacency_matrix_test
