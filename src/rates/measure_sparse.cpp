#include "rates/measure_rates.hpp"

#include <apsp/graph.hpp>

#include <algorithm>
#include <cmath>

#include "planner/elimination_model.hpp"
#include "planner/search_model.hpp"
#include "search/breadth_first_rows.hpp"
#include "search/dijkstra_rows.hpp"
#include "search/reachability_rows.hpp"
#include "sparse/factor_rows.hpp"

namespace apsp::rates {
namespace {

using planner::KernelKind;

constexpr double kLongestWeight = 10;

/// A graph with small separators: most vertices have few entries of the factor.
Graph flat_graph(std::int64_t n) {
  return generate({.kind = GraphKind::grid,
                   .vertices = n,
                   .greatest_weight = kLongestWeight,
                   .directed = false});
}

/// A directed graph without small separators: the front of its dense core takes most of the time.
Graph tangled_graph(std::int64_t n) {
  constexpr double kDegree = 6;
  return generate({.kind = GraphKind::gnp,
                   .vertices = n,
                   .probability = kDegree / static_cast<double>(n),
                   .greatest_weight = kLongestWeight});
}

/// Seconds of a part with one group of figures each, the others being infinitely fast.
struct Shares {
  double first, second;
};

/// Factors x, y of two groups of figures such that x · first + y · second is the time of each of
/// two graphs. Noise may make these inconsistent; the factors then stay near the combined time.
struct Times {
  double x = 1, y = 1;
};

Times times_of(const Shares& flat, double flat_seconds, const Shares& tangled,
               double tangled_seconds) {
  constexpr double kApart = 3;
  const double both = std::sqrt(flat_seconds / (flat.first + flat.second) * tangled_seconds /
                                (tangled.first + tangled.second));
  const double determinant = flat.first * tangled.second - tangled.first * flat.second;
  if (!(determinant > 0)) return {both, both};
  const auto near_both = [&](double times) {
    return std::clamp(times / determinant, both / kApart, both * kApart);
  };
  return {near_both(flat_seconds * tangled.second - tangled_seconds * flat.second),
          near_both(flat.first * tangled_seconds - tangled.first * flat_seconds)};
}

Shares eliminating_shares(const planner::EliminationCounts& counts, bool symmetric, int threads,
                          planner::EliminationRates rates) {
  planner::EliminationRates products = rates;
  products.front = 0;
  products.assembled = 1e30;
  rates.eliminated = 1e30;
  return {planner::eliminating_seconds(counts, symmetric, threads, rates),
          planner::eliminating_seconds(counts, symmetric, threads, products)};
}

Shares sweeping_shares(const planner::EliminationCounts& counts, const planner::SweepShape& shape,
                       planner::EliminationRates rates) {
  planner::EliminationRates together = rates;
  together.supernode = together.vertex = 0;
  together.swept_alone = 1e30;
  rates.swept_wide = 1e30;
  return {planner::sweeping_seconds(counts, shape, rates),
          planner::sweeping_seconds(counts, shape, together)};
}

planner::EliminationRates fitted(const KernelKind& kind, int threads, const EliminationParts& flat,
                                 const EliminationParts& tangled) {
  planner::EliminationRates rates = planner::assumed_elimination_rates(kind.semiring, kind.type);
  const std::int64_t block = sparse::FactorRows::block_rows(kind.type);
  const planner::SweepShape shape{block, threads, false};
  const planner::EliminationCounts first = planner::counts_of(*flat.tree, block),
                                   second = planner::counts_of(*tangled.tree, block);
  const Shares e1 = eliminating_shares(first, true, threads, rates),
               e2 = eliminating_shares(second, false, threads, rates);
  const Shares s1 = sweeping_shares(first, shape, rates),
               s2 = sweeping_shares(second, shape, rates);
  const Times eliminated = times_of(e1, flat.eliminating, e2, tangled.eliminating);
  const Times swept = times_of(s1, flat.sweeping, s2, tangled.sweeping);
  rates.front *= eliminated.x;
  rates.assembled /= eliminated.x;
  rates.eliminated /= eliminated.y;
  rates.supernode *= swept.x;
  rates.vertex *= swept.x;
  rates.swept_alone /= swept.x;
  rates.swept_wide /= swept.y;
  const double pairs = first.vertices * first.vertices / threads;
  if (flat.counting > 0) rates.counted_swept = pairs / flat.counting;
  if (flat.transposing > 0) rates.transposed = pairs / flat.transposing;
  return rates;
}

/// A graph for breadth-first search: wide, or with many arcs per vertex.
Graph hops_of(GraphKind kind, std::int64_t n) {
  constexpr double kDegree = 24;
  return generate({.kind = kind,
                   .vertices = n,
                   .probability = std::min(1.0, kDegree / static_cast<double>(n)),
                   .greatest_weight = 1,
                   .directed = false});
}

/// Seconds of a batch for vertices, and for arcs and values.
Shares block_shares(const Graph& graph, bool reachability, planner::BreadthFirstRates rates) {
  const auto vertices = static_cast<double>(graph.vertex_count());
  const auto arcs = static_cast<double>(graph.arc_count());
  const planner::BlockCounts counts =
      reachability ? planner::BlockCounts{1, vertices, arcs}
                   : planner::block_counts(planner::sample_searches(graph), vertices, arcs);
  const double whole = planner::breadth_first_seconds(counts, rates);
  rates.vertex = 0;
  const double rest = planner::breadth_first_seconds(counts, rates);
  return {whole - rest, rest};
}

std::unique_ptr<flow::RowSource> searches(const Graph& graph, const planner::RowSample& rows) {
  if (rows.algorithm == Algorithm::johnson) {
    return search::dijkstra_rows(graph, rows.kernel.semiring, rows.kernel.type, nullptr,
                                 rows.distance_bound);
  }
  if (rows.kernel.semiring == Semiring::or_and) return search::reachability_rows(graph);
  return search::breadth_first_rows(graph, rows.kernel.type);
}

double row_seconds(const Graph& graph, const planner::RowSample& rows, std::int64_t count,
                   double most, const MeasureLimits& limits) {
  const auto source = searches(graph, rows);
  const Control control{nullptr, limits.cancellation};
  if (source->block_rows() == 1) time_rows(*source, rows.threads, rows.threads, most, control);
  const RowsRun run = time_rows(*source, count, rows.threads, most, control);
  return run.seconds * rows.threads / std::max(1.0, run.rows);
}

}  // namespace

std::optional<planner::EliminationRates> measure_elimination(const planner::RateQuery& asked,
                                                             const MeasureLimits& limits) {
  const KernelKind& kind = asked.kernel;
  const int threads = asked.threads;
  if (kind.semiring == Semiring::max_plus) return std::nullopt;  // requires a graph without cycles
  constexpr std::int64_t kFlat = 6400, kTangled = 2000;
  const Control control{nullptr, limits.cancellation};
  const std::int64_t shortened = limits.sizes.empty() ? kFlat : limits.sizes.back();
  const Graph flat_one = flat_graph(std::min(kFlat, shortened));
  const Graph tangled_one = tangled_graph(std::min(kTangled, shortened));
  const EliminationParts flat = time_elimination(flat_one, kind, threads, control);
  const EliminationParts tangled = time_elimination(tangled_one, kind, threads, control);
  planner::EliminationRates rates = fitted(kind, threads, flat, tangled);
  rates.ordered = static_cast<double>(flat_one.arc_count()) / std::max(1e-9, flat.ordering);
  rates.counted = pairs_by_rows(flat_one, kind, sparse::FactorRows::block_rows(kind.type));
  return rates;
}

std::optional<planner::SearchRates> measure_search(const planner::RateQuery& asked,
                                                   const MeasureLimits& limits) {
  const KernelKind& kind = asked.kernel;
  const bool sums = kind.semiring == Semiring::min_plus;
  if (kind.semiring == Semiring::or_and || kind.semiring == Semiring::max_plus) {
    return std::nullopt;
  }
  constexpr std::int64_t kVertices = 6400, kRows = 100;
  const Graph graph = flat_graph(limits.sizes.empty() ? kVertices : limits.sizes.back());
  const auto n = static_cast<double>(graph.vertex_count());
  const double seconds =
      row_seconds(graph, {Algorithm::johnson, kind, sums ? 1e4 : 0, asked.threads}, kRows,
                  limits.seconds, limits);
  planner::SearchRates rates;
  rates = planner::slower(
      rates, seconds / planner::searching_seconds(planner::sample_searches(graph), n, rates));
  rates.counted = pairs_by_rows(graph, kind, 1);
  rates.passed = pairs_by_rows(graph, kind, 1, false);
  return rates;
}

std::optional<planner::BreadthFirstRates> measure_breadth_first(const planner::RateQuery& asked,
                                                                const MeasureLimits& limits) {
  const KernelKind& kind = asked.kernel;
  constexpr std::int64_t kVertices = 4096;
  const std::int64_t n = limits.sizes.empty() ? kVertices : limits.sizes.back();
  const bool reachability = kind.semiring == Semiring::or_and;
  planner::BreadthFirstRates rates{};
  const auto block_of = [&](const Graph& graph) {
    const std::int64_t vertices = graph.vertex_count();
    const double row = row_seconds(graph, {Algorithm::breadth_first, kind, 0, asked.threads},
                                   vertices, limits.seconds / 2, limits);
    return row * static_cast<double>(std::min(planner::kSourcesAtOnce, vertices));
  };
  const Graph flat = hops_of(GraphKind::grid, n), tangled = hops_of(GraphKind::gnp, n);
  const Times times = times_of(block_shares(flat, reachability, rates), block_of(flat),
                               block_shares(tangled, reachability, rates), block_of(tangled));
  rates.vertex *= times.x;
  rates.arc *= times.y;
  rates.values /= times.y;
  rates.counted = pairs_by_rows(flat, kind, planner::kSourcesAtOnce);
  rates.passed = pairs_by_rows(flat, kind, planner::kSourcesAtOnce, false);
  return rates;
}

std::optional<double> sample_rows(const Graph& graph, const planner::RowSample& rows,
                                  double seconds, const MeasureLimits& limits) {
  constexpr std::int64_t kMostRows = 1000, kLeastPart = 50;
  const std::int64_t n = graph.vertex_count();
  const std::int64_t a_worker = graph.arc_count() * 32 + n * 64;
  if (n == 0 || a_worker * rows.threads > limits.bytes) return std::nullopt;
  const std::int64_t block = rows.algorithm == Algorithm::johnson ? 1 : planner::kSourcesAtOnce;
  if (block * rows.threads * kLeastPart > n) return std::nullopt;
  return row_seconds(graph, rows, std::max(kMostRows, block * rows.threads), seconds, limits);
}

}  // namespace apsp::rates
