#include "statistics/column_statistics.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "base/double_double.hpp"
#include "semiring/semirings.hpp"
#include "statistics/lane_memory.hpp"
#include "statistics/row_counter.hpp"
#include "statistics/totals.hpp"
#include "system/aligned_memory.hpp"

namespace apsp::statistics {
namespace {

/// Outlives its counters.
struct CountedColumns : CountedMatrix {
  bool pairs_once = false;
  /// [n] by source, or none. Each element has one writer: the counter of its block.
  std::span<DistancesWithin> within{};

  Totals no_totals() const { return {n, n, cell_count, n}; }
};

/// Counts of one thread, by blocks of sources.
class ColumnCounter : public flow::ColumnSink::Writer {
 public:
  explicit ColumnCounter(const CountedColumns& problem)
      : problem_(problem), totals_(problem.no_totals()) {}

  /// Called once, after all blocks. `pairs_once`: only `counts` has each pair once, not twice.
  virtual Totals& totals() = 0;

  void begin(std::span<const Vertex> sources) override {
    sources_ = sources;
    first_source_ = sources.empty() ? 0 : *std::min_element(sources.begin(), sources.end());
  }

 protected:
  /// Adds the distances from a source to the vertices of the component.
  void add_within(Vertex source, const DistancesWithin& found) {
    totals_.farthest[source].add(found.farthest);
    if (problem_.is_within(source)) problem_.within[source].add(found);
  }

  const CountedColumns& problem_;
  std::span<const Vertex> sources_;
  Vertex first_source_ = 0;
  Totals totals_;
};

/// Totals of a block, one source a lane.
struct LaneSums {
  LaneSums(std::int64_t lanes, std::int64_t n)
      : sum(lanes, n), harmonic(lanes, n), reached(static_cast<std::size_t>(lanes)) {}

  ColumnSums sum, harmonic;
  std::vector<std::uint32_t> reached;
};

struct FarthestLanes {
  void begin(const RowOperations& row, std::int64_t lanes, std::int64_t value_size) {
    if (lanes * value_size > greatest.bytes()) greatest = system::AlignedMemory(lanes * value_size);
    row.begin(greatest.data(), lanes);
    vertex.assign(static_cast<std::size_t>(lanes), kNoVertex);
  }
  Farthest at(const RowOperations& row, std::size_t lane) const {
    if (vertex[lane] == kNoVertex) return {};
    return {row.greatest_at(greatest.data(), static_cast<std::int64_t>(lane)), vertex[lane]};
  }

  system::AlignedMemory greatest;
  std::vector<Vertex> vertex;  // [lanes] smallest vertex at that distance
};

class AnyCounter final : public ColumnCounter {
 public:
  explicit AnyCounter(const CountedColumns& problem)
      : ColumnCounter(problem),
        size_(size_of(problem.type)),
        row_(row_operations(problem.semiring, problem.type)),
        lane_of_(static_cast<std::size_t>(problem.n), -1),
        tables_(count_tables(problem.cells)),
        // Touches few bins: on huge pages four tables took 8 MiB and more of every thread.
        counts_(system::AlignedMemory::on_small_pages(
            tables_ == 1 ? 0 : tables_ * totals_.counts.bytes())) {}

  void begin(std::span<const Vertex> sources) override {
    ColumnCounter::begin(sources);
    const auto count = std::ssize(sources);
    for (std::int64_t i = 0; i < count; ++i) {
      lane_of_[sources[static_cast<std::size_t>(i)]] = static_cast<std::int32_t>(i);
    }
    lanes_.emplace(count, problem_.n);
    if (count * size_ > copy_.bytes()) copy_ = system::AlignedMemory(count * size_);
    farthest_.begin(row_, count, size_);
    if (!problem_.counts_within) return;
    farthest_within_.begin(row_, count, size_);
    high_within_.assign(sources.size(), 0);
    low_within_.assign(sources.size(), 0);
  }

  void take(std::span<const Vertex> vertices, const void* values, std::int64_t lanes) override {
    const auto* row = static_cast<const std::byte*>(values);
    for (const Vertex vertex : vertices) {
      count_row(vertex, row);
      row += lanes * size_;
    }
  }

  void end() override {
    if (problem_.pairs_once) {
      totals_.sum.add(lanes_->sum, sources_);
      totals_.harmonic.add(lanes_->harmonic, sources_);
    }
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      const Vertex source = sources_[i];
      lane_of_[source] = -1;
      if (problem_.pairs_once) totals_.reached[source] += lanes_->reached[i];
      totals_.farthest[source].add(farthest_.at(row_, i));
      if (!problem_.counts_within) continue;
      add_within(source, {farthest_within_.at(row_, i), {high_within_[i], low_within_[i]}});
    }
  }

  Totals& totals() override {
    if (tables_ == 1 || totals_.range.least > totals_.range.greatest) return totals_;
    const auto all = totals_.counts_in_range(problem_.cells);
    const std::int64_t first = all.data() - totals_.counts.as<std::int64_t>();
    for (std::int64_t table = 0; table < tables_; ++table) {
      const std::int64_t* const counts =
          counts_.as<std::int64_t>() + table * problem_.cells.count() + first;
      for (std::size_t i = 0; i < all.size(); ++i) all[i] += counts[i];
    }
    return totals_;
  }

 private:
  void count_row(Vertex vertex, const void* given) {
    const void* row = given;
    std::int64_t cols = std::ssize(sources_);
    const std::int64_t own = lane_of_[vertex];
    if (own >= 0 && problem_.pairs_once) {
      cols = own;
    } else if (own >= 0) {
      row_.copy_without(row, cols, own, copy_.data());
      row = copy_.data();
    }
    const Extremes<double> found =
        row_.count(row, cols, problem_.cells, tables_,
                   (tables_ == 1 ? totals_.counts : counts_).as<std::int64_t>());
    const ColumnTotals across = totals_.columns();
    const ColumnTotals down{lanes_->sum, lanes_->harmonic, lanes_->reached.data()};
    row_.add(row, cols, found, &across, vertex, problem_.pairs_once ? &down : nullptr, 0);
    if (found.least > found.greatest) return;
    totals_.widen(found);
    if (problem_.semiring != Semiring::min_plus) return;
    const bool within = problem_.counts_within && problem_.is_within(vertex);
    FarthestLanes& lanes = within ? farthest_within_ : farthest_;
    row_.raise(row, cols, vertex, lanes.greatest.data(), lanes.vertex.data());
    // Includes the distance from a source to itself, which is 0.
    if (within) row_.add_lanes(given, cols, high_within_.data(), low_within_.data());
    if (problem_.pairs_once) note_farthest(vertex, row, cols, found.greatest);
  }

  void note_farthest(Vertex vertex, const void* row, std::int64_t cols, double greatest) {
    Farthest& farthest = totals_.farthest[vertex];
    if (!farthest.is_raised_by(greatest, first_source_)) return;
    farthest.add(greatest, row_.first_at(row, cols, greatest, sources_.data()));
  }

  std::int64_t size_;
  RowOperations row_;
  std::vector<std::int32_t> lane_of_;  // [n] lane of a source; −1: none
  std::optional<LaneSums> lanes_;
  system::AlignedMemory copy_;
  FarthestLanes farthest_, farthest_within_;      // to all other vertices; within the component
  std::vector<double> high_within_, low_within_;  // [sources] sums within the component
  std::int64_t tables_;
  system::AlignedMemory counts_;  // [tables, cells] of int64; empty: one table, in totals_
};

/// Totals of a vertex, in one cache line.
struct alignas(64) VertexTotals : LaneTotals {
  std::int32_t lane = 0;  // of a source
  Farthest farthest;
};
static_assert(sizeof(VertexTotals) == 64);

base::DoubleDouble rounded(Int128 units, int unit) {
  const auto high = static_cast<double>(units);
  const auto low = static_cast<double>(units - static_cast<Int128>(high));
  return {std::ldexp(high, unit), std::ldexp(low, unit)};
}

/// Counts distances ≥ 0 of min-plus in vectors, for up to 2^27 vertices (lane_counts.hpp).
/// `AnyCounter` counts rows with other distances.
template <class T>
class LaneCounter final : public ColumnCounter {
 public:
  explicit LaneCounter(const CountedColumns& problem)
      : ColumnCounter(problem),
        vertices_(static_cast<std::size_t>(problem.n)),
        is_source_(static_cast<std::size_t>(problem.n)),
        tables_(problem.cells),
        count_(count_lanes<T>(problem.pairs_once ? LaneDown::all : LaneDown::nothing)),
        count_within_(count_lanes<T>(LaneDown::sums)) {}

  void begin(std::span<const Vertex> sources) override {
    ColumnCounter::begin(sources);
    for (std::size_t i = 0; i < sources.size(); ++i) {
      vertices_[sources[i]].lane = static_cast<std::int32_t>(i);
      is_source_[sources[i]] = true;
    }
    lanes_.begin(std::ssize(sources));
    if (problem_.counts_within) {
      within_.begin(std::ssize(sources));
      sums_within_.assign(sources.size(), 0);
    }
    rest_begun_ = false;
  }

  void take(std::span<const Vertex> vertices, const void* values, std::int64_t lanes) override {
    const auto* row = static_cast<const T*>(values);
    for (const Vertex& vertex : vertices) {
      if (!count_row(vertex, row)) leave({&vertex, 1}, row, lanes);
      row += lanes;
    }
  }

  void end() override {
    empty_lanes();
    empty_within();
    if (rest_begun_) rest_->end();
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      const Vertex source = sources_[i];
      is_source_[source] = false;
      const auto farthest = [i](const Lanes<T>& of) {
        return of.farthest[i] == kNoVertex
                   ? Farthest{}
                   : Farthest{static_cast<double>(of.greatest[i]), of.farthest[i]};
      };
      vertices_[source].farthest.add(farthest(lanes_.totals));
      if (!problem_.counts_within || within_.totals.farthest[i] == kNoVertex) continue;
      add_within(source,
                 {farthest(within_.totals), rounded(sums_within_[i], tables_.counts().sum.unit)});
    }
  }

  Totals& totals() override {
    tables_.emit(totals_);
    for (std::size_t v = 0; v < vertices_.size(); ++v) {
      tables_.put(vertices_[v], static_cast<std::int64_t>(v), totals_);
      totals_.farthest[v].add(vertices_[v].farthest);
    }
    vertices_ = {};
    if (rest_) totals_.merge(rest_->totals(), problem_.cells);
    return totals_;
  }

 private:
  /// Returns false if the row has other distances; then nothing was counted.
  bool count_row(Vertex v, const T* row) {
    if (lanes_.used() > kMostLanes<T>) return false;
    VertexTotals& vertex = vertices_[v];
    __builtin_prefetch(&vertex, 1);  // needed after the row
    if (is_source_[v] || lanes_.used() != std::ssize(sources_)) {
      const std::int64_t own = is_source_[v] ? vertex.lane : -1;
      row = lanes_.copy(row, own >= 0 && problem_.pairs_once ? own : std::ssize(sources_), own);
    }
    const bool is_within = problem_.counts_within && problem_.is_within(v);
    LaneMemory<T>& lanes = is_within ? within_ : lanes_;
    if (lanes.is_full()) is_within ? empty_within() : empty_lanes();
    const CountLanes<T> count = is_within ? count_within_ : count_;
    const LaneRow<T> found =
        tables_.count(lanes_.used(), totals_, [&](const LaneCounts<T>& counts) {
          return count(row, lanes_.used(), v, lanes.totals, counts);
        });
    if (found.reached == 0) return found.taken;
    lanes.note_row();
    tables_.add(found, vertex);
    if (problem_.pairs_once) note_farthest(vertex, row, found.greatest);
    return true;
  }

  void leave(std::span<const Vertex> vertex, const T* row, std::int64_t lanes) {
    if (!rest_) rest_ = std::make_unique<AnyCounter>(problem_);
    if (!rest_begun_) rest_->begin(sources_);
    rest_begun_ = true;
    rest_->take(vertex, row, lanes);
  }

  void note_farthest(VertexTotals& vertex, const T* row, T greatest) {
    if (!vertex.farthest.is_raised_by(static_cast<double>(greatest), first_source_)) return;
    Vertex first = kNoVertex;
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      const Vertex source = row[i] == greatest ? sources_[i] : kNoVertex;
      first = source < first ? source : first;
    }
    vertex.farthest.add(static_cast<double>(greatest), first);
  }

  void empty_lanes() {
    for (std::size_t i = 0; problem_.pairs_once && i < sources_.size(); ++i) {
      tables_.add(lanes_.lane(static_cast<std::int64_t>(i)), vertices_[sources_[i]]);
    }
    lanes_.clear_sums();
  }
  void empty_within() {
    for (std::size_t i = 0; i < sums_within_.size(); ++i) {
      sums_within_[i] += tables_.counts().sum.units(within_.lane(static_cast<std::int64_t>(i)).sum);
    }
    if (problem_.counts_within) within_.clear_sums();
  }

  std::vector<VertexTotals> vertices_;
  std::vector<bool> is_source_;  // [n]
  LaneTables<T> tables_;
  CountLanes<T> count_, count_within_;   // the second: for rows of the component
  LaneMemory<T> lanes_, within_;         // to all other vertices; within the component
  std::vector<Int128> sums_within_;      // [sources]
  std::unique_ptr<ColumnCounter> rest_;  // of rows with other distances
  bool rest_begun_ = false;
};

/// Integers below 2^21 have exact sums (lane_counts.hpp).
void set_sums(Totals& totals, Vertex v, const kernels::RowTotals& of) {
  *totals.sum.whole_numbers(v).held[0].sums = static_cast<double>(of.sum);
  *totals.harmonic.slice(-1, v).sums = of.reciprocals.upper();
  *totals.harmonic.slice(-2, v).sums = of.reciprocals.lower();
  totals.reached[v] = static_cast<std::uint32_t>(of.reached);
}

/// Adds a device's sums of one vertex, in units of each slice, to a column.
void put(ColumnSums& sums, const base::SliceRange& range, Vertex v, const std::int64_t* units) {
  for (int i = 0; i < range.count(); ++i) {
    *sums.slice(range.top() - i, v).sums = static_cast<double>(units[i]) * range.unit_of(i);
  }
}

/// Converts the counts of a device. Requires: not `pairs_once`.
Totals counted_totals(const CountedColumns& problem, const flow::CountedDistances& counted) {
  Totals totals = problem.no_totals();
  totals.farthest = counted.from;
  for (Vertex v = 0; v < counted.to.size(); ++v) set_sums(totals, v, counted.to[v]);
  auto* const cells = totals.counts.as<std::int64_t>();
  for (std::size_t i = 0; i < counted.counts.size(); ++i) {
    if (counted.counts[i] == 0) continue;
    const auto low = counted.binned ? counted.binned->bins.low(static_cast<std::int64_t>(i))
                                    : static_cast<double>(i);
    cells[problem.cells.of(low)] += counted.counts[i];
    if (!counted.binned) totals.widen({low, low});
  }
  if (!counted.binned) return totals;
  const auto& [bins, sums, reciprocals, least, to] = *counted.binned;
  for (Vertex v = 0; v < to.size(); ++v) {
    put(totals.sum, sums, v, to[v].sums);
    put(totals.harmonic, reciprocals, v, to[v].reciprocals);
    totals.reached[v] = static_cast<std::uint32_t>(to[v].reached);
    const double greatest = counted.from[v].distance;
    if (counted.from[v].reaches()) totals.widen({std::bit_cast<double>(least), greatest});
  }
  return totals;
}

}  // namespace

struct ColumnStatistics::State {
  State(const Graph& graph, Semiring semiring, ValueType type, double greatest_possible,
        bool pairs_once, const store::Selection& selection)
      : problem{{graph, semiring, type, greatest_possible, selection}, pairs_once},
        within(static_cast<std::size_t>(problem.counts_within ? problem.n : 0)) {
    problem.within = within;
  }

  bool in_lanes() const {
    constexpr std::int64_t kMost = std::int64_t{1} << 27;
    return problem.semiring == Semiring::min_plus && problem.n > 0 && problem.n <= kMost;
  }
  std::unique_ptr<ColumnCounter> make() const {
    if (!in_lanes()) return std::make_unique<AnyCounter>(problem);
    return lane_counter<ColumnCounter, LaneCounter>(problem.type, problem);
  }
  void add(Totals&& found) {
    if (!all) {
      all = std::move(found);
    } else {
      all->merge(found, problem.cells);
    }
  }
  void add_within(std::span<const DistancesWithin> found) {
    for (std::size_t v = 0; v < found.size(); ++v) within[v].add(found[v]);
  }
  /// Adds up the counts of all threads and destroys their counters.
  Totals& whole_totals() {
    if (!all && counters.empty()) counters.push_back(make());
    for (auto& counter : counters) {
      add(std::move(counter->totals()));
      counter.reset();
    }
    counters.clear();
    return *all;
  }

  CountedColumns problem;
  std::vector<DistancesWithin> within;
  std::mutex mutex;
  std::vector<std::unique_ptr<ColumnCounter>> counters;
  std::optional<Totals> all;
};

ColumnStatistics::ColumnStatistics(const Graph& graph, Semiring semiring, ValueType type,
                                   double greatest_possible, bool pairs_once,
                                   const store::Selection& selection)
    : state_(std::make_unique<State>(graph, semiring, type, greatest_possible, pairs_once,
                                     selection)) {}

ColumnStatistics::~ColumnStatistics() = default;

bool ColumnStatistics::pairs_once() const { return state_->problem.pairs_once; }

flow::ColumnSink::Writer& ColumnStatistics::part() {
  std::unique_ptr<ColumnCounter> counter = state_->make();
  const std::lock_guard lock(state_->mutex);
  state_->counters.push_back(std::move(counter));
  return *state_->counters.back();
}

std::int64_t ColumnStatistics::count_limit() const {
  const ValueType type = state_->problem.type;
  const bool integers = type == ValueType::u16 || type == ValueType::i32;
  return integers && state_->in_lanes() && !state_->problem.pairs_once
             ? std::min(state_->problem.cells.limit(), kernels::kCountLimit)
             : 0;
}

bool ColumnStatistics::takes_binned() const {
  return state_->problem.semiring == Semiring::min_plus && !state_->problem.pairs_once;
}

std::span<const std::uint8_t> ColumnStatistics::component() const {
  const CountedColumns& problem = state_->problem;
  return problem.counts_within ? std::span<const std::uint8_t>(problem.component->holds)
                               : std::span<const std::uint8_t>();
}

void ColumnStatistics::take_counted(const flow::CountedDistances& counted) {
  const std::lock_guard lock(state_->mutex);
  state_->add(counted_totals(state_->problem, counted));
  state_->add_within(counted.within);
}

base::ByteVector ColumnStatistics::found() const {
  base::ByteWriter writer;
  state_->whole_totals().write(writer, state_->problem.cells);
  writer.put(state_->within);
  return writer.take();
}

void ColumnStatistics::add_found(std::span<const std::byte> found) {
  Totals theirs = state_->problem.no_totals();
  base::ByteReader reader(found);
  theirs.read(reader, state_->problem.cells);
  state_->whole_totals().merge(theirs, state_->problem.cells);
  state_->add_within(reader.get_all<DistancesWithin>());
}

Statistics ColumnStatistics::statistics() {
  Totals& all = state_->whole_totals();
  if (state_->problem.pairs_once) {
    for (std::int64_t& count : all.counts_in_range(state_->problem.cells)) count *= 2;
  }
  return statistics_of({.matrix = state_->problem,
                        .columns = {},
                        .totals = all,
                        .farthest = all.farthest,
                        .within = state_->within});
}

}  // namespace apsp::statistics
