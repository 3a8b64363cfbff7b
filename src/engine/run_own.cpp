// Floyd-Warshall in place over a semiring of one's own.
#include <fmt/format.h>
#include <apsp/error.hpp>
#include <apsp/solve.hpp>

#include "base/processors.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "places/own_memory.hpp"
#include "planner/plan.hpp"

namespace apsp::detail {
namespace {

/// Tiles are chosen as for a built-in semiring whose values are about as large.
std::int64_t choose_tile(std::int64_t n, int threads, int value_size) {
  const ValueType like = value_size <= 2   ? ValueType::u16
                         : value_size <= 4 ? ValueType::i32
                                           : ValueType::f64;
  return planner::choose_tile(
      n, threads, kernels::cpu::operations(Semiring::min_max, like, kernels::Sign::any));
}

}  // namespace

void floyd_warshall(const OwnKernels& kernels, void* data, std::int64_t n, std::int64_t stride,
                    const FloydWarshallOptions& options) {
  if (options.tile < 0 || options.threads < 0) {
    throw Error(ErrorKind::usage, "tile and threads must not be negative");
  }
  if (options.device == Device::cuda) {
    throw Error(
        ErrorKind::usage,
        "a semiring of one's own has no GPU kernels; it runs with Device::cpu or automatic");
  }
  const int threads = base::thread_count(options.threads);
  const std::int64_t tile =
      options.tile > 0 ? options.tile : choose_tile(n, threads, kernels.value_size);
  try {
    places::OwnMemory({{data, n, n, stride}, kernels.value_size, tile}, kernels, threads,
                      options.control)
        .run();
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

}  // namespace apsp::detail
