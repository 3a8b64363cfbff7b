// Betweenness whose paths a GPU counts: that of the CPU.
#include <apsp/apsp.hpp>

#include "support/on_gpu.hpp"
#include "support/random_graph.hpp"
#include "support/test.hpp"

namespace apsp::betweenness_test {
namespace {

class CudaBetweenness : public OnGpu {};

Graph r_mat(std::int64_t vertices, std::int64_t edges, double greatest) {
  return generate(
      {.kind = GraphKind::rmat, .vertices = vertices, .edges = edges, .greatest_weight = greatest});
}

/// By the CPU, and by a GPU that counts.
std::pair<Betweenness, Betweenness> both(const Graph& graph, BetweennessOptions options) {
  options.scale = PairScale::sums;
  options.device = Device::cpu;
  Betweenness here = betweenness(graph, options);
  options.device = Device::cuda;
  Betweenness there = betweenness(graph, options);
  EXPECT_TRUE(there.counted_on_device);
  return {std::move(here), std::move(there)};
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i], expected[i], 1e-11 * std::max(1.0, std::abs(expected[i]))) << i;
  }
}

/// Where one thread adds up the arcs of a vertex, in their order, the bits are the CPU's.
TEST_F(CudaBetweenness, OfRoadsIsThatOfTheCpuToTheLastBit) {
  for (const double greatest : {1.0, 10.0, 1e6}) {
    const Graph graph = generate({.kind = GraphKind::roads,
                                  .vertices = 6000,
                                  .greatest_weight = greatest,
                                  .directed = greatest == 10});
    for (const bool endpoints : {false, true}) {
      BetweennessOptions options{.endpoints = endpoints, .arcs = true};
      const auto [here, there] = both(graph, options);
      EXPECT_EQ(there.vertices, here.vertices);
      EXPECT_EQ(there.of_arcs, here.of_arcs);
    }
  }
}

TEST_F(CudaBetweenness, OfVerticesOfManyArcsIsThatOfTheCpu) {
  for (const double greatest : {1.0, 4.0}) {
    BetweennessOptions options;
    options.arcs = true;
    const auto [here, there] = both(r_mat(4096, 80000, greatest), options);
    expect_near(there.vertices, here.vertices);
    expect_near(there.of_arcs, here.of_arcs);
  }
  GraphBuilder wheel(3001, false);  // one vertex of 3,000 arcs
  for (Vertex v = 1; v <= 3000; ++v) {
    wheel.add_edge(0, v, 3);
    wheel.add_edge(v, v % 3000 + 1, 2);
  }
  const auto [here, there] = both(std::move(wheel).build(), {});
  expect_near(there.vertices, here.vertices);
}

TEST_F(CudaBetweenness, OfRealWeightsAndDirectedArcsIsThatOfTheCpu) {
  for (const bool directed : {false, true}) {
    for (const bool real : {false, true}) {
      const Graph graph =
          random_graph(3000, 9000, 0.5, 9, {.real = real, .directed = directed, .seed = 5});
      BetweennessOptions options;
      for (Vertex v = 0; v < 3000; v += 2) options.sources.push_back(v);
      const auto [here, there] = both(graph, options);
      expect_near(there.vertices, here.vertices);
    }
  }
}

TEST_F(CudaBetweenness, HasTheSameBitsEveryTime) {
  const Graph graph = r_mat(3000, 40000, 100);
  BetweennessOptions options;
  options.device = Device::cuda;
  const Betweenness first = betweenness(graph, options);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(betweenness(graph, options).vertices, first.vertices);
}

}  // namespace
}  // namespace apsp::betweenness_test
