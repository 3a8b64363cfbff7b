#include "statistics/totals.hpp"

#include <apsp/error.hpp>
#include <cmath>
#include <functional>

namespace apsp::statistics {
namespace {

/// Fraction of the reachable pairs within the effective diameter.
constexpr double kEffective = 0.9;
/// Relative; bins of ordinary values are narrower. Beyond 2^127 the figure is left out.
constexpr double kEffectiveError = 0x1p-12;

/// No solve produces NaN or an infinity that is not "no path".
void require_distances(const Totals& totals, long double sum) {
  if (std::isfinite(totals.range.least) && std::isfinite(totals.range.greatest) && !std::isnan(sum))
    return;
  throw Error(ErrorKind::input,
              "the matrix holds nan, or an infinity that is no distance: it is damaged, or another "
              "program wrote it; run `apsp verify`");
}

void fill_distribution(const Found& found, Statistics& statistics) {
  if (found.totals.range.least > found.totals.range.greatest) return;
  Distribution distribution{found.matrix.cells,
                            found.matrix.cells.of(found.totals.range.least),
                            {},
                            found.totals.range.least,
                            found.totals.range.greatest};
  const auto counts = found.totals.counts_in_range(found.matrix.cells);
  distribution.counts.assign(counts.begin(), counts.end());
  long double total = 0;
  for (std::int64_t column = 0; column < std::ssize(found.totals.reached); ++column) {
    total += static_cast<long double>(found.totals.sum.total(column));
  }
  require_distances(found.totals, total);
  const Quantile median = quantile(distribution, 0.5);
  statistics.least = found.totals.range.least;
  statistics.greatest = found.totals.range.greatest;
  statistics.mean =
      static_cast<double>(total / static_cast<long double>(statistics.reachable_pairs));
  statistics.median = median.value;
  statistics.median_error = median.error;
  statistics.histogram = histogram(distribution);
  if (found.matrix.semiring != Semiring::min_plus || !statistics.of_all()) return;
  statistics.characteristic_path_length = statistics.mean;
  const Quantile effective = quantile(distribution, kEffective);
  if (effective.error <= kEffectiveError) statistics.effective_diameter = effective.value;
  if (!statistics.connected) return;
  statistics.wiener_index = static_cast<double>(found.matrix.directed ? total : total / 2);
}

/// NaN for vertices that `known` lacks.
template <class F>
std::vector<double> for_vertices(std::int64_t n, const store::VertexList& known, const F& value) {
  std::vector<double> values(static_cast<std::size_t>(n), std::numeric_limits<double>::quiet_NaN());
  for (std::int64_t i = 0; i < known.size(n); ++i) values[known.at(i)] = value(known.at(i));
  return values;
}

struct ExtremesFound {
  ExtremeRows of_all, within;  // within: from and to vertices of the component
};

ExtremesFound extremes_of(const Found& found) {
  ExtremesFound extremes;
  for (Vertex v = 0; v < found.farthest.size(); ++v) {
    const auto note = [&](ExtremeRows& rows, const Farthest& farthest) {
      if (farthest.reaches()) rows.note({farthest.distance, {v, farthest.label}});
    };
    note(extremes.of_all, found.farthest[v]);
    if (!found.matrix.is_within(v)) continue;
    note(extremes.within,
         found.matrix.counts_within ? found.within[v].farthest : found.farthest[v]);
  }
  return extremes;
}

/// The greatest distance of a selection only bounds the diameter. A list may name all vertices.
void fill_extremes(const Found& found, const ExtremesFound& extremes, Statistics& statistics) {
  const auto& diameter = extremes.of_all.diameter;
  if (!diameter) return;
  const bool all = statistics.of_all();
  (all ? statistics.diameter : statistics.diameter_at_least) = diameter->value;
  statistics.diameter_pair = diameter->pair;
  const auto& radius = found.matrix.component ? extremes.within.radius : extremes.of_all.radius;
  if (statistics.targets != statistics.vertices || !radius) return;
  (all ? statistics.radius : statistics.radius_at_most) = radius->value;
  statistics.radius_pair = radius->pair;
}

/// If no path enters the component, the sums of whole columns have only distances within it.
double sum_within(const Found& found) {
  const auto& vertices = found.matrix.component->vertices;
  if (found.matrix.counts_within) {
    base::DoubleDouble sum;
    for (const Vertex v : vertices) {
      const base::DoubleDouble row = found.within[v].sum;
      sum = base::sum(base::sum(sum, row.high), row.low);
    }
    return sum.high + sum.low;
  }
  const store::Positions columns(found.matrix.n, found.columns);
  long double sum = 0;
  for (const Vertex v : vertices) {
    sum += static_cast<long double>(found.totals.sum.total(*columns.of(v)));
  }
  return static_cast<double>(sum);
}

void fill_component(const Found& found, const ExtremeRows& within, Statistics& statistics) {
  if (!found.matrix.component || !statistics.of_all()) return;
  ComponentStatistics& component = statistics.component.emplace();
  component.components = found.matrix.component->components;
  component.vertices = found.matrix.component->size();
  component.pairs = component.vertices * (component.vertices - 1);
  const auto& diameter = within.diameter;
  if (!diameter) return;
  component.diameter = diameter->value;
  component.diameter_pair = diameter->pair;
  component.mean = sum_within(found) / static_cast<double>(component.pairs);
}

void fill_centralities(const Found& found, Statistics& statistics) {
  const auto& [sources, targets] = found.matrix.selection;
  if (statistics.targets == statistics.vertices) {
    statistics.eccentricity = for_vertices(found.matrix.n, sources, [&](Vertex v) {
      return found.farthest[v].reaches() ? found.farthest[v].distance : 0;
    });
  }
  const bool from_all = statistics.sources == statistics.vertices;
  if (!from_all || (statistics.least && *statistics.least < 0)) return;
  const store::Positions columns(found.matrix.n, found.columns);
  statistics.harmonic = for_vertices(found.matrix.n, targets, [&](Vertex v) {
    return found.totals.harmonic.total(*columns.of(v));
  });
  statistics.closeness = for_vertices(found.matrix.n, targets, [&](Vertex v) {
    const std::int64_t column = *columns.of(v);
    const double sum = found.totals.sum.total(column);
    if (sum <= 0) return 0.0;
    const double from = found.totals.reached[static_cast<std::size_t>(column)];
    return from / sum * (from / static_cast<double>(found.matrix.n - 1));
  });
}

/// Named figures that follow from the vectors. At distance 0 an efficiency would be infinite.
void fill_vector_figures(const Found& found, Statistics& statistics) {
  if (!statistics.of_all() || !statistics.least) return;
  long double eccentricities = 0, reciprocals = 0;
  for (const double eccentricity : statistics.eccentricity) eccentricities += eccentricity;
  statistics.average_eccentricity =
      static_cast<double>(eccentricities / static_cast<long double>(found.matrix.n));
  if (*statistics.least <= 0) return;
  for (const double harmonic : statistics.harmonic) reciprocals += harmonic;
  const auto pairs = static_cast<long double>(statistics.pairs);
  statistics.global_efficiency = static_cast<double>(reciprocals / pairs);
  statistics.harmonic_mean_distance = static_cast<double>(pairs / reciprocals);
}

std::int64_t pairs_of(std::int64_t n, const store::Selection& selection) {
  const store::Positions sources(n, selection.sources), targets(n, selection.targets);
  std::int64_t same = 0;
  for (Vertex v = 0; v < n; ++v) same += sources.of(v) && targets.of(v) ? 1 : 0;
  return sources.count() * targets.count() - same;
}

}  // namespace

std::span<const std::int64_t> Totals::counts_in_range(const HistogramBins& cells) const {
  if (range.least > range.greatest || counts.bytes() == 0) return {};
  const std::int64_t first = cells.of(range.least), last = cells.of(range.greatest);
  return {counts.as<std::int64_t>() + first, static_cast<std::size_t>(last - first + 1)};
}

void Totals::merge(const Totals& other, const HistogramBins& cells) {
  for (std::size_t v = 0; v < farthest.size(); ++v) farthest[v].add(other.farthest[v]);
  if (other.range.least > other.range.greatest && other.counts.bytes() > 0) return;
  const auto theirs = other.counts_in_range(cells);
  auto* const mine = counts.as<std::int64_t>() + (theirs.data() - other.counts.as<std::int64_t>());
  for (std::size_t i = 0; i < theirs.size(); ++i) {
    if (theirs[i] != 0) mine[i] += theirs[i];
  }
  sum.add(other.sum);
  harmonic.add(other.harmonic);
  std::transform(reached.begin(), reached.end(), other.reached.begin(), reached.begin(),
                 std::plus<>());
  widen(other.range);
}

void Totals::write(base::ByteWriter& to, const HistogramBins& cells) const {
  to.put(range);
  to.put(counts_in_range(cells));
  sum.write(to);
  harmonic.write(to);
  to.put(reached);
  to.put(farthest);
}

void Totals::read(base::ByteReader& from, const HistogramBins& cells) {
  range = from.get<Extremes<double>>();
  const auto counted = from.get_all<std::int64_t>();
  std::copy(counted.begin(), counted.end(), counts_in_range(cells).begin());
  sum.read(from);
  harmonic.read(from);
  reached = from.get_all<std::uint32_t>();
  farthest = from.get_all<Farthest>();
}

CountedMatrix::CountedMatrix(const Graph& graph, Semiring semiring_, ValueType type_,
                             double greatest_possible, const store::Selection& selection_)
    : n(graph.vertex_count()),
      directed(graph.directed()),
      selection(selection_),
      semiring(semiring_),
      type(type_),
      cells(type == ValueType::i32 || type == ValueType::u16 || graph.weight_facts().integral,
            greatest_possible),
      cell_count(semiring == Semiring::or_and ? 0 : cells.count()),
      component(semiring == Semiring::min_plus ? graph::largest_of_several(graph) : std::nullopt),
      counts_within(component && !graph.symmetric() && selection.targets.size(n) == n) {}

bool ExtremeRows::note(const Extreme& row) {
  const auto keep = [&](std::optional<Extreme>& best, const auto& better) {
    const bool first = !best || better(row.value, best->value) ||
                       (row.value == best->value && row.pair.from < best->pair.from);
    if (first) best = row;
    return first;
  };
  const bool farthest = keep(diameter, std::greater<>());
  const bool nearest = keep(radius, std::less<>());
  return farthest || nearest;
}

Statistics statistics_of(const Found& found) {
  Statistics statistics;
  statistics.vertices = found.matrix.n;
  const auto& [sources, targets] = found.matrix.selection;
  statistics.sources = sources.size(found.matrix.n);
  statistics.targets = targets.size(found.matrix.n);
  statistics.pairs = pairs_of(found.matrix.n, found.matrix.selection);
  for (const std::uint32_t reached : found.totals.reached) statistics.reachable_pairs += reached;
  statistics.connected = statistics.reachable_pairs == statistics.pairs;
  if (found.matrix.semiring == Semiring::or_and) return statistics;
  fill_distribution(found, statistics);
  if (found.matrix.semiring == Semiring::min_plus) {
    const ExtremesFound extremes = extremes_of(found);
    fill_extremes(found, extremes, statistics);
    fill_component(found, extremes.within, statistics);
    fill_centralities(found, statistics);
    fill_vector_figures(found, statistics);
  }
  return statistics;
}

}  // namespace apsp::statistics
