#include "engine/disk_run.hpp"

#include <algorithm>

#include "base/aligned_memory.hpp"
#include "base/control.hpp"
#include "graph/adjacency_matrix.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "places/disk_memory.hpp"

namespace apsp::engine {
namespace {

/// The generation that the first step reads.
void fill(const Graph& graph, const planner::Plan& plan, store::DiskMatrix& matrix,
          const Control& control) {
  const std::int64_t height = std::min(plan.on_disk->strip_rows, plan.n);
  base::AlignedMemory values(height * plan.n * size_of(plan.type));
  const auto n = static_cast<double>(plan.n);
  base::ProgressTask progress(control, "writing the graph", n, "row");
  for (std::int64_t first = 0; first < plan.n; first += height) {
    const std::int64_t rows = std::min(height, plan.n - first);
    graph::fill_adjacency_rows(graph, plan.semiring, plan.type, first,
                               {values.data(), rows, plan.n, plan.n}, plan.threads,
                               {nullptr, control.cancellation});
    matrix.write_block({first, 0, rows, plan.n}, values.data(), plan.n);
    progress.advance(static_cast<double>(rows));
  }
  matrix.commit_step(0);
}

}  // namespace

std::vector<std::string> solve_on_disk(const Graph& graph, const planner::Plan& plan,
                                       store::DiskMatrix& matrix, const Control& control) {
  const auto go_on = [&] {
    places::DiskMemory(matrix, *plan.on_disk,
                       kernels::cpu::operations(plan.semiring, plan.type, plan.sign), plan.threads,
                       control)
        .run();
  };
  std::vector<std::string> damaged;
  if (matrix.cut()) {
    try {
      // A step reads all of the matrix. Behind the last one others read it, who cannot begin again.
      if (matrix.cut()->pivots == plan.n) matrix.check(plan.threads, control);
      go_on();
      return damaged;
    } catch (const store::DamagedMatrix& damage) {
      damaged.push_back(damage.place());
      matrix.begin_again();
    }
  }
  fill(graph, plan, matrix, control);
  go_on();
  return damaged;
}

}  // namespace apsp::engine
