// Floyd-Warshall on a device: every size with the main kernel, every kind of matrix at the largest.
// Each repetition solves fresh data twice, alone on the device and from host to host.
#include <algorithm>

#include "base/aligned_memory.hpp"
#include "engine/run.hpp"
#include "program/benchmark_cuda_parts.hpp"
#include "program/benchmark_cuda_problem.hpp"

namespace apsp::bench {
namespace {

using kernels::Sign;
using kernels::View;

int resident_repetitions(std::int64_t n) {
  if (n <= 2048) return 10;
  return n <= 8192 ? 5 : n <= 16384 ? 3 : 2;
}

CudaSolveRow planned_on_device(const CudaBenchmark& bench, const BenchmarkKernel& kernel,
                               places::Shape shape, bool via, std::int64_t n) {
  CudaSolveRow row;
  row.kernel = kernel;
  row.shape = shape;
  row.via = via;
  row.n = n;
  row.repetitions = repetitions_of(bench, resident_repetitions(n));
  return row;
}

}  // namespace

std::vector<CudaSolveRow> planned_cuda_solves(const CudaBenchmark& bench) {
  std::vector<CudaSolveRow> rows;
  const std::vector<std::int64_t>& sizes = bench.sizes.vertices;
  if (sizes.empty()) return rows;
  for (const std::int64_t n : sizes)
    rows.push_back(planned_on_device(bench, kCudaMain, places::Shape::full, false, n));
  const std::int64_t n = *std::max_element(sizes.begin(), sizes.end());
  rows.push_back(planned_on_device(bench, kCudaMain, places::Shape::symmetric, false, n));
  rows.push_back(planned_on_device(bench, kCudaMain, places::Shape::full, true, n));
  for (const BenchmarkKernel& kernel :
       {BenchmarkKernel{Semiring::min_plus, ValueType::f32, Sign::any},
        BenchmarkKernel{Semiring::min_plus, ValueType::i32, Sign::non_negative},
        BenchmarkKernel{Semiring::min_plus, ValueType::u16, Sign::non_negative},
        BenchmarkKernel{Semiring::min_plus, ValueType::f64, Sign::any}, kCudaBits}) {
    rows.push_back(planned_on_device(bench, kernel, places::Shape::full, false, n));
  }
  return rows;
}

double work_of(const CudaSolveRow& row) {
  const auto side = static_cast<double>(row.n);
  return 2 * row.repetitions * side * side * side;
}

void measure(const CudaBenchmark& bench, CudaSolveRow& row) {
  const int columns = columns_per_value(row.kernel);
  const std::int64_t width = (row.n + columns - 1) / columns;
  const auto device = bench.device.make(row.kernel, 0);
  const planner::DevicePlan plan =
      device_plan(bench, row.kernel, row.shape, row.via, row.n, device->tiles(), true);
  row.tile = plan.tile;
  base::AlignedMemory values(row.n * width * value_size(row.kernel));
  base::AlignedMemory via(row.via ? row.n * row.n * int{sizeof(std::int32_t)} : 0);
  const places::TiledMatrix matrix{
      {values.data(), row.n, width, width}, value_size(row.kernel), row.tile, columns};
  const places::TiledMatrix via_matrix{
      {row.via ? via.data() : nullptr, row.n, row.n, row.n}, int{sizeof(std::int32_t)}, row.tile};
  // Touched before it is pinned.
  const auto problem = [&](int repetition) {
    return make_cuda_problem(row.kernel, row.shape, row.n,
                             bench.seed + static_cast<std::uint64_t>(repetition), bench.threads);
  };
  const auto fill = [&](const CudaProblem& graph) {
    graph.fill(matrix.matrix);
    if (row.via) std::fill_n(via.as<std::int32_t>(), row.n * row.n, kernels::kNoVia);
  };
  fill(*problem(0));

  std::optional<engine::DeviceSolve> claimed;
  const Sample prepared = timed([&] {
    claimed.emplace(engine::OpenDevices{device.get()}, plan, matrix, kernels::Cycles::excluded,
                    bench.control, row.via ? via_matrix : places::TiledMatrix{});
  });
  row.seconds_prepare = prepared.seconds;
  places::DeviceMemory& memory = *claimed->resident();
  for (int i = 0; i < row.repetitions; ++i) {
    base::check_cancelled(bench.control);
    const auto graph = problem(i);
    const auto check = [&] {
      const Verdict verdict = graph->check(matrix.matrix, row.via ? via_matrix.matrix : View{});
      row.verdict.correct = row.verdict.correct && verdict.correct;
      row.verdict.entries += verdict.entries;
    };
    fill(*graph);
    memory.upload();
    row.seconds_solve.push_back(timed([&] { memory.solve(); }).seconds);
    if (i == 0) {
      memory.download();
      check();
    }
    fill(*graph);
    row.seconds_run.push_back(timed([&] { claimed->run(); }).seconds);
    if (i == 0) check();
  }
}

}  // namespace apsp::bench
