#include "query/statistics_found.hpp"

#include <algorithm>

#include "query/distribution.hpp"

namespace apsp::query {
namespace {

void fill_distribution(const Found& found, Statistics& statistics) {
  if (found.range.least > found.range.greatest) return;
  Distribution distribution{
      found.cells, found.cells.of(found.range.least), {}, found.range.least, found.range.greatest};
  const std::int64_t* const counts = found.counts.data();
  distribution.counts.assign(counts + distribution.first,
                             counts + found.cells.of(found.range.greatest) + 1);
  long double total = 0;
  for (std::int64_t v = 0; v < found.n; ++v) total += static_cast<long double>(found.sum.total(v));
  const Median middle = median(distribution);
  statistics.least = found.range.least;
  statistics.greatest = found.range.greatest;
  statistics.mean =
      static_cast<double>(total / static_cast<long double>(statistics.reachable_pairs));
  statistics.median = middle.value;
  statistics.median_error = middle.error;
  statistics.histogram = histogram(distribution);
}

void fill_centralities(const Found& found, Statistics& statistics) {
  if (found.diameter) {
    statistics.diameter = found.diameter->value;
    statistics.diameter_pair = found.diameter->pair;
    statistics.radius = found.radius->value;
    statistics.radius_pair = found.radius->pair;
  }
  statistics.eccentricity.assign(found.eccentricity.begin(), found.eccentricity.end());
  if (statistics.least && *statistics.least < 0) return;
  statistics.harmonic.assign(static_cast<std::size_t>(found.n), 0);
  statistics.closeness.assign(static_cast<std::size_t>(found.n), 0);
  for (std::size_t v = 0; v < statistics.closeness.size(); ++v) {
    statistics.harmonic[v] = found.harmonic.total(static_cast<std::int64_t>(v));
    const double sum = found.sum.total(static_cast<std::int64_t>(v));
    if (sum <= 0) continue;
    const double from = found.reached[v];
    statistics.closeness[v] = from / sum * (from / static_cast<double>(found.n - 1));
  }
}

}  // namespace

bool integral_values(const Graph& graph, ValueType type) {
  const bool integers = type == ValueType::i32 || type == ValueType::u16;
  return integers || graph.weight_facts().integral;
}

bool comes_first(const std::optional<Extreme>& best, double value, Vertex from, double sign) {
  if (!best || sign * value > sign * best->value) return true;
  return value == best->value && from < best->pair.from;
}

Statistics statistics_of(const Found& found) {
  Statistics statistics;
  statistics.vertices = found.n;
  statistics.pairs = found.n * std::max<std::int64_t>(found.n - 1, 0);
  for (const std::uint32_t reached : found.reached) statistics.reachable_pairs += reached;
  statistics.connected = statistics.reachable_pairs == statistics.pairs;
  if (found.semiring == Semiring::or_and) return statistics;
  fill_distribution(found, statistics);
  if (found.semiring == Semiring::min_plus) fill_centralities(found, statistics);
  return statistics;
}

}  // namespace apsp::query
