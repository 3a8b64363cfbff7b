// Sparse graphs on a GPU, from the graph to the result: as on the CPU, to the last bit.
#include <apsp/apsp.hpp>

#include "support/on_gpu.hpp"
#include "support/predecessors_of.hpp"
#include "support/random_graph.hpp"
#include "support/same_statistics.hpp"
#include "support/temporary_folder.hpp"
#include "support/test.hpp"

namespace apsp::sparse_solve_test {
namespace {

class CudaSparseSolve : public OnGpu {};

SolveOptions dissected(Device device, std::optional<ValueType> type = {}) {
  SolveOptions options;
  options.method.algorithm = Algorithm::nested_dissection;
  options.machine.device = device;
  options.method.value_type = type;
  options.storage.keep = Keep::statistics;
  return options;
}

/// A square grid: separators of `side` vertices, supernodes of all widths.
Graph grid(std::int64_t side, double greatest, bool directed) {
  return generate({.kind = GraphKind::grid,
                   .vertices = side * side,
                   .greatest_weight = greatest,
                   .directed = directed});
}

TEST_F(CudaSparseSolve, HasTheStatisticsOfTheCpu) {
  for (const std::int64_t side : {1, 20, 90}) {
    for (const bool directed : {false, true}) {
      for (const ValueType type : {ValueType::u16, ValueType::i32}) {
        const Graph graph = grid(side, 100, directed);
        const Result there = solve(graph, dissected(Device::cuda, type));
        const Result here = solve(graph, dissected(Device::cpu, type));
        statistics::expect_same(there.statistics(), here.statistics());
      }
    }
  }
}

TEST_F(CudaSparseSolve, CountsDistancesOfI32InSixteenBits) {
  for (const bool directed : {false, true}) {
    const Graph graph = grid(150, 3000, directed);
    const Result there = solve(graph, dissected(Device::cuda));
    EXPECT_EQ(there.value_type(), ValueType::i32);
    EXPECT_GT(*there.statistics().greatest, 65536);
    statistics::expect_same(there.statistics(), solve(graph, dissected(Device::cpu)).statistics());
  }
}

TEST_F(CudaSparseSolve, CountsDistancesThatNoSharedMemoryHolds) {
  const Graph graph = random_graph(
      {.n = 3000, .arcs = 4000, .least = 1, .greatest = 20000, .directed = false, .seed = 2});
  const Result there = solve(graph, dissected(Device::cuda));
  const Result here = solve(graph, dissected(Device::cpu));
  EXPECT_EQ(there.value_type(), ValueType::i32);
  EXPECT_GT(*here.statistics().greatest, 65536);
  statistics::expect_same(there.statistics(), here.statistics());
}

/// Statistics that the GPU has counted, and those of its rows, which the host counts.
void expect_counted_as_rows(const Graph& graph, ValueType type) {
  SolveOptions options = dissected(Device::cuda, type);
  const Result counted = solve(graph, options);
  options.storage.keep = Keep::matrix;
  statistics::expect_same(counted.statistics(), solve(graph, options).statistics());
}

TEST_F(CudaSparseSolve, CountsRealDistancesToTheLastBit) {
  for (const ValueType type : {ValueType::f32, ValueType::f64}) {
    for (const bool directed : {false, true}) {
      expect_counted_as_rows(generate({.kind = GraphKind::grid,
                                       .vertices = 70 * 70,
                                       .real_weights = true,
                                       .directed = directed}),
                             type);
    }
    // A path: more places than shared memory has, and sums of four slices.
    GraphBuilder builder(2500);
    for (Vertex v = 0; v + 1 < 2500; ++v) {
      const double weight = std::ldexp(1 + 1.0 / (v + 3), static_cast<int>(v % 56) - 13);
      builder.add_edge(v, v + 1, v % 11 == 0 ? 0.0 : weight);
    }
    expect_counted_as_rows(std::move(builder).build(), type);
  }
}

TEST_F(CudaSparseSolve, CountsLongDistances) {
  const Graph graph = random_graph(2000, 3000, 100000, 3000000, {.directed = false, .seed = 5});
  const Result there = solve(graph, dissected(Device::cuda));
  EXPECT_EQ(there.value_type(), ValueType::i32);
  statistics::expect_same(there.statistics(), solve(graph, dissected(Device::cpu)).statistics());
}

TEST_F(CudaSparseSolve, StoresThePredecessorsOfTheCpu) {
  const Graph tied = random_graph({.n = 3000, .arcs = 9000, .least = 0, .greatest = 2, .seed = 4});
  const Graph hops = random_graph({.n = 3000, .arcs = 6000, .least = 1, .greatest = 1, .seed = 5});
  for (const auto& [graph, algorithm] : {std::pair{&tied, Algorithm::nested_dissection},
                                         {&tied, Algorithm::johnson},
                                         {&hops, Algorithm::breadth_first}}) {
    const TemporaryFolder folder;
    SolveOptions options = dissected(Device::cuda);
    options.method.algorithm = algorithm;
    options.question.predecessors = true;
    options.storage.output = folder / "there.zarr";
    solve(*graph, options);
    options.machine.device = Device::cpu;
    options.storage.output = folder / "here.zarr";
    solve(*graph, options);
    EXPECT_EQ(predecessors_of(folder / "there.zarr"), predecessors_of(folder / "here.zarr"))
        << name(algorithm);
  }
}

}  // namespace
}  // namespace apsp::sparse_solve_test
