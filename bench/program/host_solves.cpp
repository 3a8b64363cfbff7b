// Floyd-Warshall on the CPU, from end to end: every size, number of threads and shape, and every
// kernel at one size; or by the side of the tiles.
#include <algorithm>
#include <set>

#include "engine/run.hpp"
#include "program/benchmark_parts.hpp"
#include "system/aligned_memory.hpp"

namespace apsp::bench {
namespace {

constexpr int kPeakSamples = 3;  // before and after a repetition
/// Where the closure is compared with f32: a GiB of it.
constexpr std::int64_t kLarge = 16384;

std::vector<std::int64_t> host_sizes(const BenchmarkOptions& options) {
  if (!options.vertices.empty()) return options.vertices;
  const bool tiles = !options.tiles.empty();
  std::vector<std::int64_t> sizes;
  const std::int64_t most = options.extent == BenchmarkExtent::quick  ? 1024
                            : options.extent == BenchmarkExtent::full ? 8192
                                                                      : 4096;
  for (std::int64_t n = tiles ? most / 4 : 256; n <= most; n *= 2) sizes.push_back(n);
  return sizes;
}

/// Enough of the short ones that one of them is undisturbed.
int host_repetitions(std::int64_t n) {
  return n <= 512 ? 21 : n <= 1024 ? 15 : n <= 2048 ? 7 : n <= 4096 ? 5 : n <= 8192 ? 2 : 1;
}

SolveRow planned(const BenchmarkKernel& kernel, std::int64_t n, int threads,
                 dense::Shape shape = dense::Shape::full, bool via = false, std::int64_t tile = 0) {
  return {.kernel = kernel,
          .shape = shape,
          .via = via,
          .n = n,
          .tile = host_plan(kernel, shape, n, threads, via, tile).tile(),
          .threads = threads,
          .repetitions = host_repetitions(n)};
}

void plan_tiles(const BenchmarkOptions& options, int threads, std::vector<SolveRow>& rows) {
  for (const std::int64_t n : host_sizes(options)) {
    const std::int64_t chosen = planned(kMain, n, threads).tile;
    std::set<std::int64_t> sides = {chosen};
    for (const std::int64_t tile : options.tiles) {
      sides.insert(planned(kMain, n, threads, dense::Shape::full, false, std::min(tile, n)).tile);
    }
    for (const std::int64_t side : sides) {
      rows.push_back(planned(kMain, n, threads, dense::Shape::full, false, side));
      rows.back().chosen = side == chosen;
    }
  }
}

/// Repetition i of one row.
void measure_host_solve(const BenchmarkOptions& options, Peaks& peaks, SolveRow& row, int i,
                        kernels::View matrix, kernels::View via) {
  // Cancellation only: the benchmark shows its own progress.
  const Control control = {nullptr, options.control.cancellation};
  base::check_cancelled(control);
  const RandomGraph graph({.semiring = row.kernel.semiring,
                           .type = row.kernel.type,
                           .n = row.n,
                           .seed = options.seed + static_cast<std::uint64_t>(i),
                           .symmetric = row.shape == dense::Shape::symmetric});
  const auto sample_peak = [&] {
    for (int s = 0; s < kPeakSamples; ++s) row.peak = std::max(row.peak, peaks.sample(row.kernel));
  };
  const planner::Plan plan =
      host_plan(row.kernel, row.shape, row.n, row.threads, row.via, row.tile);
  const engine::Planes planes{matrix, row.via ? via : kernels::View{}};
  sample_peak();
  // The matrix is filled just before it is solved, as by `apsp solve`: the threads are awake.
  if (row.via) {
    std::fill_n(static_cast<std::int32_t*>(via.data), row.n * row.n, kernels::kNoVia);
  }
  graph.fill(matrix, row.threads);
  row.samples.push_back(timed([&] { engine::run(plan, planes, control); }));
  sample_peak();
  if (i == 0) row.verdict = graph.check(matrix, planes.via, row.threads);
}

}  // namespace

std::vector<SolveRow> planned_host_solves(const BenchmarkOptions& options, int threads) {
  std::vector<SolveRow> rows;
  if (!options.tiles.empty()) {
    plan_tiles(options, threads, rows);
    return rows;
  }
  const std::vector<std::int64_t> sizes = host_sizes(options);
  std::set<int> counts = {threads};
  for (int count = 1; count < threads; count *= 2) counts.insert(count);
  std::int64_t n = sizes.front();  // of all kernels: large enough, and not long
  for (const std::int64_t size : sizes) {
    if (size <= 2048) n = std::max(n, size);
    for (const int count : counts) {
      rows.push_back(planned(kMain, size, count));
      rows.push_back(planned(kMain, size, count, dense::Shape::symmetric));
    }
  }
  using kernels::Sign;
  for (const auto& [type, sign] : {std::pair{ValueType::f32, Sign::any},
                                   {ValueType::f64, Sign::non_negative},
                                   {ValueType::i32, Sign::any},
                                   {ValueType::i32, Sign::non_negative},
                                   {ValueType::u16, Sign::non_negative}}) {
    rows.push_back(planned({Semiring::min_plus, type, sign}, n, threads));
  }
  rows.push_back(planned(kMain, n, threads, dense::Shape::full, true));
  rows.push_back(planned(kReach, n, threads));
  if (options.extent == BenchmarkExtent::full && options.vertices.empty()) {
    rows.push_back(planned(kMain, kLarge, threads));
    rows.push_back(planned(kReach, kLarge, threads));
  }
  return rows;
}

void measure_host_solves(const BenchmarkOptions& options, Peaks& peaks, std::vector<SolveRow>& rows,
                         const std::function<void(double)>& advance) {
  for (const SolveRow& first : rows) {
    if (!first.samples.empty()) continue;
    std::vector<SolveRow*> group;
    std::int64_t bytes = 0, via_bytes = 0;
    for (SolveRow& row : rows) {
      if (row.n != first.n || row.threads != first.threads) continue;
      group.push_back(&row);
      bytes = std::max(bytes, row.n * row.n * size_of(row.kernel.type));
      if (row.via) via_bytes = row.n * row.n * std::int64_t{sizeof(std::int32_t)};
    }
    system::AlignedMemory memory(bytes), via(via_bytes);
    for (int i = 0; i < first.repetitions; ++i) {
      for (SolveRow* row : group) {
        measure_host_solve(options, peaks, *row, i, {memory.data(), row->n, row->n, row->n},
                           {via.data(), row->n, row->n, row->n});
        advance(cube(row->n));
      }
    }
  }
}

}  // namespace apsp::bench
