// What a matrix to be solved in place must satisfy, on the host or on a device.
#pragma once

#include <fmt/format.h>
#include <apsp/error.hpp>
#include <apsp/solve.hpp>

#include "base/numbers.hpp"
#include "graph/adjacency_matrix.hpp"
#include "planner/value_type.hpp"

namespace apsp::api {

/// Throws `Error` (usage).
inline void check_options(const FloydWarshallOptions& options) {
  if (options.tile >= 0 && options.threads >= 0 && options.device_memory >= 0) return;
  throw Error(ErrorKind::usage, "tile, threads and memory must not be negative");
}

/// Sums of real weights of both signs are solved on reduced weights (planner/signed_weights.hpp).
inline bool sums_may_cancel(Semiring semiring, ValueType type, const graph::MatrixFacts& facts) {
  if (!planner::is_sum(semiring) || !facts.negative || !facts.positive) return false;
  if (type != ValueType::f32 && type != ValueType::f64) return false;
  const double exact_integers = type == ValueType::f32 ? 0x1p24 : 0x1p53;
  return !(facts.integral && facts.longest_path <= exact_integers);
}

/// Throws `Error` (does_not_fit). A reduced length is at most three times as long as a distance,
/// and two of them are added.
inline void check_longest_path(Semiring semiring, ValueType type, const graph::MatrixFacts& facts,
                               bool reduced) {
  const double longest_sum = (reduced ? 6 : 1) * facts.longest_path;
  if (semiring == Semiring::or_and || longest_sum <= largest_distance(type)) return;
  throw Error(ErrorKind::does_not_fit,
              fmt::format("distances may reach {}, which {} does not hold",
                          base::format_bound(facts.longest_path), name(type)));
}

}  // namespace apsp::api
