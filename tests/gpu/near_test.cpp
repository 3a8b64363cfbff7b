// What is near, found by searches on a GPU: that of the CPU, to the last bit.
#include <apsp/apsp.hpp>

#include "support/on_gpu.hpp"
#include "support/random_graph.hpp"
#include "support/test.hpp"

namespace apsp::near_test {
namespace {

class CudaNear : public OnGpu {};

void expect_same(const Graph& graph, double limit, NearOptions options = {}) {
  options.algorithm = Algorithm::johnson;  // sweeps round real sums in another order
  options.device = Device::cpu;
  const SparseDistances here = within(graph, limit, options);
  options.device = Device::cuda;
  const SparseDistances there = within(graph, limit, options);
  EXPECT_TRUE(there.on_device);
  EXPECT_EQ(there.row_begin, here.row_begin);
  EXPECT_EQ(there.targets, here.targets);
  EXPECT_EQ(there.distances, here.distances);
}

TEST_F(CudaNear, OfRoadsIsThatOfTheCpu) {
  GenerateOptions of{.kind = GraphKind::roads, .vertices = 40000};
  for (const double limit : {0.0, 90.0, 700.0}) expect_same(generate(of), limit);
}

TEST_F(CudaNear, OfRealAndZeroWeightsIsThatOfTheCpu) {
  for (const bool directed : {false, true}) {
    for (const bool real : {false, true}) {
      const Graph graph =
          random_graph(4000, 12000, 0, 3, {.real = real, .directed = directed, .seed = 8});
      for (const double limit : {1.0, 5.0, 1e9}) expect_same(graph, limit);
    }
  }
}

TEST_F(CudaNear, OfVerticesOfManyArcsIsThatOfTheCpu) {
  GenerateOptions of{.kind = GraphKind::rmat, .vertices = 16384, .edges = 200000};
  NearOptions options;
  for (Vertex v = 0; v < 16384; v += 16) options.sources.push_back(v);
  for (const double limit : {20.0, 60.0}) expect_same(generate(of), limit, options);
}

}  // namespace
}  // namespace apsp::near_test
