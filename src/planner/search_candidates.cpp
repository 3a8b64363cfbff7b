#include "planner/search_candidates.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "planner/eligibility.hpp"
#include "planner/elimination_model.hpp"
#include "planner/findings.hpp"
#include "planner/problem.hpp"
#include "planner/search_model.hpp"
#include "planner/value_type.hpp"

namespace apsp::planner {
namespace {

const SampledSearches& found_by_searches(const Graph& graph, const Problem& problem,
                                         const RowsMeans& means) {
  return problem.estimates ? problem.estimates->found : means.findings.searches(graph);
}

/// Returns measured seconds of a row. `together`: rows that a thread computes at once, the fewest
/// that it measures.
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

/// Sets costs that depend only on rates. `together`: sources of one search; `block_seconds`: of one
/// thread for so many, by some rates.
template <class Rates, class Seconds>
RowCosts searching_costs(Algorithm algorithm, const Graph& graph, const Problem& problem,
                         const RowsMeans& means, const AskRates<Rates>& ask, std::int64_t together,
                         const Seconds& block_seconds) {
  const double n = std::max(1.0, static_cast<double>(graph.vertex_count()));
  const double blocks =
      std::ceil(static_cast<double>(problem.sources()) / static_cast<double>(together));
  const double uneven = together > 1 ? unevenness(blocks, problem.threads) : 1;
  const auto seconds = [&](const Rates& rates) {
    return blocks * block_seconds(rates) / problem.threads * uneven;
  };
  // Known rates are used, and nothing is measured for hopeless searches.
  const double guess = seconds(Rates());
  Rates rates = known_or(Rates(), ask, problem, guess > kHopeless * means.best ? 0 : guess);
  if (const auto row = sampled(algorithm, graph, problem, means, seconds(rates), together)) {
    rates = slower(rates, *row * std::min(static_cast<double>(together), n) / block_seconds(rates));
  }
  const double share = std::min(1.0, found_by_searches(graph, problem, means).vertices / n);
  RowCosts costs;
  costs.rows_seconds = seconds(rates);
  costs.counted = pairs_by_rows(rates.counted, rates.unreached, share) * problem.threads;
  costs.measured = rates.measured;
  costs.block_bytes = blocks_bytes(graph.vertex_count(), together, problem);
  return costs;
}

RowsPlan plan_dijkstra(const Graph& graph, const Problem& problem, const RowsMeans& means) {
  constexpr std::int64_t kArcKept = 8, kVertexKept = 12, kEntry = 17, kKey = 4;
  constexpr std::int64_t kBuckets = 4096, kChunk = 128;
  const std::int64_t n = graph.vertex_count(), m = graph.arc_count();
  const bool long_sums = problem.type == ValueType::i32 &&
                         graph.weight_facts().longest_path > largest_distance(ValueType::i32);
  const bool reduced = needs_potentials(graph, problem.kernel_semiring());
  const bool wide_sums = reduced ? problem.type != ValueType::i32 : long_sums;
  const std::int64_t wide = problem.type == ValueType::f64 || wide_sums ? 2 : 1;
  const std::int64_t potentials = reduced ? n * static_cast<std::int64_t>(2 * sizeof(double)) : 0;
  const SampledSearches& found = found_by_searches(graph, problem, means);
  const std::int64_t entries = n + std::min(m, n);
  RowsPlan plan{.by = RowsBySearches{found.levels}};
  plan.costs = searching_costs(Algorithm::johnson, graph, problem, means, means.rates.search, 1,
                               [&](const SearchRates& rates) {
                                 return search_seconds(found, static_cast<double>(n), rates);
                               });
  plan.costs.rows_relaxations = static_cast<double>(problem.sources()) * found.arcs;
  plan.costs.source_bytes = wide * (m * kArcKept + n * kVertexKept) + potentials;
  plan.costs.making_bytes = plan.costs.source_bytes;
  plan.costs.worker_bytes =
      problem.threads *
      (wide * (entries * kEntry + n * (kKey + kVertexKept)) + std::min(entries, kBuckets) * kChunk);
  return plan;
}

RowsPlan plan_breadth_first(const Graph& graph, const Problem& problem, const RowsMeans& means) {
  const SampledSearches& found = found_by_searches(graph, problem, means);
  const std::int64_t n = graph.vertex_count(), m = graph.arc_count();
  const bool reachability = problem.semiring == Semiring::or_and;
  const auto vertices = static_cast<double>(n), arcs = static_cast<double>(m);
  const BlockCounts counts =
      reachability ? BlockCounts{1, vertices, arcs} : block_counts(found, vertices, arcs);
  RowsPlan plan{.by = RowsByBreadthFirst{found.most_levels, counts.levels}};
  plan.costs = searching_costs(
      Algorithm::breadth_first, graph, problem, means, means.rates.breadth_first, kSourcesAtOnce,
      [&](const BreadthFirstRates& rates) { return breadth_first_seconds(counts, rates); });
  plan.costs.rows_relaxations = static_cast<double>(problem.sources()) * arcs;
  plan.costs.source_bytes = 8 * m + 16 * n;
  plan.costs.making_bytes = plan.costs.source_bytes;
  const std::int64_t lines =
      reachability ? 2
                   : 3 + static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(n)));
  plan.costs.worker_bytes = problem.threads * n * (lines * (kSourcesAtOnce / 8) + 9);
  return plan;
}

}  // namespace

RowsPlan plan_searches(Algorithm algorithm, const Graph& graph, const Problem& problem,
                       const RowsMeans& means) {
  return algorithm == Algorithm::johnson ? plan_dijkstra(graph, problem, means)
                                         : plan_breadth_first(graph, problem, means);
}

}  // namespace apsp::planner
