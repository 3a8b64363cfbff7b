#include "query/statistics_found.hpp"

#include <algorithm>
#include <limits>

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
  for (std::int64_t column = 0; column < std::ssize(found.reached); ++column) {
    total += static_cast<long double>(found.sum.total(column));
  }
  const Median middle = median(distribution);
  statistics.least = found.range.least;
  statistics.greatest = found.range.greatest;
  statistics.mean =
      static_cast<double>(total / static_cast<long double>(statistics.reachable_pairs));
  statistics.median = middle.value;
  statistics.median_error = middle.error;
  statistics.histogram = histogram(distribution);
}

/// One value for each of n vertices: NaN where `known` does not hold the vertex.
template <class F>
std::vector<double> for_vertices(std::int64_t n, std::span<const Vertex> known, const F& value) {
  std::vector<double> values(static_cast<std::size_t>(n),
                             known.empty() ? 0 : std::numeric_limits<double>::quiet_NaN());
  if (known.empty()) {
    for (std::size_t v = 0; v < values.size(); ++v) values[v] = value(static_cast<Vertex>(v));
  }
  for (const Vertex v : known) values[v] = value(v);
  return values;
}

/// Of some sources or targets, the greatest distance is a bound of the diameter alone.
void fill_extremes(const Found& found, Statistics& statistics) {
  if (!found.diameter) return;
  const bool all = found.selection.all();
  (all ? statistics.diameter : statistics.diameter_at_least) = found.diameter->value;
  statistics.diameter_pair = found.diameter->pair;
  if (!found.selection.targets.empty()) return;
  (all ? statistics.radius : statistics.radius_at_most) = found.radius->value;
  statistics.radius_pair = found.radius->pair;
}

void fill_centralities(const Found& found, Statistics& statistics) {
  const auto& [sources, targets] = found.selection;
  if (targets.empty()) {
    statistics.eccentricity =
        for_vertices(found.n, sources, [&](Vertex v) { return found.eccentricity[v]; });
  }
  if (!sources.empty() || (statistics.least && *statistics.least < 0)) return;
  const store::Positions columns(found.n, found.columns);
  statistics.harmonic = for_vertices(
      found.n, targets, [&](Vertex v) { return found.harmonic.total(*columns.of(v)); });
  statistics.closeness = for_vertices(found.n, targets, [&](Vertex v) {
    const std::int64_t column = *columns.of(v);
    const double sum = found.sum.total(column);
    if (sum <= 0) return 0.0;
    const double from = found.reached[static_cast<std::size_t>(column)];
    return from / sum * (from / static_cast<double>(found.n - 1));
  });
}

/// Ordered pairs of distinct vertices.
std::int64_t pairs_of(std::int64_t n, const store::Selection& selection) {
  const store::Positions sources(n, selection.sources), targets(n, selection.targets);
  std::int64_t same = 0;
  for (Vertex v = 0; v < n; ++v) same += sources.of(v) && targets.of(v) ? 1 : 0;
  return sources.count() * targets.count() - same;
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
  const auto& [sources, targets] = found.selection;
  statistics.sources = sources.empty() ? found.n : std::ssize(sources);
  statistics.targets = targets.empty() ? found.n : std::ssize(targets);
  statistics.pairs = pairs_of(found.n, found.selection);
  for (const std::uint32_t reached : found.reached) statistics.reachable_pairs += reached;
  statistics.connected = statistics.reachable_pairs == statistics.pairs;
  if (found.semiring == Semiring::or_and) return statistics;
  fill_distribution(found, statistics);
  if (found.semiring == Semiring::min_plus) {
    fill_extremes(found, statistics);
    fill_centralities(found, statistics);
  }
  return statistics;
}

}  // namespace apsp::query
