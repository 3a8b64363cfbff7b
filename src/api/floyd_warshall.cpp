// Floyd-Warshall in place on a caller's matrix.
#include <fmt/format.h>
#include <apsp/error.hpp>

#include "algorithms/adjacency_matrix.hpp"
#include "algorithms/device_closure.hpp"
#include "algorithms/one_memory.hpp"
#include "algorithms/transitive_closure.hpp"
#include "api/device_run.hpp"
#include "api/solve_among.hpp"
#include "base/machine.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "planner/device_choice.hpp"
#include "planner/plan.hpp"

namespace apsp {
namespace api {

void floyd_warshall_among(const planner::FindDevices& find, Semiring semiring, ValueType type,
                          kernels::Tile matrix, const FloydWarshallOptions& options) {
  if (options.tile < 0 || options.threads < 0 || options.device_memory < 0) {
    throw Error(ErrorKind::usage, "tile, threads and memory must not be negative");
  }
  const int threads = base::thread_count(options.threads);
  const MatrixFacts facts = prepare_matrix(semiring, type, matrix, threads);
  if (semiring != Semiring::or_and && facts.longest_path > largest_distance(type)) {
    throw Error(ErrorKind::does_not_fit,
                fmt::format("distances may reach {:.15g}, which {} does not hold",
                            facts.longest_path, name(type)));
  }
  const auto sign = facts.negative ? kernels::Sign::any : kernels::Sign::non_negative;
  const planner::DeviceChoice choice =
      planner::choose_device({.n = matrix.rows,
                              .kernel = {semiring, type, sign},
                              .distance_bound = facts.longest_path,
                              .tile = options.tile,
                              .memory = options.device_memory,
                              .threads = threads},
                             {options.device, options.device_ordinals}, find);
  if (choice.cuda && choice.cuda->in_bits()) {
    run_closure_on_device(*choice.cuda, [&](kernels::Device& device) {
      return device_closure(device, matrix, threads, options.control);
    });
    return;
  }
  if (choice.cuda) {
    run_on_device(*choice.cuda, {matrix, size_of(type), choice.cuda->tile}, {},
                  kernels::Cycles::possible, options.control);
    return;
  }
  if (semiring == Semiring::or_and) {
    return transitive_closure(matrix, threads, options.control);
  }
  const kernels::TileOperations operations = kernels::cpu::operations(semiring, type, sign);
  const std::int64_t tile =
      options.tile > 0 ? options.tile : planner::choose_tile(matrix.rows, threads, operations);
  OneMemory({matrix, size_of(type), tile}, Shape::full, operations, kernels::Cycles::possible,
            threads, options.control)
      .run();
}

}  // namespace api

namespace detail {

void require_square(std::int64_t rows, std::int64_t cols, std::int64_t stride) {
  if (rows == cols && stride >= cols) return;
  throw Error(ErrorKind::usage, fmt::format("a matrix of {} rows, {} columns and stride {} is no "
                                            "square matrix",
                                            rows, cols, stride));
}

void floyd_warshall(Semiring semiring, ValueType type, void* data, std::int64_t n,
                    std::int64_t stride, const FloydWarshallOptions& options) {
  api::floyd_warshall_among(planner::cuda_devices, semiring, type, {data, n, n, stride}, options);
}

}  // namespace detail
}  // namespace apsp
