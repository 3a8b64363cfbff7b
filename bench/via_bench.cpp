// What the intermediate vertices cost: blocked Floyd-Warshall on n = 2048 values of f32, two
// threads, distances alone against distances with via, taken in turns so that a noisy machine
// treats both alike. `ratio` is via's best time over the best time of distances alone.
#include <benchmark/benchmark.h>
#include <apsp/progress.hpp>

#include <algorithm>
#include <chrono>
#include <limits>
#include <vector>

#include "base/random.hpp"
#include "engine/run.hpp"
#include "planner/find_plan.hpp"

namespace {

constexpr int kThreads = 2;

/// Dense, weights 1 … 100,000.
std::vector<float> random_matrix(std::int64_t n) {
  apsp::base::SplitMix64 random(1);
  std::vector<float> matrix(static_cast<std::size_t>(n * n));
  for (float& weight : matrix) weight = static_cast<float>(1 + random.below(100000));
  for (std::int64_t i = 0; i < n; ++i) matrix[static_cast<std::size_t>(i * (n + 1))] = 0;
  return matrix;
}

/// Seconds of one solve of a fresh copy.
double solve(const std::vector<float>& weights, std::int64_t n, bool with_via) {
  std::vector<float> matrix = weights;
  std::vector<std::int32_t> via(with_via ? matrix.size() : 0, apsp::kernels::kNoVia);
  const apsp::Control control;
  const apsp::planner::Plan plan =
      apsp::planner::plan_matrix({.n = n,
                                  .kernel = {apsp::Semiring::min_plus, apsp::ValueType::f32,
                                             apsp::kernels::Sign::non_negative, with_via},
                                  .threads = kThreads},
                                 {apsp::Device::cpu}, {});
  apsp::engine::Planes planes{{matrix.data(), n, n, n}};
  if (with_via) planes.via = {via.data(), n, n, n};
  const auto start = std::chrono::steady_clock::now();
  apsp::engine::run(plan, planes, control);
  const auto end = std::chrono::steady_clock::now();
  return std::chrono::duration<double>(end - start).count();
}

void distances_and_via(benchmark::State& state) {
  const std::int64_t n = state.range(0);
  const std::vector<float> weights = random_matrix(n);
  double alone = std::numeric_limits<double>::infinity();
  double with_via = alone;
  for (auto _ : state) {
    alone = std::min(alone, solve(weights, n, false));
    with_via = std::min(with_via, solve(weights, n, true));
  }
  const auto side = static_cast<double>(n);
  state.counters["alone_G/s"] = side * side * side / alone / 1e9;
  state.counters["via_G/s"] = side * side * side / with_via / 1e9;
  state.counters["ratio"] = with_via / alone;
}

BENCHMARK(distances_and_via)->Arg(1024)->Arg(2048)->Iterations(7)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
