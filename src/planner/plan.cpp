#include "planner/plan.hpp"

#include <fmt/format.h>

#include "kernels/cpu/cpu_kernels.hpp"

namespace apsp::planner {

kernels::TileOperations operations_of(const Problem& problem) {
  return kernels::cpu::operations(problem.kernel_semiring(), problem.type, problem.sign);
}

std::string worker(const Plan& plan) {
  if (plan.on_device) return plan.on_device->title();
  return fmt::format("{} {}", plan.threads, plan.threads == 1 ? "CPU thread" : "CPU threads");
}

double Plan::relaxations() const {
  return rows() ? rows()->relaxations() : planner::relaxations(n, shape);
}

}  // namespace apsp::planner
