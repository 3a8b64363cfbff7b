#include "verifier/statistics_checks.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "base/value_types.hpp"

namespace apsp::verifier {
namespace {

constexpr double kNoBound = std::numeric_limits<double>::infinity();
/// Largest claimed error of a median (docs/statistics.md), and magnitudes that count as zero there.
constexpr double kMedianError = 0x1p-12, kMedianZero = 0x1p-126;
/// Relative difference between two right sums of doubles.
constexpr double kSumError = 1e-12;

/// `scale`: magnitude of the terms, which may exceed the sum if they have both signs.
bool is_near(double claimed, double found, double slack, double scale = 0) {
  const double most = std::max(kSumError, slack) * std::max(std::abs(found), scale);
  return claimed == found || std::abs(claimed - found) <= most;
}

std::string shown(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value + 0.0) : "missing";
}
std::string shown(std::int64_t value) { return fmt::format("{}", value); }
std::string shown(bool value) { return value ? "true" : "false"; }

}  // namespace

StatisticsClaim::StatisticsClaim(const Claim& claim_, const Statistics& claimed_, bool all_rows_,
                                 ClaimedRows rows)
    : claim(claim_),
      claimed(claimed_),
      all_rows(all_rows_),
      slack(rows == ClaimedRows::stored ? 0 : 2 * claim.rounding(claimed.greatest.value_or(0))) {
  std::vector<std::int64_t> sizes;
  for (const std::int64_t component : claim.component) {
    const auto at = static_cast<std::size_t>(component);
    if (at >= sizes.size()) sizes.resize(at + 1);
    ++sizes[at];
  }
  components = std::ssize(sizes);
  for (const std::int64_t component : claim.component) {
    const std::int64_t size = sizes[static_cast<std::size_t>(component)];
    if (size <= vertices) continue;
    vertices = size;
    largest = component;
  }
  const double median = claimed.median.value_or(0);
  const double zero = median == 0 || claimed.median_error > 0 || slack > 0 ? kMedianZero : 0;
  const double error = (claimed.median_error * (1 + 0x1p-10) + slack) * std::abs(median) + zero;
  median_from = median - error;
  median_to = median + error;
  const double effective = claimed.effective_diameter.value_or(0);
  const double margin = (kMedianError * (1 + 0x1p-10) + slack) * std::abs(effective) + kMedianZero;
  effective_from = effective - margin;
  effective_to = effective + margin;
}

void RowExtents::add(const RowExtent& row) {
  const auto take = [&](std::optional<RowExtent>& best, bool better) {
    if (!best || better || (row.value == best->value && row.pair.from < best->pair.from))
      best = row;
  };
  take(greatest, greatest && row.value > greatest->value);
  take(least, least && row.value < least->value);
}

void RowExtents::add(const RowExtents& other) {
  if (other.greatest) add(*other.greatest);
  if (other.least) add(*other.least);
}

RowStatistics::RowStatistics(const StatisticsClaim& statistics)
    : statistics_(&statistics),
      bars_(statistics.claimed.histogram.size()),
      at_ends_(bars_.size() + 1),
      least_(kNoBound),
      greatest_(-kNoBound) {}

void RowStatistics::add(Vertex source, std::span<const double> distances) {
  const StatisticsClaim& of = *statistics_;
  const bool from_within = of.within(source);
  std::optional<RowExtent> farthest, farthest_within;
  const auto note = [&](std::optional<RowExtent>& best, double distance, Vertex to) {
    if (!best || distance > best->value) best = RowExtent{distance, {source, to}};
  };
  const auto note_pair = [&](std::optional<double>& distance,
                             const std::optional<VertexPair>& claimed) {
    if (!claimed || claimed->from != source || claimed->to >= distances.size()) return;
    distance = of.claim.sign * distances[claimed->to];
  };
  note_pair(of_diameter_, of.claimed.diameter_pair);
  note_pair(of_radius_, of.claimed.radius_pair);
  if (of.claimed.component) note_pair(of_component_, of.claimed.component->diameter_pair);
  ++rows_;
  long double sum = 0, sum_within = 0;
  for (Vertex to = 0; to < distances.size(); ++to) {
    if (to == source || distances[to] == of.claim.none) continue;
    const double distance = of.claim.sign * distances[to];
    ++pairs_;
    count(distance);
    sum += static_cast<long double>(distance);
    note(farthest, distance, to);
    if (!from_within || !of.within(to)) continue;
    sum_within += static_cast<long double>(distance);
    note(farthest_within, distance, to);
  }
  sum_ += sum;
  sum_within_ += sum_within;
  if (farthest) extents_.add(*farthest);
  if (farthest_within) extents_within_.add(*farthest_within);
  check_eccentricity(source, farthest ? farthest->value : 0.0);
}

void RowStatistics::count(double distance) {
  const std::vector<HistogramBin>& bars = statistics_->claimed.histogram;
  least_ = std::min(least_, distance);
  greatest_ = std::max(greatest_, distance);
  below_median_ += distance < statistics_->median_from ? 1 : 0;
  up_to_median_ += distance <= statistics_->median_to ? 1 : 0;
  below_effective_ += distance < statistics_->effective_from ? 1 : 0;
  up_to_effective_ += distance <= statistics_->effective_to ? 1 : 0;
  const auto next = std::ranges::upper_bound(bars, distance, {}, &HistogramBin::low);
  const auto at = static_cast<std::size_t>(next - bars.begin());
  if (statistics_->slack > 0) {
    for (std::size_t end = 0; end < at_ends_.size() && !bars.empty(); ++end) {
      const double value = end < bars.size() ? bars[end].low : bars.back().high;
      at_ends_[end] += statistics_->is_same(value, distance) ? 1 : 0;
    }
  }
  const bool inside = at > 0 && (distance < bars[at - 1].high ||
                                 (at == bars.size() && distance <= bars[at - 1].high));
  if (inside) {
    ++bars_[at - 1];
  } else {
    ++in_no_bar_;
  }
}

void RowStatistics::check_eccentricity(Vertex source, double found) {
  const std::vector<double>& claimed = statistics_->claimed.eccentricity;
  if (claimed.empty()) return;
  tally_.count_tested(Check::statistics, 1);
  if (source < claimed.size() && statistics_->is_same(claimed[source], found)) return;
  tally_.count_failure(Check::statistics, source, [&] {
    return fmt::format(
        "the eccentricity of {} is {}, but its row gives {}", statistics_->claim.graph.name(source),
        source < claimed.size() ? fmt::format("{}", claimed[source]) : "missing", found);
  });
}

void RowStatistics::add(const RowStatistics& other) {
  tally_.add(other.tally_);
  rows_ += other.rows_;
  pairs_ += other.pairs_;
  in_no_bar_ += other.in_no_bar_;
  below_median_ += other.below_median_;
  up_to_median_ += other.up_to_median_;
  below_effective_ += other.below_effective_;
  up_to_effective_ += other.up_to_effective_;
  for (std::size_t i = 0; i < bars_.size(); ++i) bars_[i] += other.bars_[i];
  for (std::size_t i = 0; i < at_ends_.size(); ++i) at_ends_[i] += other.at_ends_[i];
  for (auto member :
       {&RowStatistics::of_diameter_, &RowStatistics::of_radius_, &RowStatistics::of_component_}) {
    if (other.*member) this->*member = other.*member;
  }
  least_ = std::min(least_, other.least_);
  greatest_ = std::max(greatest_, other.greatest_);
  sum_ += other.sum_;
  sum_within_ += other.sum_within_;
  extents_.add(other.extents_);
  extents_within_.add(other.extents_within_);
}

void RowStatistics::check_that(bool holds, std::string sentence) {
  tally_.count_tested(Check::statistics, 1);
  if (holds) return;
  tally_.count_failure(Check::statistics, 0, [&] { return std::move(sentence); });
}

template <class T>
void RowStatistics::check_equal(const char* what, const T& claimed, const T& found) {
  check_that(claimed == found,
             fmt::format("the {} is {}, but the rows give {}", what, shown(claimed), shown(found)));
}

void RowStatistics::check_near(const char* what, const std::optional<double>& claimed,
                               long double sum, std::int64_t pairs) {
  std::optional<double> found;
  // Sums beyond the range of doubles are infinite.
  if (pairs > 0) found = static_cast<double>(sum) / static_cast<double>(pairs);
  const bool holds = claimed && found
                         ? is_near(*claimed, *found, statistics_->slack, statistics_->scale())
                         : claimed == found;
  check_that(holds,
             fmt::format("the {} is {}, but the rows give {}", what, shown(claimed), shown(found)));
}

void RowStatistics::check_value(const char* what, const std::optional<double>& claimed,
                                const std::optional<double>& found) {
  const bool holds = claimed && found ? statistics_->is_same(*claimed, *found) : claimed == found;
  check_that(holds,
             fmt::format("the {} is {}, but the rows give {}", what, shown(claimed), shown(found)));
}

/// If sums are rounded in another order, another of almost equal pairs may be the first.
void RowStatistics::check_pair(const char* what, const std::optional<VertexPair>& claimed,
                               const std::optional<RowExtent>& found,
                               const std::optional<double>& distance) {
  if (statistics_->slack > 0 && claimed && found) {
    return check_value(what, distance, found->value);
  }
  const Graph& graph = statistics_->claim.graph;
  const auto text = [&](const VertexPair& pair) {
    return fmt::format("{} → {}", graph.name(pair.from), graph.name(pair.to));
  };
  const bool holds =
      claimed.has_value() == found.has_value() &&
      (!claimed || (claimed->from == found->pair.from && claimed->to == found->pair.to));
  check_that(holds,
             fmt::format("the pair of the {} is {}, but the rows give {}", what,
                         claimed ? text(*claimed) : "missing", found ? text(found->pair) : "none"));
}

void RowStatistics::check_totals() {
  if (!statistics_->all_rows) return check_sample();
  check_counts();
  if (statistics_->claim.type == ValueType::boolean) return;
  check_distribution();
  const bool shortest = statistics_->claim.additive && statistics_->claim.sign > 0;
  if (!shortest) return;
  check_extents();
  check_figures();
  if (statistics_->claimed.of_all()) check_component();
}

/// Bounds for all rows from the sampled ones.
void RowStatistics::check_sample() {
  const Statistics& claimed = statistics_->claimed;
  if (pairs_ == 0 || statistics_->claim.type == ValueType::boolean) return;
  const auto at_most = [&](double a, double b) { return a <= b || statistics_->is_same(a, b); };
  check_that(
      claimed.least && at_most(*claimed.least, least_),
      fmt::format("the least distance is {}, but a row holds {}", shown(claimed.least), least_));
  check_that(claimed.greatest && at_most(greatest_, *claimed.greatest),
             fmt::format("the greatest distance is {}, but a row holds {}", shown(claimed.greatest),
                         greatest_));
  check_that(in_no_bar_ <= at_ends_.front() + at_ends_.back(),
             fmt::format("{} distances are in no bar of the histogram", in_no_bar_));
  for (const auto& [name, greatest] :
       {std::pair("diameter", claimed.diameter),
        std::pair("bound of the diameter", claimed.diameter_at_least)}) {
    if (!greatest) continue;
    check_that(at_most(greatest_, *greatest),
               fmt::format("the {} is {}, but a row holds {}", name, *greatest, greatest_));
  }
  if (claimed.radius && extents_within_.least) {
    check_that(at_most(*claimed.radius, extents_within_.least->value),
               fmt::format("the radius is {}, but a row gives {}", *claimed.radius,
                           extents_within_.least->value));
  }
}

void RowStatistics::check_counts() {
  const Statistics& claimed = statistics_->claimed;
  const std::int64_t n = statistics_->claim.graph.vertex_count();
  check_equal("number of vertices", claimed.vertices, n);
  check_equal("number of sources", claimed.sources, rows_);
  check_equal("number of targets", claimed.targets, n);
  check_equal("number of pairs", claimed.pairs, n > 0 ? rows_ * (n - 1) : 0);
  check_equal("number of reachable pairs", claimed.reachable_pairs, pairs_);
  check_equal("claim that every pair has a path", claimed.connected,
              pairs_ == (n > 0 ? rows_ * (n - 1) : 0));
}

void RowStatistics::check_distribution() {
  const Statistics& claimed = statistics_->claimed;
  const bool any = pairs_ > 0;
  const auto if_any = [&](double value) { return any ? std::optional(value) : std::nullopt; };
  check_value("least distance", claimed.least, if_any(least_));
  check_value("greatest distance", claimed.greatest, if_any(greatest_));
  check_near("mean", claimed.mean, sum_, pairs_);
  check_that(in_no_bar_ <= at_ends_.front() + at_ends_.back(),
             fmt::format("{} distances are in no bar of the histogram", in_no_bar_));
  for (std::size_t i = 0; i < bars_.size(); ++i) {
    const HistogramBin& bar = claimed.histogram[i];
    check_that(std::abs(bar.pairs - bars_[i]) <= at_ends_[i] + at_ends_[i + 1],
               fmt::format("the histogram has {} pairs from {} to {}, but the rows have {}",
                           bar.pairs, bar.low, bar.high, bars_[i]));
  }
  // Counters distinguish the exponents of f32; outside them any bound is accepted.
  constexpr double kMedianMost = 0x1p127;
  const bool ordinary = statistics_->scale() < kMedianMost &&
                        std::abs(claimed.least.value_or(1)) >= kMedianZero &&
                        std::abs(claimed.greatest.value_or(1)) >= kMedianZero;
  check_that(claimed.median_error >= 0 && (claimed.median_error <= kMedianError || !ordinary),
             fmt::format("the bound of the median's error is {}", claimed.median_error));
  const std::int64_t before = (pairs_ - 1) / 2;
  check_that(claimed.median.has_value() == any &&
                 (!any || (below_median_ <= before && up_to_median_ > before)),
             fmt::format("the median is {}, but {} of {} distances are less, and {} are not more",
                         shown(claimed.median), below_median_, pairs_, up_to_median_));
}

void RowStatistics::check_extents() {
  const Statistics& claimed = statistics_->claimed;
  const bool all = claimed.of_all();
  const auto value = [](const std::optional<RowExtent>& extent, bool wanted) {
    return extent && wanted ? std::optional(extent->value) : std::nullopt;
  };
  check_value("diameter", claimed.diameter, value(extents_.greatest, all));
  check_value("bound of the diameter", claimed.diameter_at_least, value(extents_.greatest, !all));
  check_pair("diameter", claimed.diameter_pair, extents_.greatest, of_diameter_);
  check_value("radius", claimed.radius, value(extents_within_.least, all));
  check_value("bound of the radius", claimed.radius_at_most, value(extents_within_.least, !all));
  check_pair("radius", claimed.radius_pair, extents_within_.least, of_radius_);
}

void RowStatistics::check_figures() {
  const Statistics& claimed = statistics_->claimed;
  const auto check = [&](const char* what, const std::optional<double>& figure, auto found,
                         double scale) {
    if (!figure) return;
    const double value = static_cast<double>(found);
    check_that(is_near(*figure, value, statistics_->slack, scale),
               fmt::format("the {} is {}, but the rows give {}", what, *figure, value));
  };
  const auto sum_of = [](const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0L);
  };
  check("characteristic path length", claimed.characteristic_path_length, sum_ / pairs_,
        statistics_->scale());
  const long double once = statistics_->claim.graph.directed() ? sum_ : sum_ / 2;
  constexpr long double kNone = std::numeric_limits<long double>::quiet_NaN();
  check("Wiener index", claimed.wiener_index, claimed.connected ? once : kNone,
        statistics_->scale());
  check("average eccentricity", claimed.average_eccentricity,
        sum_of(claimed.eccentricity) / static_cast<long double>(claimed.vertices),
        statistics_->scale());
  const long double efficiency = sum_of(claimed.harmonic) / static_cast<long double>(claimed.pairs);
  check("global efficiency", claimed.global_efficiency, efficiency, 0);
  check("harmonic mean distance", claimed.harmonic_mean_distance, 1 / efficiency, 0);
  const double ninety = 0.9 * static_cast<double>(pairs_);
  check_that(
      !claimed.effective_diameter || (static_cast<double>(below_effective_) < ninety &&
                                      static_cast<double>(up_to_effective_) >= ninety),
      fmt::format("the effective diameter is {}, but {} of {} distances are less, and {} "
                  "are not more",
                  shown(claimed.effective_diameter), below_effective_, pairs_, up_to_effective_));
}

void RowStatistics::check_component() {
  const std::optional<ComponentStatistics>& claimed = statistics_->claimed.component;
  check_equal("claim of a largest component", claimed.has_value(), statistics_->components > 1);
  if (!claimed) return;
  const std::int64_t pairs = statistics_->vertices * (statistics_->vertices - 1);
  check_equal("number of components", claimed->components, statistics_->components);
  check_equal("number of vertices of the component", claimed->vertices, statistics_->vertices);
  check_equal("number of pairs of the component", claimed->pairs, pairs);
  check_near("mean of the component", claimed->mean, sum_within_, pairs);
  const auto& greatest = extents_within_.greatest;
  check_value("diameter of the component", claimed->diameter,
              greatest ? std::optional(greatest->value) : std::nullopt);
  check_pair("diameter of the component", claimed->diameter_pair, greatest, of_component_);
}

ColumnStatistics::ColumnStatistics(const StatisticsClaim& statistics)
    : statistics_(&statistics),
      columns_(statistics.checks_columns()
                   ? static_cast<std::size_t>(statistics.claim.graph.vertex_count())
                   : 0) {}

void ColumnStatistics::add(Vertex source, const void* row, std::size_t begin, std::size_t end) {
  if (columns_.empty()) return;
  base::with_type(statistics_->claim.type, [&]<class T>() {
    const T* const values = static_cast<const T*>(row);
    for (std::size_t v = begin; v < end; ++v) {
      const auto distance = static_cast<double>(values[v]);
      if (v == source || distance == statistics_->claim.none) continue;  // min-plus: its sign is 1
      Column& column = columns_[v];
      ++column.reached;
      column.sum = base::sum(column.sum, distance);
      if (distance != 0) column.reciprocals = base::sum(column.reciprocals, 1 / distance);
    }
  });
}

void ColumnStatistics::check_totals(Tally& tally) const {
  const std::vector<double>& closeness = statistics_->claimed.closeness;
  const std::vector<double>& harmonic = statistics_->claimed.harmonic;
  const auto check = [&](const char* what, const std::vector<double>& claimed, Vertex v,
                         double found, double scale) {
    tally.count_tested(Check::statistics, 1);
    if (v < claimed.size() && is_near(claimed[v], found, 2 * statistics_->slack, scale)) return;
    tally.count_failure(Check::statistics, v, [&] {
      return fmt::format("the {} of {} is {}, but the rows give {}", what,
                         statistics_->claim.graph.name(v),
                         v < claimed.size() ? fmt::format("{}", claimed[v]) : "missing", found);
    });
  };
  for (Vertex v = 0; v < columns_.size(); ++v) {
    const Column& column = columns_[v];
    const double sum = column.sum.high + column.sum.low;
    const auto reached = static_cast<double>(column.reached);
    const double others = static_cast<double>(columns_.size()) - 1;
    const double close = sum > 0 ? reached / sum * (reached / others) : 0.0;
    check("closeness", closeness, v, close,
          sum > 0 ? close * statistics_->scale() * reached / sum : 0.0);
    // Reciprocals beyond the range of doubles are infinite, with a NaN as their rounding error.
    const double reciprocals = column.reciprocals.high + column.reciprocals.low;
    check("harmonic centrality", harmonic, v,
          std::isnan(reciprocals) ? std::numeric_limits<double>::infinity() : reciprocals, 0);
  }
}

}  // namespace apsp::verifier
