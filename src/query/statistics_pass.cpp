// A block is looked at in strips of columns, all its rows in one strip after another, so that the
// totals of a strip stay in the first-level cache.
#include "query/statistics_pass.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "base/aligned_memory.hpp"
#include "base/pool.hpp"
#include "query/column_sums.hpp"
#include "query/row_sweep.hpp"
#include "query/statistics_found.hpp"
#include "semiring/dispatch.hpp"

namespace apsp::query {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Columns of a strip: their totals, some 28 B each, rest in a first-level cache of 32 KiB beside
/// the row.
constexpr std::int64_t kStrip = 512;
/// Rows of a block: so many that the totals, which come from the second-level cache for each block
/// and strip, are few bytes beside its values.
constexpr std::int64_t kRows = 64;

/// What one thread finds alone.
struct ThreadTally {
  ThreadTally(std::int64_t columns, std::int64_t rows, std::int64_t cells)
      : counts(cells * std::int64_t{sizeof(std::int64_t)}),
        sum(columns, rows),
        harmonic(columns, rows),
        reached(static_cast<std::size_t>(columns)) {}

  base::AlignedMemory counts;          // [cells] of int64
  ColumnSums sum;                      // [columns] of incoming distances
  ColumnSums harmonic;                 // [columns]
  std::vector<std::uint32_t> reached;  // [columns] sources with a path to the column
  Extremes<double> range = {kInfinity, -kInfinity};
  std::optional<Extreme> diameter;
  std::optional<Extreme> radius;
  std::vector<double> greatest;  // [rows] of the block at hand
};

}  // namespace

struct StatisticsPass::State {
  State(const Graph& graph, Semiring semiring_, ValueType type_, double greatest_possible,
        const store::Selection& selection_)
      : n(graph.vertex_count()),
        selection(selection_),
        targets(n, selection.targets),
        columns(targets.count()),
        semiring(semiring_),
        type(type_),
        sweep(row_sweep(semiring_, type_)),
        cells(integral_values(graph, type_), greatest_possible),
        parts([this] {
          return std::make_unique<ThreadTally>(columns, n,
                                               semiring == Semiring::or_and ? 0 : cells.count());
        }),
        eccentricity(static_cast<std::size_t>(n)) {}

  void add(const RowBlock& block, ThreadTally& part);
  void add_stretch(const std::byte* row, std::int64_t begin, std::int64_t end, ThreadTally& part,
                   double& row_greatest);
  template <class S>
  Vertex first_at(const typename S::Value* row, Vertex from, double distance) const;
  template <class S>
  void note_eccentricities(const RowBlock& block, ThreadTally& part);
  void add(ThreadTally& all, const ThreadTally& part) const;
  const ThreadTally& whole();
  void write(base::ByteWriter& to);
  void read(base::ByteReader& from);

  std::int64_t n;
  store::Selection selection;
  store::Positions targets;
  std::int64_t columns;
  Semiring semiring;
  ValueType type;
  RowSweep sweep;
  ValueCells cells;
  base::Pool<ThreadTally> parts;
  std::vector<double> eccentricity;  // [n]
};

/// Columns [begin, end) of a row, none of them on the diagonal.
void StatisticsPass::State::add_stretch(const std::byte* row, std::int64_t begin, std::int64_t end,
                                        ThreadTally& part, double& row_greatest) {
  if (begin >= end) return;
  const Extremes<double> found =
      sweep(row + begin * size_of(type), begin, end - begin,
            {part.sum, part.harmonic, part.reached.data()}, cells, part.counts.as<std::int64_t>());
  if (found.least > found.greatest) return;
  part.range.least = std::min(part.range.least, found.least);
  row_greatest = std::max(row_greatest, found.greatest);
}

void StatisticsPass::State::add(const RowBlock& block, ThreadTally& part) {
  const auto* const values = static_cast<const std::byte*>(block.values);
  part.greatest.assign(block.sources.size(), -kInfinity);
  for (std::int64_t begin = 0; begin < columns; begin += kStrip) {
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

/// The first vertex at a distance from `from` that the row holds.
template <class S>
Vertex StatisticsPass::State::first_at(const typename S::Value* row, Vertex from,
                                       double distance) const {
  Vertex first = std::numeric_limits<Vertex>::max();
  for (std::int64_t column = 0; column < columns; ++column) {
    if (row[column] == S::zero() || static_cast<double>(row[column]) != distance) continue;
    const auto at = static_cast<std::size_t>(column);
    const Vertex to =
        selection.targets.empty() ? static_cast<Vertex>(column) : selection.targets[at];
    if (to == from) continue;
    first = std::min(first, to);
    if (selection.targets.empty()) break;
  }
  return first;
}

/// Rows' greatest values, and whether the block holds a diameter or a radius. Only then is a row
/// looked through for the column that attains it.
template <class S>
void StatisticsPass::State::note_eccentricities(const RowBlock& block, ThreadTally& part) {
  std::optional<Extreme> farthest, nearest;
  for (std::size_t i = 0; i < block.sources.size(); ++i) {
    const double greatest = part.greatest[i];
    const Vertex from = block.sources[i];
    if (greatest == -kInfinity) continue;  // reaches nobody
    part.range.greatest = std::max(part.range.greatest, greatest);
    eccentricity[from] = greatest;
    // Until the row is looked through, `to` is the row's number in the block.
    const Extreme row{greatest, {from, static_cast<Vertex>(i)}};
    if (comes_first(farthest, greatest, from, 1)) farthest = row;
    if (comes_first(nearest, greatest, from, -1)) nearest = row;
  }
  if constexpr (S::kKind == Semiring::min_plus) {
    const auto keep = [&](std::optional<Extreme>& best, const std::optional<Extreme>& found,
                          double sign) {
      if (!found || !comes_first(best, found->value, found->pair.from, sign)) return;
      const Vertex from = found->pair.from;
      const auto* const row =
          static_cast<const typename S::Value*>(block.values) + found->pair.to * block.stride;
      best = Extreme{found->value, {from, first_at<S>(row, from, found->value)}};
    };
    keep(part.diameter, farthest, 1);
    keep(part.radius, nearest, -1);
  }
}

/// Adds what another thread found.
void StatisticsPass::State::add(ThreadTally& all, const ThreadTally& part) const {
  if (part.range.least <= part.range.greatest) {
    auto* const sums = all.counts.as<std::int64_t>();
    const auto* const counts = part.counts.as<std::int64_t>();
    const std::int64_t last = cells.of(part.range.greatest);
    for (std::int64_t i = cells.of(part.range.least); i <= last; ++i) sums[i] += counts[i];
  }
  all.sum.add(part.sum);
  all.harmonic.add(part.harmonic);
  std::transform(part.reached.begin(), part.reached.end(), all.reached.begin(), all.reached.begin(),
                 std::plus<>());
  all.range.least = std::min(all.range.least, part.range.least);
  all.range.greatest = std::max(all.range.greatest, part.range.greatest);
  const auto keep = [](std::optional<Extreme>& best, const std::optional<Extreme>& found,
                       double sign) {
    if (found && comes_first(best, found->value, found->pair.from, sign)) best = found;
  };
  keep(all.diameter, part.diameter, 1);
  keep(all.radius, part.radius, -1);
}

/// What all threads found, in the part of one of them.
const ThreadTally& StatisticsPass::State::whole() {
  ThreadTally* all = nullptr;
  parts.lend([](ThreadTally&) {});  // there is one even without a row
  parts.for_each([&](ThreadTally& part) {
    if (all == nullptr) {
      all = &part;
    } else {
      add(*all, part);
    }
  });
  return *all;
}

void StatisticsPass::State::write(base::ByteWriter& to) {
  const ThreadTally& part = whole();
  to.put(part.range);
  if (part.range.least <= part.range.greatest) {
    const auto* const counts = part.counts.as<std::int64_t>();
    const std::int64_t first = cells.of(part.range.least), last = cells.of(part.range.greatest);
    if (semiring != Semiring::or_and) {
      to.put_all(std::span(counts + first, static_cast<std::size_t>(last - first + 1)));
    }
  }
  part.sum.write(to);
  part.harmonic.write(to);
  to.put_all(std::span<const std::uint32_t>(part.reached));
  to.put(part.diameter);
  to.put(part.radius);
  to.put_all(std::span<const double>(eccentricity));
}

void StatisticsPass::State::read(base::ByteReader& from) {
  ThreadTally part(columns, n, semiring == Semiring::or_and ? 0 : cells.count());
  part.range = from.get<Extremes<double>>();
  if (part.range.least <= part.range.greatest && semiring != Semiring::or_and) {
    const auto counts = from.get_all<std::int64_t>();
    std::copy(counts.begin(), counts.end(),
              part.counts.as<std::int64_t>() + cells.of(part.range.least));
  }
  part.sum.read(from);
  part.harmonic.read(from);
  part.reached = from.get_all<std::uint32_t>();
  part.diameter = from.get<std::optional<Extreme>>();
  part.radius = from.get<std::optional<Extreme>>();
  const auto theirs = from.get_all<double>();
  for (std::size_t v = 0; v < theirs.size(); ++v) {
    if (theirs[v] != 0) eccentricity[v] = theirs[v];  // 0 of a row that reaches nobody, too
  }
  parts.lend([&](ThreadTally& mine) { add(mine, part); });
}

base::ByteVector StatisticsPass::found() const {
  base::ByteWriter writer;
  state_->write(writer);
  return writer.take();
}

void StatisticsPass::add_found(std::span<const std::byte> found) {
  base::ByteReader reader(found);
  state_->read(reader);
}

StatisticsPass::StatisticsPass(const Graph& graph, Semiring semiring, ValueType type,
                               double greatest_possible, const store::Selection& selection)
    : RowSink(graph.vertex_count(), type, selection),
      state_(std::make_unique<State>(graph, semiring, type, greatest_possible, selection)) {}

StatisticsPass::~StatisticsPass() = default;

store::RowPreference StatisticsPass::preference() const { return {.rows = kRows}; }

void StatisticsPass::accept(const RowBlock& block) {
  state_->parts.lend([&](ThreadTally& part) {
    state_->add(block, part);
    if (state_->semiring == Semiring::or_and) return;
    semiring::dispatch(state_->semiring, state_->type,
                       [&]<class S>() { state_->note_eccentricities<S>(block, part); });
  });
}

void StatisticsPass::complete() {
  const ThreadTally& all = state_->whole();
  const auto* const counts = all.counts.as<std::int64_t>();
  const auto cells = static_cast<std::size_t>(all.counts.bytes()) / sizeof(std::int64_t);
  found_ = statistics_of({.n = state_->n,
                          .selection = state_->selection,
                          .semiring = state_->semiring,
                          .cells = state_->cells,
                          .counts = {counts, cells},
                          .columns = state_->selection.targets,
                          .sum = all.sum,
                          .harmonic = all.harmonic,
                          .reached = all.reached,
                          .range = all.range,
                          .diameter = all.diameter,
                          .radius = all.radius,
                          .eccentricity = state_->eccentricity});
}

Statistics StatisticsPass::statistics() { return std::move(found_); }

}  // namespace apsp::query
