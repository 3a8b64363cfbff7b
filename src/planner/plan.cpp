#include "planner/plan.hpp"

#include "kernels/cpu/cpu_kernels.hpp"

namespace apsp::planner {

kernels::TileOperations operations_of(const Problem& problem) {
  return kernels::cpu::operations(problem.kernel_semiring(), problem.type, problem.sign);
}

double Plan::relaxations() const {
  return rows() ? rows()->relaxations() : planner::relaxations(n, shape);
}

}  // namespace apsp::planner
