// Floyd-Warshall end to end: every size, number of threads and shape, and the memory it takes.
#pragma once

#include <functional>
#include <vector>

#include "planner/plan.hpp"
#include "program/benchmark.hpp"
#include "program/benchmark_peaks.hpp"

namespace apsp::bench {

/// What `solve` would do with such a matrix on the host.
planner::Plan host_plan(const BenchmarkKernel& kernel, places::Shape shape, std::int64_t n,
                        int threads, bool via = false);

/// What will be measured, samples still empty; a symmetric row follows the full one of its matrix.
std::vector<SolveRow> planned_solves(const BenchmarkOptions& options, int threads);

/// Relaxations of all repetitions of a row.
double work_of(const SolveRow& row);

/// Fills in samples and correctness. `advance`: told of relaxations done.
void measure_solves(const BenchmarkOptions& options, Peaks& peaks, std::vector<SolveRow>& rows,
                    const std::function<void(double)>& advance);

/// One solve of the size and threads of `row`, its memory watched.
MemoryRow measure_memory(const BenchmarkOptions& options, const SolveRow& row);

/// What a solve of n vertices would take: planned, not measured.
MemoryRow planned_memory(const BenchmarkKernel& kernel, std::int64_t n, int threads);

}  // namespace apsp::bench
