// One matrix solved with all of the device's memory, then capped at a quarter and an eighth of the
// matrix's size. All results must be the same, bit for bit.
#include <algorithm>
#include <cstring>

#include "base/aligned_memory.hpp"
#include "engine/run.hpp"
#include "program/benchmark_cuda_parts.hpp"
#include "program/benchmark_cuda_problem.hpp"

namespace apsp::bench {
namespace {

int offload_repetitions(std::int64_t n) { return n <= 8192 ? 3 : n <= 16384 ? 2 : 1; }

/// Of every byte. Rows are summed up apart, so that threads may share them.
std::uint64_t digest_of(kernels::ConstView matrix, int value_size, int threads) {
  const std::int64_t bytes = matrix.cols * value_size;
  std::uint64_t digest = 0;
#pragma omp parallel for schedule(static) num_threads(threads) reduction(+ : digest)
  for (std::int64_t i = 0; i < matrix.rows; ++i) {
    const auto* const row =
        static_cast<const std::byte*>(matrix.data) + i * matrix.stride * value_size;
    std::uint64_t mixed = 0x9E3779B97F4A7C15u * static_cast<std::uint64_t>(i + 1);
    for (std::int64_t at = 0; at < bytes; at += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, row + at, static_cast<std::size_t>(std::min<std::int64_t>(8, bytes - at)));
      mixed = (mixed ^ word) * 0x100000001B3u;
      mixed ^= mixed >> 29;
    }
    digest += mixed * 0xBF58476D1CE4E5B9u;
  }
  return digest;
}

void measure_streamed(const CudaBenchmark& bench, const places::OffloadRates& rates,
                      const CudaProblem& problem, base::AlignedMemory& memory,
                      CudaOffloadRow& row) {
  auto device = bench.device.make(kCudaMain, row.device_memory);
  planner::DevicePlan how =
      device_plan(bench, kCudaMain, places::Shape::full, false, row.n, device->tiles(), false);
  const places::TiledMatrix matrix{
      {memory.data(), row.n, row.n, row.n}, value_size(kCudaMain), how.tile};
  const auto run = [&] {
    for (int i = 0; i < row.repetitions; ++i) {
      base::check_cancelled(bench.control);
      problem.fill(matrix.matrix);
      std::optional<engine::DeviceSolve> claimed;
      const Sample prepared = timed([&] {
        claimed.emplace(engine::OpenDevices{device.get()}, how, matrix, kernels::Cycles::excluded,
                        bench.control);
      });
      row.seconds_prepare = prepared.seconds;
      row.seconds.push_back(claimed->run());
      const std::uint64_t digest = digest_of(matrix.matrix, matrix.value_size, bench.threads);
      row.verdict.correct = row.verdict.correct && (i == 0 || digest == row.digest);
      row.digest = digest;
    }
  };
  if (row.device_memory == 0) {
    row.device_bytes = places::DeviceMemory::device_bytes(device->tiles(), matrix, false);
    run();
    const Verdict verdict = problem.check(matrix.matrix, {});
    row.verdict.correct = row.verdict.correct && verdict.correct;
    row.verdict.entries = verdict.entries;
    return;
  }
  places::OffloadProblem offload{.n = row.n, .value_size = matrix.value_size, .tile = how.tile};
  const std::int64_t least = least_offload_bytes(offload, device->tiles());
  if (row.device_memory < least) {  // of a tiny matrix
    row.device_memory = least;
    device = bench.device.make(kCudaMain, least);
  }
  offload.device_memory = row.device_memory;
  how.streamed = true;
  how.offload = places::plan_offload(offload, rates, device->tiles());
  const places::OffloadPlan& plan = how.offload;
  row.width = plan.width;
  row.resident_rows = plan.resident_rows;
  row.buffers = plan.buffers;
  row.device_bytes = plan.device_bytes;
  row.seconds_predicted = plan.seconds;
  run();
}

}  // namespace

std::vector<CudaOffloadRow> planned_cuda_offload(const CudaBenchmark& bench) {
  std::vector<CudaOffloadRow> rows;
  const std::int64_t n = bench.sizes.offload_vertices;
  const std::int64_t bytes = n * n * value_size(kCudaMain);
  if (n == 0) return rows;
  for (const std::int64_t cap : {std::int64_t{0}, bytes / 4, bytes / 8}) {
    CudaOffloadRow row;
    row.n = n;
    row.bytes_matrix = bytes;
    row.device_memory = cap;
    row.repetitions = repetitions_of(bench, offload_repetitions(n));
    rows.push_back(row);
  }
  return rows;
}

double work_of(const CudaOffloadRow& row) {
  const auto side = static_cast<double>(row.n);
  return row.repetitions * side * side * side;
}

void measure_cuda_offload(const CudaBenchmark& bench, const places::OffloadRates& rates,
                          std::vector<CudaOffloadRow>& rows) {
  if (rows.empty()) return;
  const std::int64_t n = rows.front().n;
  base::AlignedMemory memory(rows.front().bytes_matrix);
  const auto problem =
      make_cuda_problem(kCudaMain, places::Shape::full, n, bench.seed, bench.threads);
  const CudaOffloadRow& uncapped = rows.front();
  for (CudaOffloadRow& row : rows) {
    judged(row.verdict, [&] { measure_streamed(bench, rates, *problem, memory, row); });
    if (&row != &uncapped) {
      row.verdict.correct = row.verdict.correct && row.digest == uncapped.digest;
      row.verdict.entries = row.verdict.error.empty() ? n * n : 0;
    }
    if (!row.seconds.empty()) row.share_of_uncapped = best(uncapped.seconds) / best(row.seconds);
    bench.advance(work_of(row));
  }
}

}  // namespace apsp::bench
