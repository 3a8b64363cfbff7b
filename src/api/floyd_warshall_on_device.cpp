// Floyd-Warshall in place on a matrix of a caller's in the memory of a GPU.
#include <fmt/format.h>
#include <apsp/error.hpp>

#include "api/matrix_checks.hpp"
#include "api/solve_among.hpp"
#include "base/aligned_memory.hpp"
#include "base/machine.hpp"
#include "engine/borrowed_run.hpp"
#include "planner/device_choice.hpp"

namespace apsp {
namespace api {
namespace {

/// What the host's solver takes, it does: the matrix goes there and comes back.
void solve_through_host(const planner::FindDevices& find, const planner::DevicePlan& plan,
                        const engine::BorrowedMatrix& matrix, FloydWarshallOptions options) {
  const std::int64_t n = matrix.values.rows;
  const auto& [semiring, type, sign, tracks_via] = plan.kernel;
  base::AlignedMemory memory(n * n * size_of(type));
  const kernels::View host{memory.data(), n, n, n};
  engine::copy_borrowed_out(plan, matrix, host);
  options.device = Device::cuda;
  options.device_ordinals = {plan.device.ordinal};
  floyd_warshall_among(find, semiring, type, host, options);
  engine::copy_borrowed_in(plan, matrix, host);
}

engine::BorrowedMatrix borrowed(const DeviceMatrix& matrix) {
  const std::int64_t stride = matrix.stride == 0 ? matrix.n : matrix.stride;
  if (matrix.n < 0 || stride < matrix.n) {
    throw Error(ErrorKind::usage, fmt::format("a matrix of {} rows and stride {} is no square "
                                              "matrix",
                                              matrix.n, stride));
  }
  return {{matrix.data, matrix.n, matrix.n, stride}, matrix.stream};
}

}  // namespace

void floyd_warshall_on_device_among(const planner::FindDevices& find, Semiring semiring,
                                    const DeviceMatrix& matrix,
                                    const FloydWarshallOptions& options) {
  check_options(options);
  const engine::BorrowedMatrix there = borrowed(matrix);
  const ValueType type = matrix.type;
  if (!supported(semiring, type)) {
    throw Error(ErrorKind::usage, fmt::format("the semiring {} has no values of type {}",
                                              name(semiring), name(type)));
  }
  const planner::NamedDevice named = planner::named_device({Device::cuda, {matrix.ordinal}}, find);
  if (matrix.n == 0) return;
  planner::DeviceProblem problem{.n = matrix.n,
                                 .kernel = {semiring, type, kernels::Sign::non_negative},
                                 .tile = options.tile,
                                 .memory = options.device_memory,
                                 .threads = base::thread_count(options.threads),
                                 .lies_there = true};
  const auto plan = [&] { return plan_on_device(problem, named.facts, named.devices); };
  if (semiring == Semiring::or_and) return solve_through_host(find, plan(), there, options);
  const auto [facts, symmetric] = engine::prepare_borrowed(plan(), there);
  const bool reduced = sums_may_cancel(semiring, type, facts);
  check_longest_path(semiring, type, facts, reduced);
  if (reduced) return solve_through_host(find, plan(), there, options);
  problem.distance_bound = facts.longest_path;
  if (facts.negative) {
    problem.kernel.sign = kernels::Sign::any;
  } else if (symmetric) {
    problem.shape = places::Shape::symmetric;
  }
  engine::solve_borrowed(plan(), there, kernels::Cycles::possible, options.control);
}

}  // namespace api

void floyd_warshall_on_device(Semiring semiring, const DeviceMatrix& matrix,
                              const FloydWarshallOptions& options) {
  api::floyd_warshall_on_device_among(planner::cuda_devices, semiring, matrix, options);
}

}  // namespace apsp
