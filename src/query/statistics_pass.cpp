// Columns are cut into strips, one thread a strip and band, so that every column is summed by one
// thread in the order of its rows: the result depends neither on the number of threads nor on how
// rows are grouped into bands. Counts, minima and maxima are exact in any order, and sums of
// integers are exact in doubles: n · 2^30 stays under 2^53.
#include "query/statistics_pass.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "base/aligned_memory.hpp"
#include "base/machine.hpp"
#include "base/team.hpp"
#include "query/distribution.hpp"
#include "query/row_sweep.hpp"
#include "semiring/dispatch.hpp"

namespace apsp::query {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Columns of a strip: the widest whose totals, 20 B each, rest in a first-level cache of 32 KiB
/// beside the rows; the narrowest fills its cache lines alone.
constexpr std::int64_t kWidestStrip = 1024;
constexpr std::int64_t kNarrowestStrip = 64;
/// Bands of fewer values than this, some 30 µs of work, are not worth waking threads for.
constexpr std::int64_t kSmallBand = 1 << 14;

/// What one thread counts alone.
struct Part {
  base::AlignedMemory counts;    // [cells] of int64
  std::vector<double> greatest;  // [rows of the band]
  Range<double> range = {kInfinity, -kInfinity};
};

/// A candidate for diameter or radius; of equal ones the first row wins.
struct Extreme {
  double value = 0;
  VertexPair pair;
};

bool integral_values(const Graph& graph, ValueType type) {
  const bool integers = type == ValueType::i32 || type == ValueType::u16;
  return integers || graph.weight_facts().integral;
}

}  // namespace

struct StatisticsPass::State {
  State(const Graph& graph, Semiring semiring_, ValueType type_, double greatest_possible,
        int threads_)
      : n(graph.vertex_count()),
        semiring(semiring_),
        type(type_),
        threads(base::thread_count(threads_)),
        sweep(row_sweep(semiring_, type_)),
        cells(integral_values(graph, type_), greatest_possible),
        sum(static_cast<std::size_t>(n)),
        harmonic(static_cast<std::size_t>(n)),
        reached(static_cast<std::size_t>(n)),
        eccentricity(static_cast<std::size_t>(n)) {
    const std::int64_t width = (n / threads + kNarrowestStrip) / kNarrowestStrip * kNarrowestStrip;
    strip = std::min(width, kWidestStrip);
    for (int i = 0; i < threads; ++i) parts.emplace_back();
    if (semiring == Semiring::or_and) return;
    for (Part& part : parts) {
      part.counts = base::AlignedMemory(cells.count() * std::int64_t{sizeof(std::int64_t)});
    }
  }

  template <class S>
  void add(std::int64_t first_row, std::int64_t rows, const typename S::Value* values,
           std::int64_t stride);
  template <class S>
  void add_stretch(const typename S::Value* row, std::int64_t begin, std::int64_t end, Part& part,
                   double& row_greatest);
  template <class S>
  void note_eccentricities(std::int64_t first_row, std::int64_t rows,
                           const typename S::Value* values, std::int64_t stride);
  void fill_distribution(Statistics& statistics) const;
  void fill_centralities(Statistics& statistics) const;

  std::int64_t n;
  Semiring semiring;
  ValueType type;
  int threads;
  RowSweep sweep;
  ValueCells cells;
  std::int64_t strip;
  std::vector<Part> parts;             // [threads]
  std::vector<double> sum;             // [n] of incoming distances
  std::vector<double> harmonic;        // [n]
  std::vector<std::uint32_t> reached;  // [n] sources with a path to the column
  std::vector<double> eccentricity;    // [n]
  std::optional<Extreme> diameter;
  std::optional<Extreme> radius;
};

/// Columns [begin, end) of a row, none of them on the diagonal.
template <class S>
void StatisticsPass::State::add_stretch(const typename S::Value* row, std::int64_t begin,
                                        std::int64_t end, Part& part, double& row_greatest) {
  if (begin >= end) return;
  const ColumnTotals totals{sum.data() + begin, harmonic.data() + begin, reached.data() + begin};
  const Range<double> found =
      sweep(row + begin, end - begin, totals, cells, part.counts.as<std::int64_t>());
  if (found.least > found.greatest) return;
  part.range.least = std::min(part.range.least, found.least);
  row_greatest = std::max(row_greatest, found.greatest);
}

template <class S>
void StatisticsPass::State::add(std::int64_t first_row, std::int64_t rows,
                                const typename S::Value* values, std::int64_t stride) {
  const int used = n * rows < kSmallBand ? 1 : threads;
  base::share_items((n + strip - 1) / strip, used, [&](std::int64_t item, int member) {
    Part& part = parts[static_cast<std::size_t>(member)];
    const std::int64_t begin = item * strip;
    const std::int64_t end = std::min(begin + strip, n);
    for (std::int64_t i = 0; i < rows; ++i) {
      const std::int64_t diagonal = first_row + i;
      double& greatest = part.greatest[static_cast<std::size_t>(i)];
      add_stretch<S>(values + i * stride, begin, std::min(end, diagonal), part, greatest);
      add_stretch<S>(values + i * stride, std::max(begin, diagonal + 1), end, part, greatest);
    }
  });
  if constexpr (S::kKind != Semiring::or_and) {
    note_eccentricities<S>(first_row, rows, values, stride);
  }
}

/// Rows' greatest values, and whether the band holds a diameter or a radius. Only then is a row
/// looked through for the column that attains it.
template <class S>
void StatisticsPass::State::note_eccentricities(std::int64_t first_row, std::int64_t rows,
                                                const typename S::Value* values,
                                                std::int64_t stride) {
  std::int64_t farthest = -1;
  std::int64_t nearest = -1;
  for (std::int64_t i = 0; i < rows; ++i) {
    double greatest = -kInfinity;
    for (const Part& part : parts) {
      greatest = std::max(greatest, part.greatest[static_cast<std::size_t>(i)]);
    }
    if (greatest == -kInfinity) continue;  // reaches nobody
    parts[0].range.greatest = std::max(parts[0].range.greatest, greatest);
    const auto of = [&](std::int64_t row) -> double& {
      return eccentricity[static_cast<std::size_t>(first_row + row)];
    };
    of(i) = greatest;
    if (farthest < 0 || greatest > of(farthest)) farthest = i;
    if (nearest < 0 || greatest < of(nearest)) nearest = i;
  }
  if constexpr (S::kKind == Semiring::min_plus) {
    const auto keep = [&](std::optional<Extreme>& best, std::int64_t i, double sign) {
      if (i < 0) return;
      const auto from = static_cast<Vertex>(first_row + i);
      const double value = eccentricity[from];
      if (best && sign * best->value > sign * value) return;
      if (best && best->value == value && best->pair.from < from) return;
      const auto* const row = values + i * stride;
      std::int64_t to = 0;
      while (to == from || row[to] == S::zero() || static_cast<double>(row[to]) != value) ++to;
      best = Extreme{value, {from, static_cast<Vertex>(to)}};
    };
    keep(diameter, farthest, 1);
    keep(radius, nearest, -1);
  }
}

void StatisticsPass::State::fill_distribution(Statistics& statistics) const {
  Range<double> range = {kInfinity, -kInfinity};
  for (const Part& part : parts) {
    range.least = std::min(range.least, part.range.least);
    range.greatest = std::max(range.greatest, part.range.greatest);
  }
  if (range.least > range.greatest) return;
  Distribution distribution{cells, cells.of(range.least), {}, range.least, range.greatest};
  const std::int64_t last = cells.of(range.greatest);
  distribution.counts.resize(static_cast<std::size_t>(last - distribution.first + 1));
  for (const Part& part : parts) {
    const auto* const counts = part.counts.as<std::int64_t>() + distribution.first;
    std::transform(counts, counts + distribution.counts.size(), distribution.counts.begin(),
                   distribution.counts.begin(), std::plus<>());
  }
  long double total = 0;
  for (const double column : sum) total += static_cast<long double>(column);
  const Median middle = median(distribution);
  statistics.least = range.least;
  statistics.greatest = range.greatest;
  statistics.mean =
      static_cast<double>(total / static_cast<long double>(statistics.reachable_pairs));
  statistics.median = middle.value;
  statistics.median_error = middle.error;
  statistics.histogram = histogram(distribution);
}

void StatisticsPass::State::fill_centralities(Statistics& statistics) const {
  if (diameter) {
    statistics.diameter = diameter->value;
    statistics.diameter_pair = diameter->pair;
    statistics.radius = radius->value;
    statistics.radius_pair = radius->pair;
  }
  statistics.eccentricity = eccentricity;
  if (statistics.least && *statistics.least < 0) return;
  statistics.harmonic = harmonic;
  statistics.closeness.assign(static_cast<std::size_t>(n), 0);
  for (std::size_t v = 0; v < statistics.closeness.size(); ++v) {
    if (sum[v] <= 0) continue;
    const double from = reached[v];
    statistics.closeness[v] = from / sum[v] * (from / static_cast<double>(n - 1));
  }
}

StatisticsPass::StatisticsPass(const Graph& graph, Semiring semiring, ValueType type,
                               double greatest_possible, int threads)
    : state_(std::make_unique<State>(graph, semiring, type, greatest_possible, threads)) {}

StatisticsPass::~StatisticsPass() = default;

void StatisticsPass::add_rows(std::int64_t first_row, std::int64_t rows, const void* values,
                              std::int64_t stride) {
  for (Part& part : state_->parts) {
    part.greatest.assign(static_cast<std::size_t>(rows), -kInfinity);
  }
  semiring::dispatch(state_->semiring, state_->type, [&]<class S>() {
    state_->add<S>(first_row, rows, static_cast<const typename S::Value*>(values), stride);
  });
}

Statistics StatisticsPass::finish() {
  Statistics statistics;
  statistics.vertices = state_->n;
  statistics.pairs = state_->n * std::max<std::int64_t>(state_->n - 1, 0);
  for (const std::uint32_t reached : state_->reached) statistics.reachable_pairs += reached;
  statistics.connected = statistics.reachable_pairs == statistics.pairs;
  if (state_->semiring == Semiring::or_and) return statistics;
  state_->fill_distribution(statistics);
  if (state_->semiring == Semiring::min_plus) state_->fill_centralities(statistics);
  return statistics;
}

}  // namespace apsp::query
