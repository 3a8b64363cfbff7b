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
                        engine::BorrowedRun& run, FloydWarshallOptions options) {
  const auto& [semiring, type, sign, tracks_via] = plan.kernel;
  base::AlignedMemory memory(plan.n * plan.n * size_of(type));
  const kernels::View host{memory.data(), plan.n, plan.n, plan.n};
  run.copy_out(host);
  options.device = Device::cuda;
  options.device_ordinals = {plan.device.ordinal};
  floyd_warshall_among(find, semiring, type, host, options);
  run.copy_in(host);
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
                                 .lies_on_device = true};
  const auto plan = [&] { return plan_on_device(problem, named.taken.front(), named.devices); };
  const planner::DevicePlan first = plan();
  engine::BorrowedRun run(first, there);
  if (semiring == Semiring::or_and) return solve_through_host(find, first, run, options);
  const auto [facts, symmetric] = run.prepare();
  const bool reduced = sums_may_cancel(semiring, type, facts);
  check_longest_path(semiring, type, facts, reduced);
  if (reduced) return solve_through_host(find, first, run, options);
  problem.distance_bound = facts.longest_path;
  constexpr auto kCycles = kernels::Cycles::possible;
  if (facts.negative) {
    problem.kernel.sign = kernels::Sign::any;
    const planner::DevicePlan of_any_sign = plan();
    engine::BorrowedRun(of_any_sign, there).solve(of_any_sign, kCycles, options.control);
  } else {
    if (symmetric) problem.shape = places::Shape::symmetric;
    run.solve(plan(), kCycles, options.control);
  }
}

}  // namespace api

void floyd_warshall_on_device(Semiring semiring, const DeviceMatrix& matrix,
                              const FloydWarshallOptions& options) {
  api::floyd_warshall_on_device_among(planner::cuda_devices, semiring, matrix, options);
}

}  // namespace apsp
