// Strips of columns keep their totals in the first-level cache.
#include "statistics/statistics_pass.hpp"

#include <algorithm>
#include <apsp/error.hpp>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/control.hpp"
#include "base/double_double.hpp"
#include "flow/drive.hpp"
#include "semiring/dispatch.hpp"
#include "statistics/lane_memory.hpp"
#include "statistics/row_counter.hpp"
#include "statistics/totals.hpp"
#include "system/aligned_memory.hpp"
#include "system/pool.hpp"

namespace apsp::statistics {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Columns of a strip: their totals, some 28 B each, fit in a first-level cache of 32 KiB.
constexpr std::int64_t kStrip = 512;
/// Rows of a block: its values outweigh the totals that are loaded for each strip.
constexpr std::int64_t kRows = 64;
/// Totals of lanes and their tables pay for themselves from so many rows and columns on.
constexpr std::int64_t kFewRows = 8, kFewColumns = 128;

/// Counts strips of columns in vectors (lane_counts.hpp), for min-plus.
class StripCounter {
 public:
  virtual ~StripCounter() = default;
  /// Begins a strip of `count` columns.
  virtual void begin(std::int64_t first, std::int64_t count) = 0;
  /// `own`: the column of the row's own vertex, from the first of the strip. Raises `greatest`.
  /// Returns false if the row has other distances; then nothing was counted.
  virtual bool count(const void* values, std::int64_t own, double& greatest, Totals& tally) = 0;
  virtual void end() = 0;
  /// Adds all counts, once.
  virtual void put(Totals& tally) = 0;
};

template <class T>
class LaneStrips final : public StripCounter {
 public:
  LaneStrips(const HistogramBins& bins, std::int64_t columns)
      : tables_(bins), columns_(static_cast<std::size_t>(columns)) {}

  void begin(std::int64_t first, std::int64_t count) override {
    strip_ = std::span(columns_).subspan(static_cast<std::size_t>(first),
                                         static_cast<std::size_t>(count));
    lanes_.begin(count);
    // No row raises it: the greatest distances are those of rows.
    std::fill_n(lanes_.totals.greatest, lanes_.used(), semiring::MinPlus<T>::zero());
  }

  bool count(const void* values, std::int64_t own, double& greatest, Totals& tally) override {
    const auto* row = static_cast<const T*>(values);
    const std::int64_t cols = std::ssize(strip_);
    if ((own >= 0 && own < cols) || lanes_.used() != cols) row = lanes_.copy(row, cols, own);
    if (lanes_.is_full()) end();
    const LaneRow<T> found = tables_.count(lanes_.used(), tally, [&](const LaneCounts<T>& counts) {
      return count_(row, lanes_.used(), 0, lanes_.totals, counts);
    });
    if (found.reached == 0) return found.taken;
    lanes_.note_row();
    greatest = std::max(greatest, static_cast<double>(found.greatest));
    return true;
  }

  void end() override {
    for (std::size_t i = 0; i < strip_.size(); ++i) {
      tables_.add(lanes_.lane(static_cast<std::int64_t>(i)), strip_[i]);
    }
    lanes_.clear_sums();
  }

  void put(Totals& tally) override {
    tables_.emit(tally);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      tables_.put(columns_[i], static_cast<std::int64_t>(i), tally);
    }
    columns_ = {};
  }

 private:
  CountLanes<T> count_ = count_lanes<T>(LaneDown::all);
  LaneTables<T> tables_;
  LaneMemory<T> lanes_;
  std::vector<LaneTotals> columns_;
  std::span<LaneTotals> strip_;
};

struct ThreadTally : Totals {
  explicit ThreadTally(const CountedMatrix& matrix)
      : Totals(matrix.selection.targets.size(matrix.n), matrix.n, matrix.cell_count, 0) {}
  std::unique_ptr<StripCounter> strips;   // null until they are needed
  ExtremeRows extremes, extremes_within;  // of the rows of this thread
  std::vector<double> greatest;           // [rows of a block]
};

/// Adds the distances from one vertex to vertices of the component. The lanes, and so the bits of
/// the sums, do not depend on the processor.
template <class S>
void add_within(const typename S::Value* values, const std::uint8_t* holds, std::int64_t count,
                DistancesWithin& found) {
  using T = typename S::Value;
  constexpr std::int64_t kLanes = 8;
  std::array<double, kLanes> high{}, low{};
  T greatest = std::numeric_limits<T>::lowest();
  bool any = false;
  const auto add = [&](std::size_t lane, std::int64_t j) {
    const bool counts = (holds[j] != 0) & (values[j] != S::zero());
    const double value = counts ? static_cast<double>(values[j]) : 0.0;
    any |= counts;
    greatest = counts && values[j] > greatest ? values[j] : greatest;
    const base::DoubleDouble sum = base::two_sum(high[lane], value);
    high[lane] = sum.high;
    low[lane] += sum.low;
  };
  std::int64_t j = 0;
  for (; j + kLanes <= count; j += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      add(lane, j + static_cast<std::int64_t>(lane));
    }
  }
  for (; j < count; ++j) add(0, j);
  if (!any) return;
  found.farthest.distance = std::max(found.farthest.distance, static_cast<double>(greatest));
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    found.sum = base::sum(base::sum(found.sum, high[lane]), low[lane]);
  }
}

}  // namespace

struct StatisticsPass::State : CountedMatrix {
  State(const Graph& graph, Semiring semiring_, ValueType type_, double greatest_possible,
        const store::Selection& selection_)
      : CountedMatrix(graph, semiring_, type_, greatest_possible, selection_),
        targets(n, selection.targets),
        columns(targets.count()),
        row_operations(statistics::row_operations(semiring, type)),
        parts([this] { return std::make_unique<ThreadTally>(*this); }),
        farthest(static_cast<std::size_t>(n)),
        within(static_cast<std::size_t>(counts_within ? n : 0)) {
    for (std::int64_t column = 0; counts_within && column < columns; ++column) {
      holds.push_back(component->holds[selection.targets.at(column)]);
    }
  }

  /// Requires: the diagonal is not in columns [begin, end).
  void add_stretch(const std::byte* row, std::int64_t begin, std::int64_t end, ThreadTally& part,
                   double& row_greatest) {
    if (begin >= end) return;
    const std::byte* const values = row + begin * size_of(type);
    const Extremes<double> found =
        row_operations.count(values, end - begin, cells, 1, part.counts.as<std::int64_t>());
    const ColumnTotals down = part.columns();
    row_operations.add(values, end - begin, found, nullptr, 0, &down, begin);
    if (found.least > found.greatest) return;
    part.range.least = std::min(part.range.least, found.least);
    row_greatest = std::max(row_greatest, found.greatest);
  }

  bool counts_in_lanes(std::int64_t rows) const {
    constexpr std::int64_t kMost = std::int64_t{1} << 27;
    return semiring == Semiring::min_plus && n <= kMost && rows >= kFewRows &&
           columns >= kFewColumns;
  }

  void add(const RowBlock& block, ThreadTally& part) {
    const auto* const values = static_cast<const std::byte*>(block.values);
    part.greatest.assign(block.sources.size(), -kInfinity);
    const bool in_lanes = counts_in_lanes(std::ssize(block.sources));
    if (in_lanes && !part.strips) {
      part.strips = lane_counter<StripCounter, LaneStrips>(type, cells, columns);
    }
    for (std::int64_t begin = 0; begin < columns; begin += kStrip) {
      base::check_cancelled();
      const std::int64_t end = std::min(begin + kStrip, columns);
      if (in_lanes) part.strips->begin(begin, end - begin);
      for (std::size_t i = 0; i < block.sources.size(); ++i) {
        const std::byte* const row =
            values + static_cast<std::int64_t>(i) * block.stride * size_of(type);
        const std::int64_t diagonal = targets.of(block.sources[i]).value_or(columns);
        double& greatest = part.greatest[i];
        if (in_lanes &&
            part.strips->count(row + begin * size_of(type), diagonal - begin, greatest, part)) {
          continue;
        }
        add_stretch(row, begin, std::min(end, diagonal), part, greatest);
        add_stretch(row, std::max(begin, diagonal + 1), end, part, greatest);
      }
      if (in_lanes) part.strips->end();
    }
  }

  template <class S>
  void count_within(const RowBlock& block) {
    const auto* row = static_cast<const typename S::Value*>(block.values);
    for (const Vertex from : block.sources) {
      base::check_cancelled();
      if (is_within(from)) {
        const std::int64_t diagonal = targets.of(from).value_or(columns);
        DistancesWithin& found = within[from];
        add_within<S>(row, holds.data(), diagonal, found);
        const std::int64_t behind = std::min(diagonal + 1, columns);
        add_within<S>(row + behind, holds.data() + behind, columns - behind, found);
      }
      row += block.stride;
    }
  }

  /// `inside`: only vertices in the component.
  template <class S>
  Vertex first_at(std::span<const typename S::Value> row, Vertex from, double distance,
                  bool inside) const {
    Vertex first = std::numeric_limits<Vertex>::max();
    for (std::int64_t column = 0; const typename S::Value value : row) {
      const Vertex to = selection.targets.at(column++);
      if (value == S::zero() || static_cast<double>(value) != distance || to == from) continue;
      if (inside && !is_within(to)) continue;
      first = std::min(first, to);
      if (selection.targets.is_all()) break;
    }
    return first;
  }

  template <class S>
  void note_eccentricities(const RowBlock& block, ThreadTally& part) {
    ExtremeRows of_block, of_block_within;
    for (std::size_t i = 0; i < block.sources.size(); ++i) {
      const double greatest = part.greatest[i];
      const Vertex from = block.sources[i];
      if (greatest == -kInfinity) continue;  // reaches no vertex
      part.range.greatest = std::max(part.range.greatest, greatest);
      farthest[from].distance = greatest;
      const VertexPair row{from, static_cast<Vertex>(i)};  // its number in the block
      of_block.note({greatest, row});
      const Farthest& inside = counts_within ? within[from].farthest : farthest[from];
      if (is_within(from) && inside.reaches()) of_block_within.note({inside.distance, row});
    }
    if constexpr (S::kKind == Semiring::min_plus) {
      find_farthest<S>(block, of_block, false, part.extremes);
      find_farthest<S>(block, of_block_within, counts_within, part.extremes_within);
    }
  }

  /// Searches rows for the columns of their greatest values, but only rows that are extremes of
  /// all rows of the thread: others are none of the matrix.
  template <class S>
  void find_farthest(const RowBlock& block, const ExtremeRows& of_block, bool inside,
                     ExtremeRows& extremes) {
    for (const auto& found : {of_block.diameter, of_block.radius}) {
      if (!found || !extremes.note(*found)) continue;
      const auto [from, i] = found->pair;
      const auto* const row =
          static_cast<const typename S::Value*>(block.values) + i * block.stride;
      const std::span values(row, static_cast<std::size_t>(columns));
      (inside ? within[from].farthest : farthest[from]).label =
          first_at<S>(values, from, found->value, inside);
    }
  }

  const ThreadTally& whole() {
    ThreadTally* all = nullptr;
    parts.use([](ThreadTally&) {});  // at least one tally
    parts.for_each([&](ThreadTally& part) {
      if (part.strips) part.strips->put(part);
      if (all == nullptr) {
        all = &part;
      } else {
        all->merge(part, cells);
      }
    });
    return *all;
  }

  store::Positions targets;
  std::int64_t columns;
  RowOperations row_operations;
  system::Pool<ThreadTally> parts;
  // Each element has one writer, the thread of its row.
  std::vector<Farthest> farthest;       // [n] by source
  std::vector<DistancesWithin> within;  // [n] by source, or none
  std::vector<std::uint8_t> holds;      // [columns] in the component
};

base::ByteVector StatisticsPass::found() const {
  base::ByteWriter writer;
  state_->whole().write(writer, state_->cells);
  writer.put(state_->farthest);
  writer.put(state_->within);
  return writer.take();
}

void StatisticsPass::add_found(std::span<const std::byte> found) {
  base::ByteReader reader(found);
  ThreadTally theirs(*state_);
  theirs.read(reader, state_->cells);
  const auto farthest = reader.get_all<Farthest>();
  for (std::size_t v = 0; v < farthest.size(); ++v) state_->farthest[v].add(farthest[v]);
  const auto within = reader.get_all<DistancesWithin>();
  for (std::size_t v = 0; v < within.size(); ++v) state_->within[v].add(within[v]);
  state_->parts.use([&](ThreadTally& mine) { mine.merge(theirs, state_->cells); });
}

StatisticsPass::StatisticsPass(const Graph& graph, Semiring semiring, ValueType type,
                               double greatest_possible, const store::Selection& selection)
    : RowSink(graph.vertex_count(), type, selection),
      state_(std::make_unique<State>(graph, semiring, type, greatest_possible, selection)) {}

StatisticsPass::~StatisticsPass() = default;

flow::RowPreference StatisticsPass::preference() const { return {.rows = kRows}; }

void StatisticsPass::accept(const RowBlock& block) {
  state_->parts.use([&](ThreadTally& part) {
    state_->add(block, part);
    if (state_->semiring == Semiring::or_and) return;
    semiring::dispatch(state_->semiring, state_->type, [&]<class S>() {
      if (state_->counts_within) state_->count_within<S>(block);
      state_->note_eccentricities<S>(block, part);
    });
  });
}

void StatisticsPass::complete() {
  found_ = statistics_of({.matrix = *state_,
                          .columns = state_->selection.targets,
                          .totals = state_->whole(),
                          .farthest = state_->farthest,
                          .within = state_->within});
}

Statistics statistics(const store::Store& store, const Graph& graph, const Control& control,
                      int threads, std::optional<double> greatest_possible) {
  const store::Layout& layout = store.layout();
  if (layout.n != graph.vertex_count()) {
    throw Error(ErrorKind::input, "matrix and graph differ in their number of vertices");
  }
  StatisticsPass pass(graph, layout.semiring, layout.type,
                      greatest_possible.value_or(largest_distance(layout.type)), layout.selection);
  flow::drive(store, pass, threads, control);
  pass.finish();
  return pass.statistics();
}

}  // namespace apsp::statistics

namespace apsp {

std::vector<Vertex> top(const std::vector<double>& values, std::size_t k) {
  std::vector<Vertex> order;
  for (std::size_t v = 0; v < values.size(); ++v) {
    if (!std::isnan(values[v])) order.push_back(static_cast<Vertex>(v));
  }
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(std::min(k, order.size()));
  std::partial_sort(order.begin(), end, order.end(), [&](Vertex a, Vertex b) {
    return values[a] != values[b] ? values[a] > values[b] : a < b;
  });
  order.erase(end, order.end());
  return order;
}

}  // namespace apsp
