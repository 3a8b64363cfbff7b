// Floyd-Warshall in place on a caller's matrix, in host memory or on a device.
#include <fmt/format.h>
#include <apsp/error.hpp>

#include "api/floyd_warshall.hpp"
#include "base/refusal.hpp"
#include "base/units.hpp"
#include "dense/negative_cycle.hpp"
#include "engine/run.hpp"
#include "graph/adjacency_matrix.hpp"
#include "graph/bellman_check.hpp"
#include "graph/negative_cycle.hpp"
#include "graph/reduced_matrix.hpp"
#include "graph/symmetric_matrix.hpp"
#include "graph/whole_weights.hpp"
#include "planner/device_plan.hpp"
#include "planner/find_plan.hpp"
#include "planner/plan.hpp"
#include "planner/value_type.hpp"
#include "system/aligned_memory.hpp"
#include "system/machine.hpp"

namespace apsp {
namespace {

/// A symmetric matrix takes half the work. Negative values nearly always make negative cycles,
/// whose vertices only the full solve names. Bits have no half (kernels/cpu/bits.hpp).
dense::Shape shape_of(ValueType type, kernels::View matrix, const graph::MatrixFacts& facts,
                      int threads) {
  if (facts.negative || type == ValueType::boolean) return dense::Shape::full;
  const auto asymmetry =
      graph::find_asymmetry({matrix.data, matrix.rows, matrix.stride, type}, threads);
  return asymmetry ? dense::Shape::full : dense::Shape::symmetric;
}

}  // namespace

namespace api {
namespace {

void check_options(const FloydWarshallOptions& options) {
  planner::require_tile(options.tile);
  refuse_if(options.threads < 0 || options.device_memory < 0,
            "threads and memory must not be negative");
}

/// Such sums are solved on reduced weights (planner/signed_weights.hpp).
bool sums_may_cancel(Semiring semiring, ValueType type, const graph::MatrixFacts& facts) {
  if (!planner::is_sum(semiring) || !facts.negative || !facts.positive) return false;
  if (type != ValueType::f32 && type != ValueType::f64) return false;
  const double exact_integers = type == ValueType::f32 ? 0x1p24 : graph::kMostExact;
  return !(facts.integral && facts.longest_path <= exact_integers);
}

/// Throws `Error` (does_not_fit). A sum of two reduced lengths reaches at most six distances.
void check_longest_path(Semiring semiring, ValueType type, const graph::MatrixFacts& facts,
                        bool reduced) {
  const double longest_sum = (reduced ? 6 : 1) * facts.longest_path;
  if (semiring == Semiring::or_and || longest_sum <= largest_distance(type)) return;
  throw Error(ErrorKind::does_not_fit,
              fmt::format("distances may reach {}, which {} does not hold",
                          base::format_bound(facts.longest_path), name(type)));
}

struct InPlace {
  planner::DeviceProblem problem;
  kernels::Cycles cycles;
  engine::Planes planes;
  const FloydWarshallOptions& options;
};

planner::Plan plan_of(const planner::FindDevices& find, const InPlace& wanted) {
  const FloydWarshallOptions& options = wanted.options;
  planner::Plan plan =
      planner::plan_matrix(wanted.problem, {options.device, options.device_ordinals}, find);
  plan.cycles = wanted.cycles;
  return plan;
}

/// Writes nothing before a plan exists, so that a caller whom a GPU refuses keeps the weights.
void run_on_reduced_weights(const planner::FindDevices& find, InPlace wanted,
                            const graph::MatrixFacts& facts) {
  auto& [semiring, type, sign, tracks_via] = wanted.problem.kernel;
  const kernels::View matrix = wanted.planes.values;
  const int threads = wanted.problem.threads;
  const Control& control = wanted.options.control;
  const double direction = semiring == Semiring::max_plus ? -1 : 1;
  const Potentials potentials =
      graph::matrix_potentials(type, matrix, facts, direction, threads, control);
  if (potentials.cycle) dense::throw_negative_cycle(potentials.cycle->vertices.front());
  semiring = Semiring::min_plus;
  sign = kernels::Sign::non_negative;
  wanted.cycles = kernels::Cycles::excluded;
  const planner::Plan plan = plan_of(find, wanted);
  const graph::Reduction reduction{potentials.h, direction};
  graph::reduce_matrix(reduction, type, matrix, threads, control);
  const graph::KeptRows kept(type, matrix);
  engine::run(plan, wanted.planes, control);
  kept.check(matrix, threads, control);
  graph::restore_matrix(reduction, type, matrix, threads, control);
}

}  // namespace

void floyd_warshall_among(const planner::FindDevices& find, Semiring semiring, ValueType type,
                          kernels::View matrix, const FloydWarshallOptions& options,
                          kernels::View via) {
  check_options(options);
  const int threads = system::thread_count(options.threads);
  const graph::MatrixFacts facts = graph::prepare_matrix(semiring, type, matrix, threads);
  const bool reduced = sums_may_cancel(semiring, type, facts);
  check_longest_path(semiring, type, facts, reduced);
  const kernels::Sign sign = facts.negative ? kernels::Sign::any : kernels::Sign::non_negative;
  const InPlace wanted{.problem = {.n = matrix.rows,
                                   .kernel = {semiring, type, sign, via.data != nullptr},
                                   .shape = shape_of(type, matrix, facts, threads),
                                   .distance_bound = facts.longest_path,
                                   .tile = options.tile,
                                   .memory = options.device_memory,
                                   .threads = threads},
                       .cycles = kernels::Cycles::possible,
                       .planes = {matrix, via},
                       .options = options};
  if (reduced) return run_on_reduced_weights(find, wanted, facts);
  engine::run(plan_of(find, wanted), wanted.planes, options.control);
}

}  // namespace api

namespace detail {

void require_square(const void* data, std::int64_t rows, std::int64_t cols, std::int64_t stride) {
  refuse_if(rows != cols || rows < 0 || stride < cols,
            "a matrix of {} rows, {} columns and stride {} is not a square matrix", rows, cols,
            stride);
  refuse_if(data == nullptr && rows > 0, "the matrix of {} rows has no data: its pointer is null",
            rows);
}

void floyd_warshall(Semiring semiring, ValueType type, void* data, std::int64_t n,
                    std::int64_t stride, const FloydWarshallOptions& options) {
  api::floyd_warshall_among(planner::cuda_devices, semiring, type, {data, n, n, stride}, options);
}

void floyd_warshall(const OwnKernels& kernels, void* data, std::int64_t n, std::int64_t stride,
                    const FloydWarshallOptions& options) {
  const planner::OwnPlan plan = planner::plan_own_matrix(n, kernels.value_size, options);
  try {
    engine::run(plan, kernels, {data, n, n, stride}, options.control);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::negative_cycle) throw;
    const auto vertex = error.cycle().vertices.front();
    throw Error::negative_cycle(
        error.cycle(),
        fmt::format("a cycle through vertex number {} (counted from 0) is better than "
                    "the empty path: one ⊕ a = one does not hold for its value",
                    vertex));
  }
}

}  // namespace detail

int thread_count(int requested) { return system::thread_count(requested); }

namespace api {
namespace {

/// Copies the matrix to the host, solves it from there on the device, and copies it back.
void solve_through_host(const planner::FindDevices& find, const planner::DevicePlan& plan,
                        engine::BorrowedRun& run, FloydWarshallOptions options) {
  const auto& [semiring, type, sign, tracks_via] = plan.kernel;
  system::AlignedMemory memory(plan.n * plan.n * size_of(type));
  const kernels::View host{memory.data(), plan.n, plan.n, plan.n};
  run.copy_out(host);
  options.device = Device::cuda;
  options.device_ordinals = {plan.device.ordinal};
  floyd_warshall_among(find, semiring, type, host, options);
  run.copy_in(host);
}

engine::BorrowedMatrix borrowed(const DeviceMatrix& matrix) {
  const std::int64_t stride = matrix.stride == 0 ? matrix.n : matrix.stride;
  refuse_if(matrix.n < 0 || stride < matrix.n,
            "a matrix of {} rows and stride {} is not a square matrix", matrix.n, stride);
  return {{matrix.data, matrix.n, matrix.n, stride}, matrix.stream};
}

}  // namespace

void floyd_warshall_on_device_among(const planner::FindDevices& find, Semiring semiring,
                                    const DeviceMatrix& matrix,
                                    const FloydWarshallOptions& options) {
  check_options(options);
  const engine::BorrowedMatrix there = borrowed(matrix);
  const ValueType type = matrix.type;
  refuse_if(!supported(semiring, type), "the semiring {} has no values of type {}", name(semiring),
            name(type));
  const planner::NamedDevice named = planner::named_device({Device::cuda, {matrix.ordinal}}, find);
  if (matrix.n == 0) return;
  planner::DeviceProblem problem{.n = matrix.n,
                                 .kernel = {semiring, type, kernels::Sign::non_negative},
                                 .tile = options.tile,
                                 .memory = options.device_memory,
                                 .threads = system::thread_count(options.threads),
                                 .lies_on_device = true};
  const auto plan = [&] {
    return require_fitting(plan_on_devices(problem, named.taken, named.devices));
  };
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
    if (symmetric) problem.shape = dense::Shape::symmetric;
    run.solve(plan(), kCycles, options.control);
  }
}

}  // namespace api

void floyd_warshall_on_device(Semiring semiring, const DeviceMatrix& matrix,
                              const FloydWarshallOptions& options) {
  api::floyd_warshall_on_device_among(planner::cuda_devices, semiring, matrix, options);
}

}  // namespace apsp
