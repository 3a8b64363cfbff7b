// Costs of rows on the host that several engines share.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "planner/findings.hpp"
#include "planner/plan.hpp"

namespace apsp::planner {

struct RowsMeans {
  Findings& findings;
  const RateSource& rates;
  const Control& control;
  bool may_trim = false;          ///< the factor of the whole graph is not needed
  std::int64_t pairs_memory = 0;  ///< bytes of labels of the pairs; 0: half of what is free
  double best = std::numeric_limits<double>::infinity();  ///< s, of the best candidate so far
};

/// Bytes of all threads' blocks: whole rows, and a copy of the wanted columns.
inline std::int64_t blocks_bytes(std::int64_t n, std::int64_t block_rows, const Problem& problem) {
  const std::int64_t picked = problem.targets() < n ? problem.targets() : 0;
  return problem.threads * std::min(problem.sources(), block_rows) * (n + picked) *
         problem.value_bytes();
}

/// A method that takes so many times as long as the best plan is not measured.
inline constexpr double kHopeless = 3;

/// Returns the source's rates, or those assumed. `guess`: s of the whole work at assumed rates; 0:
/// nothing is measured.
template <class Rates>
Rates known_or(Rates assumed, const AskRates<Rates>& ask, const Problem& problem, double guess) {
  if (!ask) return assumed;
  return ask({.kernel = problem.kernel(), .threads = problem.threads, .guess = guess})
      .value_or(std::move(assumed));
}

}  // namespace apsp::planner
