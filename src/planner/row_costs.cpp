#include "planner/row_costs.hpp"

#include <algorithm>

#include "planner/eligibility.hpp"

namespace apsp::planner {

std::int64_t blocks_bytes(std::int64_t n, std::int64_t block_rows, const Problem& problem) {
  const std::int64_t picked = problem.targets() < n ? problem.targets() : 0;
  return problem.threads * std::min(problem.sources(), block_rows) * (n + picked) *
         problem.value_bytes();
}

std::optional<double> sampled(Algorithm algorithm, const Graph& graph, const Problem& problem,
                              const RowsMeans& means, double guess, std::int64_t together) {
  constexpr std::int64_t kSmallPart = 16;  // measuring more would be a solve, not a sample
  if (problem.threads * together * kSmallPart > problem.sources()) return std::nullopt;
  if (!means.rates.sample || needs_potentials(graph, problem.kernel_semiring()))
    return std::nullopt;
  if (guess > kHopeless * means.best) return std::nullopt;
  guess = std::min(guess, means.best);
  return means.rates.sample(
      graph, {algorithm, problem.kernel(), problem.distance_bound, problem.threads}, guess);
}

}  // namespace apsp::planner
