#include "paths/path_lengths.hpp"

#include "support/graph_of.hpp"
#include "support/random_graph.hpp"
#include "support/test.hpp"
#include "support/textbook.hpp"

namespace apsp::paths::path_lengths_test {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

TEST(PathLengths, AreThoseOfTheShortestPathNotTheShortestByOtherWeights) {
  const Graph minutes = graph_of(4, {{0, 1, 2}, {1, 2, 2}, {0, 2, 5}});
  const Graph kilometres = graph_of(4, {{0, 1, 10}, {1, 2, 20}, {0, 2, 1}});
  PathLengths lengths(minutes, {&kilometres, 1}, Semiring::min_plus, ValueType::f64);
  const std::vector<double> row = {0, 2, 4, kInf};
  const std::vector<Vertex> targets = {3, 2, 0, 1, 2};
  std::vector<double> found(targets.size());
  lengths.of(0, row.data(), targets, found.data());
  EXPECT_EQ(found, (std::vector<double>{kInf, 30, 0, 10, 30}));
}

TEST(PathLengths, TakeOfTiesThePathOfFewestEdgesAndOfParallelArcsTheLeast) {
  const Graph minutes = graph_of(3, {{0, 1, 2}, {1, 2, 2}, {0, 2, 4}, {0, 2, 4}});
  const Graph kilometres = graph_of(3, {{0, 1, 1}, {1, 2, 1}, {0, 2, 7}, {0, 2, 9}});
  PathLengths lengths(minutes, {&kilometres, 1}, Semiring::min_plus, ValueType::f64);
  const std::vector<double> row = {0, 2, 4};
  double found = 0;
  lengths.of(0, row.data(), std::vector<Vertex>{2}, &found);
  EXPECT_EQ(found, 7);
}

TEST(PathLengths, OfTheSameWeightsAreTheDistances) {
  constexpr Vertex kVertices = 60;
  const Graph graph = random_graph({.n = kVertices, .arcs = 240, .greatest = 8, .seed = 7});
  PathLengths lengths(graph, {&graph, 1}, Semiring::min_plus, ValueType::f64);
  const std::vector<double> distances = verifier::floyd_warshall(graph, Semiring::min_plus);
  std::vector<Vertex> all(kVertices);
  std::iota(all.begin(), all.end(), Vertex{0});
  std::vector<double> found(kVertices);
  for (Vertex source = 0; source < kVertices; ++source) {
    const double* const row = distances.data() + source * kVertices;
    lengths.of(source, row, all, found.data());
    EXPECT_EQ(found, std::vector<double>(row, row + kVertices));
  }
}

TEST(PathLengths, NameAnArcThatTheOtherWeightsLack) {
  const Graph minutes = graph_of(2, {{0, 1, 2}});
  const Graph none = graph_of(2, {});
  PathLengths lengths(minutes, {&none, 1}, Semiring::min_plus, ValueType::f64);
  const std::vector<double> row = {0, 2};
  double found = 0;
  const Error error = error_of([&] { lengths.of(0, row.data(), std::vector<Vertex>{1}, &found); });
  EXPECT_EQ(error.kind(), ErrorKind::input);
  EXPECT_NE(std::string(error.what()).find("no arc from 0 to 1"), std::string::npos);
}

}  // namespace
}  // namespace apsp::paths::path_lengths_test
