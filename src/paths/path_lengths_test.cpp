#include "paths/path_lengths.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "support/error_of.hpp"
#include "support/graph_of.hpp"

namespace apsp::paths {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

TEST(PathLengths, AreThoseOfTheShortestPathNotTheShortestByOtherWeights) {
  const Graph minutes = graph_of(4, {{0, 1, 2}, {1, 2, 2}, {0, 2, 5}});
  const Graph kilometres = graph_of(4, {{0, 1, 10}, {1, 2, 20}, {0, 2, 1}});
  PathLengths lengths(minutes, kilometres, Semiring::min_plus, ValueType::f64);
  const std::vector<double> row = {0, 2, 4, kInf};
  const std::vector<Vertex> targets = {3, 2, 0, 1, 2};
  std::vector<double> found(targets.size());
  lengths.of(0, row.data(), targets, found.data());
  EXPECT_EQ(found, (std::vector<double>{kInf, 30, 0, 10, 30}));
}

TEST(PathLengths, TakeOfTiesThePathOfFewestEdgesAndOfParallelArcsTheLeast) {
  const Graph minutes = graph_of(3, {{0, 1, 2}, {1, 2, 2}, {0, 2, 4}, {0, 2, 4}});
  const Graph kilometres = graph_of(3, {{0, 1, 1}, {1, 2, 1}, {0, 2, 7}, {0, 2, 9}});
  PathLengths lengths(minutes, kilometres, Semiring::min_plus, ValueType::f64);
  const std::vector<double> row = {0, 2, 4};
  double found = 0;
  lengths.of(0, row.data(), std::vector<Vertex>{2}, &found);
  EXPECT_EQ(found, 7);
}

TEST(PathLengths, OfTheSameWeightsAreTheDistances) {
  std::mt19937_64 random(7);
  std::vector<Edge> edges;
  constexpr Vertex kVertices = 60;
  for (int i = 0; i < 240; ++i) {
    edges.push_back({static_cast<Vertex>(random() % kVertices),
                     static_cast<Vertex>(random() % kVertices), static_cast<double>(random() % 9)});
  }
  const Graph graph = graph_of(kVertices, edges);
  PathLengths lengths(graph, graph, Semiring::min_plus, ValueType::f64);
  std::vector<double> distances(std::size_t{kVertices} * kVertices, kInf);
  const auto at = [&](std::int64_t i, std::int64_t j) -> double& {
    return distances[static_cast<std::size_t>(i * kVertices + j)];
  };
  for (Vertex v = 0; v < kVertices; ++v) at(v, v) = 0;
  for (const Edge& edge : edges) {
    at(edge.from, edge.to) = std::min(at(edge.from, edge.to), edge.weight);
  }
  for (Vertex k = 0; k < kVertices; ++k) {
    for (Vertex i = 0; i < kVertices; ++i) {
      for (Vertex j = 0; j < kVertices; ++j) at(i, j) = std::min(at(i, j), at(i, k) + at(k, j));
    }
  }
  std::vector<Vertex> all(kVertices);
  for (Vertex v = 0; v < kVertices; ++v) all[v] = v;
  std::vector<double> found(kVertices);
  for (Vertex source = 0; source < kVertices; ++source) {
    lengths.of(source, &at(source, 0), all, found.data());
    EXPECT_EQ(found, std::vector<double>(&at(source, 0), &at(source, 0) + kVertices));
  }
}

TEST(PathLengths, NameAnArcThatTheOtherWeightsLack) {
  const Graph minutes = graph_of(2, {{0, 1, 2}});
  const Graph none = graph_of(2, {});
  PathLengths lengths(minutes, none, Semiring::min_plus, ValueType::f64);
  const std::vector<double> row = {0, 2};
  double found = 0;
  const Error error = error_of([&] { lengths.of(0, row.data(), std::vector<Vertex>{1}, &found); });
  EXPECT_EQ(error.kind(), ErrorKind::input);
  EXPECT_NE(std::string(error.what()).find("no arc from 0 to 1"), std::string::npos);
}

}  // namespace
}  // namespace apsp::paths
