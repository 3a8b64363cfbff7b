#include "statistics/column_statistics.hpp"

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "statistics/column_counter.hpp"
#include "statistics/integer_columns.hpp"

namespace apsp::statistics {

struct SweptStatistics::State {
  State(const Graph& graph, Semiring semiring, ValueType type, double greatest_possible,
        bool pairs_once, const store::Selection& selection)
      : problem{{graph, semiring, type, greatest_possible, selection}, pairs_once} {
    if (problem.counts_within) problem.within.resize(static_cast<std::size_t>(problem.n));
  }

  bool whole() const {
    constexpr std::int64_t kMost = std::int64_t{1} << 27;
    const bool integers = problem.type == ValueType::u16 || problem.type == ValueType::i32;
    return integers && problem.semiring == Semiring::min_plus && problem.n > 0 &&
           problem.n <= kMost;
  }
  std::unique_ptr<ColumnCounter> make() const {
    return whole() ? whole_counter(problem) : any_counter(problem);
  }
  void add(ColumnCounts&& found) {
    if (!all) {
      all = std::move(found);
    } else {
      all->add(found, problem.cells);
    }
  }
  /// Adds up the counts of all threads and destroys their counters.
  ColumnCounts& whole_totals() {
    if (!all && counters.empty()) counters.push_back(make());
    for (const auto& counter : counters) add(std::move(counter->totals()));
    counters.clear();
    return *all;
  }

  CountedColumns problem;
  std::mutex mutex;
  std::vector<std::unique_ptr<ColumnCounter>> counters;
  std::optional<ColumnCounts> all;
};

SweptStatistics::SweptStatistics(const Graph& graph, Semiring semiring, ValueType type,
                                 double greatest_possible, bool pairs_once,
                                 const store::Selection& selection)
    : state_(std::make_unique<State>(graph, semiring, type, greatest_possible, pairs_once,
                                     selection)) {}

SweptStatistics::~SweptStatistics() = default;

bool SweptStatistics::pairs_once() const { return state_->problem.pairs_once; }

flow::ColumnSink::Writer& SweptStatistics::part() {
  std::unique_ptr<ColumnCounter> counter = state_->make();
  const std::lock_guard lock(state_->mutex);
  state_->counters.push_back(std::move(counter));
  return *state_->counters.back();
}

std::int64_t SweptStatistics::count_limit() const {
  return state_->whole() && !state_->problem.pairs_once
             ? std::min(state_->problem.cells.limit(), kWholeLimit)
             : 0;
}

bool SweptStatistics::takes_placed() const {
  return state_->problem.semiring == Semiring::min_plus && !state_->problem.pairs_once;
}

std::span<const std::uint8_t> SweptStatistics::component() const {
  const CountedColumns& problem = state_->problem;
  return problem.counts_within ? std::span<const std::uint8_t>(problem.component->holds)
                               : std::span<const std::uint8_t>();
}

void SweptStatistics::take_counted(const flow::CountedDistances& counted) {
  const std::lock_guard lock(state_->mutex);
  state_->add(counted_totals(state_->problem, counted));
  for (std::size_t v = 0; v < counted.within.size(); ++v) {
    const kernels::ColumnWithin& from = counted.within[v];
    if (from.greatest < 0) continue;
    FromWithin& within = state_->problem.within[v];
    within.farthest.raise(from.greatest, from.label);
    within.sum = base::sum(base::sum(within.sum, from.high), from.low);
  }
}

base::ByteVector SweptStatistics::found() const {
  base::ByteWriter writer;
  state_->whole_totals().write(writer, state_->problem.cells);
  writer.put(state_->problem.within);
  return writer.take();
}

void SweptStatistics::add_found(std::span<const std::byte> found) {
  ColumnCounts theirs = state_->problem.no_totals();
  base::ByteReader reader(found);
  theirs.read(reader, state_->problem.cells);
  state_->whole_totals().add(theirs, state_->problem.cells);
  const auto within = reader.get_all<FromWithin>();
  for (std::size_t v = 0; v < within.size(); ++v) {
    FromWithin& from = state_->problem.within[v];
    from.farthest.raise(within[v].farthest);
    from.sum = base::sum(base::sum(from.sum, within[v].sum.high), within[v].sum.low);
  }
}

Statistics SweptStatistics::statistics() {
  ColumnCounts& all = state_->whole_totals();
  if (state_->problem.pairs_once) {
    for (std::int64_t& count : all.counts_in_range(state_->problem.cells)) count *= 2;
  }
  const CountedColumns& problem = state_->problem;
  ExtremeRows extremes, extremes_within;
  WithinComponent within(std::ssize(problem.within));
  std::vector<double> eccentricity(all.farthest.size());
  for (std::size_t v = 0; v < eccentricity.size(); ++v) {
    const auto [distance, to] = all.farthest[v];
    if (to == kNoVertex) continue;
    eccentricity[v] = distance;
    const auto from = static_cast<Vertex>(v);
    const Extreme row{distance, {from, to}};
    extremes.note(row);
    if (!problem.is_within(from)) continue;
    if (!problem.counts_within) {
      extremes_within.note(row);
    } else if (const auto& [farthest, sum] = problem.within[v]; farthest.vertex != kNoVertex) {
      extremes_within.note({farthest.distance, {from, farthest.vertex}});
      within.greatest[v] = farthest.distance;
      within.sums[v] = sum;
    }
  }
  return statistics_of({.matrix = state_->problem,
                        .columns = {},
                        .totals = all,
                        .extremes = extremes,
                        .extremes_within = extremes_within,
                        .within = within,
                        .eccentricity = eccentricity});
}

}  // namespace apsp::statistics
