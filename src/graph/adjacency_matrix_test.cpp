#include "graph/adjacency_matrix.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <apsp/error.hpp>

#include <cmath>
#include <limits>
#include <vector>

namespace apsp::graph {
namespace {

using testing::ElementsAre;
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

TEST(AdjacencyMatrix, KeepsWeightsOfNarrowerMatrices) {
  const std::uint16_t weights[] = {0, 32766, 7, 0};
  GraphBuilder builder(2);
  builder.set_matrix({.type = ValueType::u16, .n = 2, .data = weights, .owner = {}});
  const Graph graph = std::move(builder).build();
  for (const Semiring semiring : {Semiring::min_plus, Semiring::max_min}) {
    std::vector<std::int32_t> values(4);
    fill_adjacency_matrix(graph, semiring, ValueType::i32, {values.data(), 2, 2, 2}, 1);
    const auto empty = static_cast<std::int32_t>(empty_path(semiring, ValueType::i32));
    EXPECT_THAT(values, ElementsAre(empty, 32766, 7, empty));
  }
}

TEST(AdjacencyMatrix, DropsLoopsThatItsTypeDoesNotHold) {
  const double weights[] = {0x1p30, 5, 7, 65531};
  GraphBuilder builder(2);
  builder.set_matrix({.type = ValueType::f64, .n = 2, .data = weights, .owner = {}});
  const Graph graph = std::move(builder).build();
  for (const Semiring semiring : {Semiring::min_max, Semiring::max_min}) {
    std::vector<std::uint16_t> values(4);
    fill_adjacency_matrix(graph, semiring, ValueType::u16, {values.data(), 2, 2, 2}, 1);
    const auto empty = static_cast<std::uint16_t>(empty_path(semiring, ValueType::u16));
    EXPECT_THAT(values, ElementsAre(empty, 5, 7, empty));
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
}  // namespace apsp::graph
