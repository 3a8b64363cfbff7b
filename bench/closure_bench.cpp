// Transitive closure in packed bits against f32 Floyd-Warshall on the same threads, in one run:
// each iteration solves both. The ratio is of relaxations a second; f32 runs at n = 4096, where its
// rate no longer depends on n.
#include <benchmark/benchmark.h>
#include <apsp/graph.hpp>

#include <algorithm>
#include <chrono>

#include "base/aligned_memory.hpp"
#include "base/machine.hpp"
#include "engine/run.hpp"
#include "graph/adjacency_matrix.hpp"
#include "planner/find_plan.hpp"

namespace apsp {
namespace {

constexpr std::int64_t kFloatVertices = 4096;

Graph random_graph(std::int64_t n, double arcs_a_vertex) {
  GenerateOptions options;
  options.vertices = n;
  options.probability = arcs_a_vertex / static_cast<double>(n);
  options.directed = true;
  return generate(options);
}

/// Relaxations a second of one call.
template <class F>
double rate(std::int64_t n, F&& solve) {
  const auto start = std::chrono::steady_clock::now();
  solve();
  const auto end = std::chrono::steady_clock::now();
  const auto side = static_cast<double>(n);
  return side * side * side / std::chrono::duration<double>(end - start).count();
}

void closure_against_f32(benchmark::State& state) {
  const std::int64_t n = state.range(0);
  const int threads = base::thread_count(0);
  const Graph links = random_graph(n, static_cast<double>(state.range(1)));
  const Graph roads = random_graph(kFloatVertices, 16);
  base::AlignedMemory reach(n * n);
  base::AlignedMemory distances(kFloatVertices * kFloatVertices * 4);
  const kernels::View matrix{distances.data(), kFloatVertices, kFloatVertices, kFloatVertices};
  const planner::Plan of_floats = planner::plan_matrix(
      {.n = kFloatVertices,
       .kernel = {Semiring::min_plus, ValueType::f32, kernels::Sign::non_negative},
       .threads = threads},
      {Device::cpu}, {});
  const planner::Plan of_bits = planner::plan_matrix(
      {.n = n, .kernel = {Semiring::or_and, ValueType::boolean}, .threads = threads}, {Device::cpu},
      {});

  double bits = 0, floats = 0;  // relaxations a second, the best
  for (auto _ : state) {
    graph::fill_adjacency_matrix(roads, Semiring::min_plus, ValueType::f32, matrix, threads);
    floats = std::max(floats, rate(kFloatVertices, [&] { engine::run(of_floats, {matrix}, {}); }));
    bits = std::max(bits, rate(n, [&] {
                      engine::run(of_bits, {{reach.data(), n, n, n}}, {}, &links);
                    }));
  }
  const auto side = static_cast<double>(n);
  state.counters["threads"] = threads;
  state.counters["closure_s"] = side * side * side / bits;
  state.counters["closure_T/s"] = bits / 1e12;
  state.counters["f32_G/s"] = floats / 1e9;
  state.counters["ratio"] = bits / floats;
}
// Vertices, arcs a vertex.
BENCHMARK(closure_against_f32)
    ->Args({16384, 1})
    ->Args({16384, 4})
    ->Args({16384, 64})
    ->Args({4096, 4})
    ->Iterations(3)
    ->Unit(benchmark::kSecond);

}  // namespace
}  // namespace apsp

BENCHMARK_MAIN();
