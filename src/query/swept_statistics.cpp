#include "query/swept_statistics.hpp"

#include <algorithm>
#include <functional>
#include <mutex>
#include <vector>

#include "query/statistics_found.hpp"
#include "query/swept_counter.hpp"
#include "query/swept_whole.hpp"

namespace apsp::query {

void SweptTotals::add(const SweptTotals& other, const ValueCells& cells) {
  if (other.range.least > other.range.greatest && other.counts.bytes() > 0) return;
  const std::int64_t first = other.first_in_range(cells);
  const auto count = static_cast<std::int64_t>(other.cells_in_range(cells));
  const auto* const theirs = other.counts.as<std::int64_t>() + first;
  auto* const mine = counts.as<std::int64_t>() + first;
  for (std::int64_t i = 0; i < count; ++i) {
    if (theirs[i] != 0) mine[i] += theirs[i];
  }
  sum.add(other.sum);
  harmonic.add(other.harmonic);
  std::transform(reached.begin(), reached.end(), other.reached.begin(), reached.begin(),
                 std::plus<>());
  for (std::size_t v = 0; v < farthest.size(); ++v) {
    farthest[v].raise(other.farthest[v].distance, other.farthest[v].vertex);
  }
  range.least = std::min(range.least, other.range.least);
  range.greatest = std::max(range.greatest, other.range.greatest);
}

void SweptTotals::write(base::ByteWriter& to, const ValueCells& cells) const {
  to.put(range);
  to.put_all(std::span(counts.as<std::int64_t>() + first_in_range(cells), cells_in_range(cells)));
  sum.write(to);
  harmonic.write(to);
  to.put_all(std::span<const std::uint32_t>(reached));
  to.put_all(std::span<const Farthest>(farthest));
}

void SweptTotals::read(base::ByteReader& from, const ValueCells& cells) {
  range = from.get<Extremes<double>>();
  const auto counted = from.get_all<std::int64_t>();
  std::copy(counted.begin(), counted.end(), counts.as<std::int64_t>() + first_in_range(cells));
  sum.read(from);
  harmonic.read(from);
  reached = from.get_all<std::uint32_t>();
  farthest = from.get_all<Farthest>();
}

struct SweptStatistics::State {
  State(const Graph& graph, Semiring semiring, ValueType type, double greatest_possible,
        bool pairs_once, const store::Selection& selection_)
      : selection(selection_),
        cells(integral_values(graph, type), greatest_possible),
        problem{graph.vertex_count(), semiring, type, pairs_once, cells} {}

  /// Shortest paths in whole numbers.
  bool whole() const {
    constexpr std::int64_t kMost = std::int64_t{1} << 27;
    const bool integers = problem.type == ValueType::u16 || problem.type == ValueType::i32;
    return integers && problem.semiring == Semiring::min_plus && problem.n > 0 &&
           problem.n <= kMost;
  }
  std::unique_ptr<SweptCounter> make() const {
    return whole() ? whole_counter(problem) : any_counter(problem);
  }
  SweptTotals no_totals() const {
    return {problem.n, problem.semiring == Semiring::or_and ? 0 : cells.count()};
  }
  /// What all threads counted, in the counter of one of them.
  SweptTotals& whole_totals() {
    if (all != nullptr) return *all;
    if (counters.empty()) counters.push_back(make());
    all = &counters.front()->totals();
    for (std::size_t i = 1; i < counters.size(); ++i) {
      all->add(counters[i]->totals(), cells);
      counters[i].reset();
    }
    return *all;
  }

  store::Selection selection;
  ValueCells cells;
  SweptProblem problem;
  std::mutex mutex;
  std::vector<std::unique_ptr<SweptCounter>> counters;
  SweptTotals* all = nullptr;  // of all counters, once they are added up
};

SweptStatistics::SweptStatistics(const Graph& graph, Semiring semiring, ValueType type,
                                 double greatest_possible, bool pairs_once,
                                 const store::Selection& selection)
    : state_(std::make_unique<State>(graph, semiring, type, greatest_possible, pairs_once,
                                     selection)) {}

SweptStatistics::~SweptStatistics() = default;

bool SweptStatistics::pairs_once() const { return state_->problem.pairs_once; }

store::ColumnSink::Writer& SweptStatistics::part() {
  std::unique_ptr<SweptCounter> counter = state_->make();
  const std::lock_guard lock(state_->mutex);
  state_->counters.push_back(std::move(counter));
  return *state_->counters.back();
}

std::int64_t SweptStatistics::count_limit() const {
  return state_->whole() && !state_->problem.pairs_once
             ? std::min(state_->cells.limit(), kWholeLimit)
             : 0;
}

void SweptStatistics::take_counted(const store::CountedDistances& counted) {
  const std::lock_guard lock(state_->mutex);
  state_->counters.push_back(counted_counter(state_->problem, counted));
}

base::ByteVector SweptStatistics::found() const {
  base::ByteWriter writer;
  state_->whole_totals().write(writer, state_->cells);
  return writer.take();
}

void SweptStatistics::add_found(std::span<const std::byte> found) {
  SweptTotals theirs = state_->no_totals();
  base::ByteReader reader(found);
  theirs.read(reader, state_->cells);
  state_->whole_totals().add(theirs, state_->cells);
}

Statistics SweptStatistics::statistics() {
  SweptTotals& all = state_->whole_totals();
  const auto cells = static_cast<std::size_t>(all.counts.bytes()) / sizeof(std::int64_t);
  const std::span<std::int64_t> counts{all.counts.as<std::int64_t>(), cells};
  if (state_->problem.pairs_once) {
    for (std::int64_t& count : all.counts_in_range(state_->cells)) count *= 2;
  }
  std::optional<Extreme> diameter, radius;
  std::vector<double> eccentricity(all.farthest.size());
  for (std::size_t v = 0; v < eccentricity.size(); ++v) {
    const auto [distance, to] = all.farthest[v];
    if (to == kNoVertex) continue;
    const auto from = static_cast<Vertex>(v);
    eccentricity[v] = distance;
    if (comes_first(diameter, distance, from, 1)) diameter = Extreme{distance, {from, to}};
    if (comes_first(radius, distance, from, -1)) radius = Extreme{distance, {from, to}};
  }
  return statistics_of({.n = state_->problem.n,
                        .selection = state_->selection,
                        .semiring = state_->problem.semiring,
                        .cells = state_->cells,
                        .counts = counts,
                        .columns = {},
                        .sum = all.sum,
                        .harmonic = all.harmonic,
                        .reached = all.reached,
                        .range = all.range,
                        .diameter = diameter,
                        .radius = radius,
                        .eccentricity = eccentricity});
}

}  // namespace apsp::query
