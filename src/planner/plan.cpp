#include "planner/plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dense/peer_memory.hpp"
#include "kernels/cpu/cpu_kernels.hpp"

namespace apsp::planner {

kernels::TileOperations operations_of(const Problem& problem) {
  return kernels::cpu::operations(problem.kernel_semiring(), problem.type, problem.sign);
}

std::string worker(const Plan& plan) {
  if (plan.on_device) return plan.on_device->title();
  return fmt::format("{} {}", plan.threads, plan.threads == 1 ? "CPU thread" : "CPU threads");
}

double relaxations(std::int64_t n, dense::Shape shape) {
  const auto side = static_cast<double>(n);
  return side * side * side / (shape == dense::Shape::symmetric ? 2 : 1);
}

int DevicePlan::square() const { return dense::PeerMemory::square(devices()); }

std::int64_t RowsPlan::solving_bytes() const {
  if (!uses.computes_rows) return costs.source_bytes + costs.making_bytes;
  const std::int64_t workers = uses.gives_columns ? costs.columns_worker_bytes : costs.worker_bytes;
  const bool in_place = uses.keeps_matrix || uses.gives_columns || uses.writes_views;
  return costs.source_bytes +
         std::max(costs.making_bytes, workers + (in_place ? 0 : costs.block_bytes));
}

double Plan::relaxations() const {
  return rows() ? rows()->relaxations() : planner::relaxations(n, shape);
}

void Plan::add_start(double seconds) {
  predicted.start += seconds;
  predicted.seconds += seconds;
  for (CandidateReport& report : candidates) {
    if (report.known) report.seconds += seconds;
  }
}

}  // namespace apsp::planner
