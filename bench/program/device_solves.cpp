// Floyd-Warshall on a GPU: every size with the main kernel, every kind of matrix at the largest; or
// by the side of the tiles. Each repetition solves fresh data twice, on the device only and from
// host to host. Up to 4,096 vertices the whole matrix is compared with the CPU's.
#include <algorithm>
#include <cstring>

#include "engine/run.hpp"
#include "program/benchmark_parts.hpp"
#include "system/aligned_memory.hpp"

namespace apsp::bench {
namespace {

constexpr std::int64_t kWholeCompared = 4096;

int device_repetitions(std::int64_t n, int most) {
  const int wanted = n <= 2048 ? 10 : n <= 8192 ? 5 : n <= 16384 ? 3 : 2;
  return most > 0 ? std::min(most, wanted) : wanted;
}

/// Whether all entries are those of the host's engine.
Verdict compare_with_host(const SolveRow& row, const RandomGraph& graph, kernels::ConstView solved,
                          int threads) {
  const std::int64_t bytes = row.n * size_of(row.kernel.type);
  system::AlignedMemory memory(row.n * bytes);
  const kernels::View expected{memory.data(), row.n, row.n, row.n};
  graph.fill(expected, threads);
  engine::run(host_plan(row.kernel, row.shape, row.n, threads), {expected}, {});
  const bool same =
      std::memcmp(solved.data, memory.data(), static_cast<std::size_t>(row.n * bytes)) == 0;
  return {same, row.n * row.n};
}

}  // namespace

std::vector<SolveRow> planned_device_solves(const DeviceExtent& extent) {
  std::vector<SolveRow> rows;
  const auto add = [&](const BenchmarkKernel& kernel, std::int64_t n,
                       dense::Shape shape = dense::Shape::full, bool via = false) -> SolveRow& {
    return rows.emplace_back(SolveRow{.kernel = kernel,
                                      .shape = shape,
                                      .via = via,
                                      .n = n,
                                      .repetitions = device_repetitions(n, extent.repetitions)});
  };
  for (const std::int64_t n : extent.vertices) {
    for (const std::int64_t tile : extent.tiles) add(kMain, n).tile = tile;
    add(kMain, n).chosen = !extent.tiles.empty();
  }
  if (extent.vertices.empty() || !extent.tiles.empty()) return rows;
  const std::int64_t n = *std::max_element(extent.vertices.begin(), extent.vertices.end());
  add(kMain, n, dense::Shape::symmetric);
  add(kMain, n, dense::Shape::full, true);
  using kernels::Sign;
  add({Semiring::min_plus, ValueType::f32, Sign::any}, n);
  add({Semiring::min_plus, ValueType::i32, Sign::non_negative}, n);
  add({Semiring::min_plus, ValueType::u16, Sign::non_negative}, n);
  add({Semiring::min_plus, ValueType::f64, Sign::any}, n);
  add(kReach, n);
  return rows;
}

void measure_device_solve(const DeviceBench& bench, SolveRow& row) {
  const bool bits = in_bits(row.kernel);
  const int columns = bits ? 32 : 1, size = bits ? 4 : size_of(row.kernel.type);
  const std::int64_t width = (row.n + columns - 1) / columns;
  const auto device = bench.device.make(row.kernel);
  const planner::DeviceProblem problem{
      .n = row.n,
      .kernel = {row.kernel.semiring, row.kernel.type, row.kernel.sign, row.via},
      .tile = row.tile};
  row.tile = planner::device_tile(problem, device->tiles(), true);
  const planner::DevicePlan plan{.device = bench.device.facts,
                                 .kernel = problem.kernel,
                                 .n = row.n,
                                 .shape = row.shape,
                                 .tile = row.tile,
                                 .open = {}};  // the device is open
  system::AlignedMemory values(row.n * width * size);
  system::AlignedMemory via(row.via ? row.n * row.n * int{sizeof(std::int32_t)} : 0);
  const dense::TiledMatrix matrix{{values.data(), row.n, width, width}, size, row.tile, columns};
  dense::TiledMatrix via_matrix{};
  if (row.via) {
    via_matrix = {{via.data(), row.n, row.n, row.n}, int{sizeof(std::int32_t)}, row.tile};
  }
  const auto graph_of = [&](int repetition) {
    return RandomGraph({.semiring = row.kernel.semiring,
                        .type = row.kernel.type,
                        .n = row.n,
                        .seed = bench.seed + static_cast<std::uint64_t>(repetition),
                        .symmetric = row.shape == dense::Shape::symmetric,
                        .bits = bits});
  };
  const auto fill = [&](const RandomGraph& graph) {
    graph.fill(matrix.matrix, bench.threads);
    if (row.via) std::fill_n(via.as<std::int32_t>(), row.n * row.n, kernels::kNoVia);
  };
  fill(graph_of(0));  // memory is touched before it is pinned
  std::optional<engine::DeviceSolve> claimed;
  row.seconds_prepare = seconds([&] {
    claimed.emplace(engine::OpenDevices{device.get()}, plan, matrix, kernels::Cycles::excluded,
                    bench.control, via_matrix);
  });
  dense::DeviceMemory& memory = *claimed->resident();
  for (int i = 0; i < row.repetitions; ++i) {
    base::check_cancelled(bench.control);
    const RandomGraph graph = graph_of(i);
    const auto check = [&] {
      row.verdict.add(graph.check(matrix.matrix, via_matrix.matrix, bench.threads));
      if (row.n <= kWholeCompared && !bits) {
        row.verdict.add(compare_with_host(row, graph, matrix.matrix, bench.threads));
      }
    };
    fill(graph);
    memory.upload();
    row.samples.push_back({seconds([&] { memory.solve(); }), 0});
    if (i == 0) {
      memory.download();
      check();
    }
    fill(graph);
    row.seconds_run.push_back(seconds([&] { claimed->run(); }));
    if (i == 0) check();
  }
}

}  // namespace apsp::bench
