#include "program/benchmark_solves.hpp"

#include <algorithm>

#include "base/aligned_memory.hpp"
#include "base/control.hpp"
#include "engine/run.hpp"
#include "planner/find_plan.hpp"
#include "planner/memory.hpp"
#include "program/benchmark_matrix.hpp"

namespace apsp::bench {
namespace {

using kernels::Sign;
using kernels::View;

constexpr BenchmarkKernel kMain = {Semiring::min_plus, ValueType::f32, Sign::non_negative};
constexpr BenchmarkKernel kClosure = {Semiring::or_and, ValueType::boolean, Sign::any};
constexpr std::int64_t kRowsChecked = 3;
constexpr int kPeakSamples = 3;  // before and behind a repetition
/// Where memory and closure are held against f32: a GiB of it.
constexpr std::int64_t kLarge = 16384;

std::vector<std::int64_t> sizes(const BenchmarkOptions& options) {
  if (!options.vertices.empty()) return options.vertices;
  if (options.extent == BenchmarkExtent::quick) return {256, 512, 1024};
  if (options.extent == BenchmarkExtent::full) return {256, 512, 1024, 2048, 4096, 8192};
  return {256, 512, 1024, 2048, 4096};
}

/// 1, 2, 4, … and the last.
std::vector<int> thread_counts(int most) {
  std::vector<int> counts;
  for (int count = 1; count < most; count *= 2) counts.push_back(count);
  counts.push_back(most);
  return counts;
}

/// Enough of the short ones that one of them is undisturbed.
int repetitions(std::int64_t n) {
  return n <= 512 ? 21 : n <= 1024 ? 15 : n <= 2048 ? 7 : n <= 4096 ? 5 : n <= 8192 ? 2 : 1;
}

SolveRow planned(const BenchmarkKernel& kernel, places::Shape shape, std::int64_t n, int threads) {
  SolveRow row;
  row.kernel = kernel;
  row.shape = shape;
  row.n = n;
  row.tile = host_plan(kernel, shape, n, threads).tile();
  row.threads = threads;
  row.repetitions = repetitions(n);
  return row;
}

/// Repetition i of one row.
void measure_solve(const BenchmarkOptions& options, Peaks& peaks, SolveRow& row, int i, View matrix,
                   View via) {
  // Cancellation alone: the benchmark shows its own progress.
  const Control control = {nullptr, options.control.cancellation};
  base::check_cancelled(control);
  const BenchmarkGraph graph(row.kernel.semiring, row.n,
                             options.seed + static_cast<std::uint64_t>(i));
  const auto sample_peak = [&] {
    for (int s = 0; s < kPeakSamples; ++s) row.peak = std::max(row.peak, peaks.sample(row.kernel));
  };
  const planner::Plan plan = host_plan(row.kernel, row.shape, row.n, row.threads, row.via);
  const engine::Planes planes{matrix, row.via ? via : View{}};
  sample_peak();
  // The matrix is filled just before it is solved, as by `apsp solve`: the threads are awake.
  if (row.via) {
    std::fill_n(static_cast<std::int32_t*>(via.data), row.n * row.n, kernels::kNoVia);
  }
  graph.fill(matrix, row.kernel.type, row.threads);
  row.samples.push_back(timed([&] { engine::run(plan, planes, control); }));
  sample_peak();
  if (i > 0) return;
  row.correct = true;
  for (std::int64_t r = 0; r < std::min(kRowsChecked, row.n); ++r) {
    const std::int64_t source = r * (row.n - 1) / kRowsChecked;
    row.correct = row.correct && graph.is_solution(matrix, row.kernel.type, source);
    ++row.rows_checked;
  }
}

/// The full f32 solve of the same size and threads that a row is held against; null if none.
const SolveRow* plain_of(const SolveRow& row, const std::vector<SolveRow>& rows) {
  const bool compared =
      row.shape == places::Shape::symmetric || row.via || row.kernel.semiring == Semiring::or_and;
  if (!compared) return nullptr;
  for (const SolveRow& other : rows) {
    const bool same = other.n == row.n && other.threads == row.threads;
    const bool plain = other.shape == places::Shape::full && !other.via &&
                       other.kernel.type == kMain.type && other.kernel.sign == kMain.sign;
    if (same && plain && !other.samples.empty()) return &other;
  }
  return nullptr;
}

/// All kernels at one size, which is large enough and not long.
void plan_other_kernels(std::vector<SolveRow>& rows, std::int64_t n, int threads) {
  const auto add = [&](ValueType type, Sign sign) {
    rows.push_back(planned({Semiring::min_plus, type, sign}, places::Shape::full, n, threads));
  };
  add(ValueType::f32, Sign::any);
  add(ValueType::f64, Sign::non_negative);
  add(ValueType::i32, Sign::any);
  add(ValueType::i32, Sign::non_negative);
  add(ValueType::u16, Sign::non_negative);
  rows.push_back(planned(kMain, places::Shape::full, n, threads));
  rows.back().via = true;
  rows.push_back(planned(kClosure, places::Shape::full, n, threads));
}

std::int64_t largest_bytes(const std::vector<SolveRow*>& rows) {
  std::int64_t bytes = 0;
  for (const SolveRow* row : rows) {
    bytes = std::max(bytes, row->n * row->n * size_of(row->kernel.type));
  }
  return bytes;
}

std::int64_t via_bytes(const std::vector<SolveRow*>& rows) {
  for (const SolveRow* row : rows) {
    if (row->via) return row->n * row->n * static_cast<std::int64_t>(sizeof(std::int32_t));
  }
  return 0;
}

}  // namespace

planner::Plan host_plan(const BenchmarkKernel& kernel, places::Shape shape, std::int64_t n,
                        int threads, bool via) {
  return planner::plan_matrix({.n = n,
                               .kernel = {kernel.semiring, kernel.type, kernel.sign, via},
                               .shape = shape,
                               .threads = threads},
                              {Device::cpu}, {});
}

std::vector<SolveRow> planned_solves(const BenchmarkOptions& options, int threads) {
  std::vector<SolveRow> rows;
  const std::vector<std::int64_t> all = sizes(options);
  for (const std::int64_t n : all) {
    for (const int count : thread_counts(threads)) {
      rows.push_back(planned(kMain, places::Shape::full, n, count));
      rows.push_back(planned(kMain, places::Shape::symmetric, n, count));
    }
  }
  std::int64_t n = all.front();
  for (const std::int64_t size : all) {
    if (size <= 2048) n = std::max(n, size);
  }
  plan_other_kernels(rows, n, threads);
  if (options.extent == BenchmarkExtent::full && options.vertices.empty()) {
    rows.push_back(planned(kMain, places::Shape::full, kLarge, threads));
    rows.push_back(planned(kClosure, places::Shape::full, kLarge, threads));
  }
  return rows;
}

double work_of(const SolveRow& row) {
  const auto side = static_cast<double>(row.n);
  return row.repetitions * side * side * side;
}

void measure_solves(const BenchmarkOptions& options, Peaks& peaks, std::vector<SolveRow>& rows,
                    const std::function<void(double)>& advance) {
  const auto together = [](const SolveRow& a, const SolveRow& b) {
    return a.n == b.n && a.threads == b.threads;
  };
  for (const SolveRow& first : rows) {
    if (!first.samples.empty()) continue;
    // Those that are compared take turns.
    std::vector<SolveRow*> group;
    for (SolveRow& row : rows) {
      if (together(row, first)) group.push_back(&row);
    }
    base::AlignedMemory memory(largest_bytes(group));
    base::AlignedMemory via(via_bytes(group));
    for (int i = 0; i < first.repetitions; ++i) {
      for (SolveRow* row : group) {
        measure_solve(options, peaks, *row, i, {memory.data(), row->n, row->n, row->n},
                      {via.data(), row->n, row->n, row->n});
        advance(work_of(*row) / row->repetitions);
      }
    }
  }
  for (SolveRow& row : rows) {
    if (const SolveRow* plain = plain_of(row, rows)) {
      row.against_plain = best_seconds(plain->samples) / best_seconds(row.samples);
    }
  }
}

MemoryRow planned_memory(const BenchmarkKernel& kernel, std::int64_t n, int threads) {
  const planner::Plan plan = host_plan(kernel, places::Shape::full, n, threads);
  return {kernel, n, n * n * size_of(kernel.type), planner::solving_bytes(plan), 0};
}

}  // namespace apsp::bench
