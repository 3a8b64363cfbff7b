// The counter for all semirings and types: row after row, each across to its vertex and, where a
// pair counts for both directions, down to its sources.
#include "statistics/column_counter.hpp"

#include <algorithm>
#include <bit>
#include <optional>

#include "statistics/integer_columns.hpp"

namespace apsp::statistics {
namespace {

/// Totals of a block, a lane a source.
struct Lanes {
  Lanes(std::int64_t lanes, std::int64_t n)
      : sum(lanes, n), harmonic(lanes, n), reached(static_cast<std::size_t>(lanes)) {}

  ColumnSums sum, harmonic;
  std::vector<std::uint32_t> reached;
};

/// The greatest distance from each source of a block.
struct FarthestLanes {
  void begin(const SweptRow& row, std::int64_t lanes, std::int64_t value_size) {
    if (lanes * value_size > greatest.bytes()) greatest = base::AlignedMemory(lanes * value_size);
    row.begin(greatest.data(), lanes);
    vertex.assign(static_cast<std::size_t>(lanes), kNoVertex);
  }
  Farthest at(const SweptRow& row, std::size_t lane) const {
    if (vertex[lane] == kNoVertex) return {};
    return {row.greatest_at(greatest.data(), static_cast<std::int64_t>(lane)), vertex[lane]};
  }

  base::AlignedMemory greatest;  // [lanes] of values
  std::vector<Vertex> vertex;    // [lanes] the smallest vertex at that distance
};

class AnyCounter final : public ColumnCounter {
 public:
  explicit AnyCounter(const CountedColumns& problem)
      : problem_(problem),
        size_(size_of(problem.type)),
        row_(swept_row(problem.semiring, problem.type)),
        lane_of_(static_cast<std::size_t>(problem.n), -1),
        totals_(problem.no_totals()),
        tables_(count_tables(problem.cells)),
        // Distances lie close together, and so do the cells that are touched. On huge pages four
        // tables took 8 MiB and more of every thread.
        counts_(base::AlignedMemory::on_small_pages(
            tables_ == 1 ? 0 : tables_ * totals_.counts.bytes())) {}

  void begin(std::span<const Vertex> sources) override {
    sources_ = sources;
    const auto count = std::ssize(sources);
    for (std::int64_t i = 0; i < count; ++i) {
      lane_of_[sources[static_cast<std::size_t>(i)]] = static_cast<std::int32_t>(i);
    }
    lanes_.emplace(count, problem_.n);
    first_source_ = sources.empty() ? 0 : *std::min_element(sources.begin(), sources.end());
    if (count * size_ > copy_.bytes()) copy_ = base::AlignedMemory(count * size_);
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
      totals_.farthest[source].raise(farthest_.at(row_, i));
      if (!problem_.counts_within) continue;
      const Farthest within = farthest_within_.at(row_, i);
      totals_.farthest[source].raise(within);
      if (!problem_.is_within(source)) continue;
      FromWithin& from = problem_.within[source];
      from.farthest.raise(within);
      from.sum = base::sum(base::sum(from.sum, high_within_[i]), low_within_[i]);
    }
  }

  ColumnCounts& totals() override {
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
    const Extremes<double> found = row_.count(
        row, cols, problem_.cells, (tables_ == 1 ? totals_.counts : counts_).as<std::int64_t>());
    const ColumnTotals across{totals_.sum, totals_.harmonic, totals_.reached.data()};
    const ColumnTotals down{lanes_->sum, lanes_->harmonic, lanes_->reached.data()};
    row_.add(row, cols, found, across, vertex, problem_.pairs_once ? &down : nullptr);
    if (found.least > found.greatest) return;
    totals_.widen(found);
    if (problem_.semiring != Semiring::min_plus) return;
    const bool within = problem_.counts_within && problem_.is_within(vertex);
    FarthestLanes& lanes = within ? farthest_within_ : farthest_;
    row_.raise(row, cols, vertex, lanes.greatest.data(), lanes.vertex.data());
    // With the distance of a source to itself, which is 0.
    if (within) row_.add_lanes(given, cols, high_within_.data(), low_within_.data());
    if (problem_.pairs_once) note_farthest(vertex, row, cols, found.greatest);
  }

  void note_farthest(Vertex vertex, const void* row, std::int64_t cols, double greatest) {
    Farthest& farthest = totals_.farthest[vertex];
    if (!farthest.is_raised_by(greatest, first_source_)) return;
    farthest.raise(greatest, row_.first_at(row, cols, greatest, sources_.data()));
  }

  const CountedColumns& problem_;
  std::int64_t size_;
  SweptRow row_;
  std::vector<std::int32_t> lane_of_;  // [n] of the sources of the block, −1: not one
  std::span<const Vertex> sources_;
  Vertex first_source_ = 0;  // the smallest of the block
  std::optional<Lanes> lanes_;
  base::AlignedMemory copy_;                      // [sources] of values: a row
  FarthestLanes farthest_, farthest_within_;      // of other vertices; of those of the component
  std::vector<double> high_within_, low_within_;  // [sources] sums of distances to those
  ColumnCounts totals_;
  std::int64_t tables_;
  base::AlignedMemory counts_;  // [tables, cells] of int64; none where there is one: of the totals
};

ColumnCounts placed_totals(const CountedColumns& problem, const flow::PlacedDistances& placed) {
  ColumnCounts totals(problem.n, problem.cells.count());
  const auto put = [](ColumnSums& sums, const base::SliceRange& range, std::int64_t v,
                      const std::int64_t* units) {
    for (int i = 0; i < range.count(); ++i) {
      *sums.slice(range.top() - i, v).sums = static_cast<double>(units[i]) * range.unit_of(i);
    }
  };
  double greatest = -1;
  for (std::int64_t v = 0; v < problem.n; ++v) {
    const auto i = static_cast<std::size_t>(v);
    put(totals.sum, placed.sums, v, placed.to[i].sums);
    put(totals.harmonic, placed.reciprocals, v, placed.to[i].reciprocals);
    totals.reached[i] = static_cast<std::uint32_t>(placed.to[i].reached);
    const kernels::FarthestRow& farthest = placed.from[i];
    if (farthest.distance < 0) continue;
    totals.farthest[i] = {farthest.distance, farthest.label};
    greatest = std::max(greatest, farthest.distance);
  }
  if (greatest >= 0) totals.widen({std::bit_cast<double>(placed.least), greatest});
  auto* const cells = totals.counts.as<std::int64_t>();
  for (std::size_t i = 0; i < placed.counts.size(); ++i) {
    if (placed.counts[i] == 0) continue;
    cells[problem.cells.of(placed.places.low(static_cast<std::int64_t>(i)))] += placed.counts[i];
  }
  return totals;
}

}  // namespace

ColumnCounts counted_totals(const CountedColumns& problem, const flow::CountedDistances& counted) {
  if (counted.placed) return placed_totals(problem, *counted.placed);
  ColumnCounts totals(problem.n, problem.cells.count());
  for (std::size_t v = 0; v < counted.to.size(); ++v) {
    const flow::CountedDistances::To& to = counted.to[v];
    ReciprocalSum harmonic;
    harmonic.add(ReciprocalSum{to.high, to.low});
    totals.set_sums(static_cast<Vertex>(v), to.sum, harmonic, to.reached);
    const flow::CountedDistances::From& from = counted.from[v];
    if (from.reaches) totals.farthest[v] = {static_cast<double>(from.greatest), from.farthest};
  }
  auto* const cells = totals.counts.as<std::int64_t>() + problem.cells.of_integer(0);
  for (std::size_t distance = 0; distance < counted.counts.size(); ++distance) {
    if (counted.counts[distance] == 0) continue;
    cells[distance] = counted.counts[distance];
    const auto value = static_cast<double>(distance);
    totals.widen({value, value});
  }
  return totals;
}

void ColumnCounts::set_sums(Vertex v, std::uint64_t distances, const ReciprocalSum& reciprocals,
                            std::uint32_t sources) {
  *sum.whole_numbers(v).held[0].sums = static_cast<double>(distances);
  *harmonic.slice(-1, v).sums = reciprocals.upper();
  *harmonic.slice(-2, v).sums = reciprocals.lower();
  reached[v] = sources;
}

void ColumnCounts::add(const ColumnCounts& other, const HistogramBins& cells) {
  DistanceTotals::add(other, cells);
  for (std::size_t v = 0; v < farthest.size(); ++v) {
    farthest[v].raise(other.farthest[v].distance, other.farthest[v].vertex);
  }
}

void ColumnCounts::write(base::ByteWriter& to, const HistogramBins& cells) const {
  DistanceTotals::write(to, cells);
  to.put(farthest);
}

void ColumnCounts::read(base::ByteReader& from, const HistogramBins& cells) {
  DistanceTotals::read(from, cells);
  farthest = from.get_all<Farthest>();
}

std::unique_ptr<ColumnCounter> any_counter(const CountedColumns& problem) {
  return std::make_unique<AnyCounter>(problem);
}

}  // namespace apsp::statistics
