// How far the process grows while Floyd-Warshall runs. Linux tells a process its largest resident
// size and lets it begin anew (proc(5): /proc/self/status, clear_refs); elsewhere nothing is said.
#include <fstream>

#include "base/aligned_memory.hpp"
#include "base/machine.hpp"
#include "engine/run.hpp"
#include "program/benchmark_matrix.hpp"
#include "program/benchmark_solves.hpp"

namespace apsp::bench {
namespace {

bool forget_peak() {
  std::ofstream file("/proc/self/clear_refs");
  return static_cast<bool>(file << "5" << std::flush);
}

}  // namespace

MemoryRow measure_memory(const BenchmarkOptions& options, const SolveRow& row) {
  MemoryRow result = planned_memory(row.kernel, row.n, row.threads);
  base::AlignedMemory memory(result.bytes_matrix);
  const kernels::View matrix{memory.data(), row.n, row.n, row.n};
  const BenchmarkGraph graph(row.kernel.semiring, row.n, options.seed);
  graph.fill(matrix, row.kernel.type, row.threads);

  const bool watched = forget_peak();
  const std::int64_t before = base::process_memory("VmRSS");
  engine::run(host_plan(row.kernel, row.shape, row.n, row.threads), {matrix},
              {nullptr, options.control.cancellation});
  if (watched && before > 0) result.bytes_resident = base::process_memory("VmHWM") - before;
  return result;
}

}  // namespace apsp::bench
