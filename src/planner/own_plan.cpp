#include <apsp/error.hpp>

#include "base/processors.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "planner/plan.hpp"

namespace apsp::planner {
namespace {

/// A built-in type whose values are about as large.
ValueType type_like(int value_size) {
  if (value_size <= size_of(ValueType::u16)) return ValueType::u16;
  return value_size <= size_of(ValueType::i32) ? ValueType::i32 : ValueType::f64;
}

}  // namespace

OwnPlan plan_own_matrix(std::int64_t n, int value_size, const FloydWarshallOptions& options) {
  if (options.tile < 0 || options.threads < 0) {
    throw Error(ErrorKind::usage, "tile and threads must not be negative");
  }
  if (options.device == Device::cuda) {
    throw Error(
        ErrorKind::usage,
        "a semiring of one's own has no GPU kernels; it runs with Device::cpu or automatic");
  }
  OwnPlan plan{options.tile, base::thread_count(options.threads)};
  if (plan.tile == 0) {
    plan.tile = choose_tile(
        n, plan.threads,
        kernels::cpu::operations(Semiring::min_max, type_like(value_size), kernels::Sign::any));
  }
  return plan;
}

}  // namespace apsp::planner
