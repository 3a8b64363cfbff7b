// Strips of columns keep their totals in the first-level cache.
#include "statistics/statistics_pass.hpp"

#include <algorithm>
#include <apsp/error.hpp>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "base/control.hpp"
#include "base/double_double.hpp"
#include "flow/drive.hpp"
#include "semiring/dispatch.hpp"
#include "statistics/column_sums.hpp"
#include "statistics/row_counter.hpp"
#include "statistics/statistics_found.hpp"
#include "system/aligned_memory.hpp"
#include "system/pool.hpp"

namespace apsp::statistics {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Columns of a strip: their totals, some 28 B each, fit in a first-level cache of 32 KiB.
constexpr std::int64_t kStrip = 512;
/// Rows of a block: its values outweigh the totals that are loaded for each strip.
constexpr std::int64_t kRows = 64;

struct ThreadTally : DistanceTotals {
  using DistanceTotals::DistanceTotals;
  ExtremeRows extremes, extremes_within;
  std::vector<double> greatest;
};

/// Distances from one vertex to vertices of the component.
struct Stretch {
  double greatest = -kInfinity;
  base::DoubleDouble sum;
};

/// The lanes, and so the bits of the sums, do not depend on the processor.
template <class S>
void add_within(const typename S::Value* values, const std::uint8_t* holds, std::int64_t count,
                Stretch& found) {
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
  found.greatest = std::max(found.greatest, static_cast<double>(greatest));
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
        sweep(row_sweep(semiring, type)),
        parts([this] { return std::make_unique<ThreadTally>(columns, n, cell_count); }),
        eccentricity(static_cast<std::size_t>(n)),
        within(counts_within ? n : 0) {
    for (std::int64_t column = 0; counts_within && column < columns; ++column) {
      holds.push_back(component->holds[selection.targets.at(column)]);
    }
  }

  /// Requires: the diagonal is not in columns [begin, end).
  void add_stretch(const std::byte* row, std::int64_t begin, std::int64_t end, ThreadTally& part,
                   double& row_greatest) {
    if (begin >= end) return;
    const Extremes<double> found = sweep(row + begin * size_of(type), begin, end - begin,
                                         {part.sum, part.harmonic, part.reached.data()}, cells,
                                         part.counts.as<std::int64_t>());
    if (found.least > found.greatest) return;
    part.range.least = std::min(part.range.least, found.least);
    row_greatest = std::max(row_greatest, found.greatest);
  }

  void add(const RowBlock& block, ThreadTally& part) {
    const auto* const values = static_cast<const std::byte*>(block.values);
    part.greatest.assign(block.sources.size(), -kInfinity);
    for (std::int64_t begin = 0; begin < columns; begin += kStrip) {
      base::check_cancelled();
      const std::int64_t end = std::min(begin + kStrip, columns);
      for (std::size_t i = 0; i < block.sources.size(); ++i) {
        const std::byte* const row =
            values + static_cast<std::int64_t>(i) * block.stride * size_of(type);
        const std::int64_t diagonal = targets.of(block.sources[i]).value_or(columns);
        add_stretch(row, begin, std::min(end, diagonal), part, part.greatest[i]);
        add_stretch(row, std::max(begin, diagonal + 1), end, part, part.greatest[i]);
      }
    }
  }

  bool is_within(Vertex v) const { return component && component->holds[v] != 0; }

  template <class S>
  void count_within(const RowBlock& block) {
    const auto* row = static_cast<const typename S::Value*>(block.values);
    for (const Vertex from : block.sources) {
      base::check_cancelled();
      if (is_within(from)) {
        const std::int64_t diagonal = targets.of(from).value_or(columns);
        Stretch found;
        add_within<S>(row, holds.data(), diagonal, found);
        const std::int64_t behind = std::min(diagonal + 1, columns);
        add_within<S>(row + behind, holds.data() + behind, columns - behind, found);
        within.greatest[from] = found.greatest;
        within.sums[from] = found.sum;
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
      eccentricity[from] = greatest;
      // `to` is the row's number in the block until `note_pairs` finds the vertex.
      const VertexPair pair{from, static_cast<Vertex>(i)};
      of_block.note({greatest, pair});
      const double inside = counts_within ? within.greatest[from] : greatest;
      if (is_within(from) && inside != -kInfinity) of_block_within.note({inside, pair});
    }
    if constexpr (S::kKind == Semiring::min_plus) {
      note_pairs<S>(block, of_block, false, part.extremes);
      note_pairs<S>(block, of_block_within, counts_within, part.extremes_within);
    }
  }

  /// Searches a row for the column of its greatest value only if it is an extreme of all.
  template <class S>
  void note_pairs(const RowBlock& block, const ExtremeRows& of_block, bool inside,
                  ExtremeRows& extremes) const {
    for (const auto& found : {of_block.diameter, of_block.radius}) {
      // Notes in a copy, because the vertex is not known yet.
      if (!found || !ExtremeRows(extremes).note(*found)) continue;
      const auto [greatest, pair] = *found;
      const auto* const row =
          static_cast<const typename S::Value*>(block.values) + pair.to * block.stride;
      const std::span values(row, static_cast<std::size_t>(columns));
      extremes.note({greatest, {pair.from, first_at<S>(values, pair.from, greatest, inside)}});
    }
  }

  void add(ThreadTally& all, const ThreadTally& part) const {
    all.DistanceTotals::add(part, cells);
    all.extremes.add(part.extremes);
    all.extremes_within.add(part.extremes_within);
  }

  const ThreadTally& whole() {
    ThreadTally* all = nullptr;
    parts.lend([](ThreadTally&) {});  // at least one tally
    parts.for_each([&](ThreadTally& part) {
      if (all == nullptr) {
        all = &part;
      } else {
        add(*all, part);
      }
    });
    return *all;
  }

  store::Positions targets;
  std::int64_t columns;
  RowSweep sweep;
  system::Pool<ThreadTally> parts;
  std::vector<double> eccentricity;
  std::vector<std::uint8_t> holds;  // [columns] in the component
  WithinComponent within;
};

base::ByteVector StatisticsPass::found() const {
  const ThreadTally& all = state_->whole();
  base::ByteWriter writer;
  all.write(writer, state_->cells);
  writer.put(all.extremes);
  writer.put(all.extremes_within);
  writer.put(state_->eccentricity);
  writer.put(state_->within.greatest);
  writer.put(state_->within.sums);
  return writer.take();
}

void StatisticsPass::add_found(std::span<const std::byte> found) {
  base::ByteReader reader(found);
  ThreadTally theirs(state_->columns, state_->n, state_->cell_count);
  theirs.read(reader, state_->cells);
  theirs.extremes = reader.get<ExtremeRows>();
  theirs.extremes_within = reader.get<ExtremeRows>();
  const auto eccentricity = reader.get_all<double>();
  WithinComponent within;
  within.greatest = reader.get_all<double>();
  within.sums = reader.get_all<base::DoubleDouble>();
  state_->within.add(within);
  for (std::size_t v = 0; v < eccentricity.size(); ++v) {
    // Zero also for rows that reach no vertex.
    if (eccentricity[v] != 0) state_->eccentricity[v] = eccentricity[v];
  }
  state_->parts.lend([&](ThreadTally& mine) { state_->add(mine, theirs); });
}

StatisticsPass::StatisticsPass(const Graph& graph, Semiring semiring, ValueType type,
                               double greatest_possible, const store::Selection& selection)
    : RowSink(graph.vertex_count(), type, selection),
      state_(std::make_unique<State>(graph, semiring, type, greatest_possible, selection)) {}

StatisticsPass::~StatisticsPass() = default;

flow::RowPreference StatisticsPass::preference() const { return {.rows = kRows}; }

void StatisticsPass::accept(const RowBlock& block) {
  state_->parts.lend([&](ThreadTally& part) {
    state_->add(block, part);
    if (state_->semiring == Semiring::or_and) return;
    semiring::dispatch(state_->semiring, state_->type, [&]<class S>() {
      if (state_->counts_within) state_->count_within<S>(block);
      state_->note_eccentricities<S>(block, part);
    });
  });
}

void StatisticsPass::complete() {
  const ThreadTally& all = state_->whole();
  found_ = statistics_of({.matrix = *state_,
                          .columns = state_->selection.targets,
                          .totals = all,
                          .extremes = all.extremes,
                          .extremes_within = all.extremes_within,
                          .within = state_->within,
                          .eccentricity = state_->eccentricity});
}

Statistics statistics(const store::Store& store, const Graph& graph, const Control& control,
                      int threads, std::optional<double> greatest_possible) {
  const store::Layout& layout = store.layout();
  if (layout.n != graph.vertex_count()) {
    throw Error(ErrorKind::input, "matrix and graph differ in their number of vertices");
  }
  StatisticsPass pass(graph, layout.semiring, layout.type,
                      greatest_possible.value_or(largest_distance(layout.type)), layout.selection);
  flow::feed(store, pass, threads, control);
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
