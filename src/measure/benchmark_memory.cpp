// How far the process grows while Floyd-Warshall runs. Linux tells a process its largest resident
// size and lets it begin anew (proc(5): /proc/self/status, clear_refs); elsewhere nothing is said.
#include <fstream>
#include <string>

#include "base/aligned_memory.hpp"
#include "engine/run.hpp"
#include "measure/benchmark_matrix.hpp"
#include "measure/benchmark_solves.hpp"

namespace apsp::measure {
namespace {

/// Bytes of "VmRSS" or "VmHWM"; 0 if the system does not say.
std::int64_t status_bytes(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind(key + ":", 0) == 0) return 1024 * std::stoll(line.substr(key.size() + 1));
  }
  return 0;
}

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
  const std::int64_t before = status_bytes("VmRSS");
  engine::run(host_plan(row.kernel, row.shape, row.n, row.threads), {matrix},
              {nullptr, options.control.cancellation});
  if (watched && before > 0) result.bytes_resident = status_bytes("VmHWM") - before;
  return result;
}

}  // namespace apsp::measure
