// Floyd-Warshall in place on a caller's matrix.
#include <fmt/format.h>
#include <apsp/error.hpp>

#include "api/matrix_checks.hpp"
#include "api/solve_among.hpp"
#include "base/machine.hpp"
#include "base/symmetric_matrix.hpp"
#include "engine/run.hpp"
#include "graph/adjacency_matrix.hpp"
#include "graph/bellman_check.hpp"
#include "graph/matrix_potentials.hpp"
#include "graph/reduced_matrix.hpp"
#include "places/negative_cycle.hpp"
#include "planner/plan.hpp"

namespace apsp {
namespace {

/// A symmetric matrix takes half the work. With values below 0 it is left alone: nearly always it
/// then has negative cycles, and the full solve names their vertices as for any matrix.
/// Bits have no half (kernels/cpu/bits.hpp).
places::Shape shape_of(ValueType type, kernels::View matrix, const graph::MatrixFacts& facts,
                       int threads) {
  if (facts.negative || type == ValueType::boolean) return places::Shape::full;
  const auto asymmetry =
      base::find_asymmetry({matrix.data, matrix.rows, matrix.stride, type}, threads);
  return asymmetry ? places::Shape::full : places::Shape::symmetric;
}

}  // namespace

namespace api {
namespace {

/// What is solved in place, and how.
struct InPlace {
  planner::DeviceProblem problem;
  kernels::Cycles cycles;
  kernels::View matrix;
  const FloydWarshallOptions& options;
};

planner::Plan plan_of(const planner::FindDevices& find, const InPlace& wanted) {
  const FloydWarshallOptions& options = wanted.options;
  planner::Plan plan =
      planner::plan_matrix(wanted.problem, {options.device, options.device_ordinals}, find);
  plan.cycles = wanted.cycles;
  return plan;
}

/// No value is written before it is known that there is no negative cycle, and who solves: a caller
/// whom a GPU refuses has the weights for another try.
void run_on_reduced_weights(const planner::FindDevices& find, InPlace wanted,
                            const graph::MatrixFacts& facts) {
  auto& [semiring, type, sign, tracks_via] = wanted.problem.kernel;
  const kernels::View matrix = wanted.matrix;
  const int threads = wanted.problem.threads;
  const Control& control = wanted.options.control;
  const double direction = semiring == Semiring::max_plus ? -1 : 1;
  const Potentials potentials =
      graph::matrix_potentials(type, matrix, facts, direction, threads, control);
  if (potentials.cycle) places::throw_negative_cycle(potentials.cycle->vertices.front());
  semiring = Semiring::min_plus;
  sign = kernels::Sign::non_negative;
  wanted.cycles = kernels::Cycles::excluded;
  const planner::Plan plan = plan_of(find, wanted);
  const graph::Reduction reduction{potentials.h, direction};
  graph::reduce_matrix(reduction, type, matrix, threads, control);
  const graph::KeptRows kept(type, matrix);
  engine::run(plan, {matrix}, control);
  kept.check(matrix, threads, control);
  graph::restore_matrix(reduction, type, matrix, threads, control);
}

}  // namespace

void floyd_warshall_among(const planner::FindDevices& find, Semiring semiring, ValueType type,
                          kernels::View matrix, const FloydWarshallOptions& options) {
  check_options(options);
  const int threads = base::thread_count(options.threads);
  const graph::MatrixFacts facts = graph::prepare_matrix(semiring, type, matrix, threads);
  const bool reduced = sums_may_cancel(semiring, type, facts);
  check_longest_path(semiring, type, facts, reduced);
  const kernels::Sign sign = facts.negative ? kernels::Sign::any : kernels::Sign::non_negative;
  const InPlace wanted{.problem = {.n = matrix.rows,
                                   .kernel = {semiring, type, sign},
                                   .shape = shape_of(type, matrix, facts, threads),
                                   .distance_bound = facts.longest_path,
                                   .tile = options.tile,
                                   .memory = options.device_memory,
                                   .threads = threads},
                       .cycles = kernels::Cycles::possible,
                       .matrix = matrix,
                       .options = options};
  if (reduced) return run_on_reduced_weights(find, wanted, facts);
  engine::run(plan_of(find, wanted), {matrix}, options.control);
}

}  // namespace api

namespace detail {

void require_square(const void* data, std::int64_t rows, std::int64_t cols, std::int64_t stride) {
  if (rows != cols || rows < 0 || stride < cols) {
    throw Error(ErrorKind::usage, fmt::format("a matrix of {} rows, {} columns and stride {} is no "
                                              "square matrix",
                                              rows, cols, stride));
  }
  if (data != nullptr || rows == 0) return;
  throw Error(ErrorKind::usage,
              fmt::format("the matrix of {} rows has no data: its pointer is null", rows));
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

int thread_count(int requested) { return base::thread_count(requested); }

}  // namespace apsp
