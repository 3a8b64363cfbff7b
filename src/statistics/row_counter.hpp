// The inner loops of the statistics: one stretch of a row into the totals of its columns, the
// counts of its cells and its range.
//
// Loops are kept apart because arithmetic on neighbours vectorises and counting at scattered places
// does not. They are plain loops, compiled for each instruction set and chosen at run time; sums
// hold every digit (column_sums.hpp), so the results are the same to the last bit. A reciprocal by
// division is as quick as by a table, for integers too, and is what bounds f32 then: a divider
// takes 2 cycles a double at any width of vectors.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/semiring.hpp>
#include <cstdint>
#include <limits>

#include "statistics/column_sums.hpp"
#include "statistics/histogram_bins.hpp"

namespace apsp::statistics {

/// Totals over the rows seen so far.
struct ColumnTotals {
  ColumnSums& sum;         // of distances, without "no path"
  ColumnSums& harmonic;    // of reciprocals of the positive ones
  std::uint32_t* reached;  // [n] how many are not "no path"
};

/// Least and greatest distance of a stretch; least > greatest where it holds none.
template <class T>
struct Extremes {
  using Limits = std::numeric_limits<T>;
  T least = Limits::has_infinity ? Limits::infinity() : Limits::max();
  T greatest = Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
};

/// The stretch is columns [first, first + cols). `values`: [cols] of the value type. `counts`:
/// [cells.count()]; or-and only counts `reached`.
using RowSweep = Extremes<double> (*)(const void* values, std::int64_t first, std::int64_t cols,
                                      const ColumnTotals& totals, const HistogramBins& cells,
                                      std::int64_t* counts);

RowSweep row_sweep(Semiring semiring, ValueType type);

/// More integers than these have cells far apart: one table then counts as fast as several, and
/// several would take tens of megabytes of each thread (planner/memory.cpp counts them).
constexpr std::int64_t kNarrowLimit = std::int64_t{1} << 17;

/// How many tables count the cells of rows that come vertex by vertex.
inline std::int64_t count_tables(const HistogramBins& cells) {
  return cells.limit() > kNarrowLimit ? 1 : 4;
}

/// The loops over values that come vertex by vertex: one row holds the distances of one vertex from
/// all sources of a block. It is added across, to the totals of its vertex, and, where a pair
/// counts for both directions, down, to those of its columns, which are the sources. `values`:
/// [cols] of the value type.
struct SweptRow {
  /// Counts cells (not or-and) and finds the range, as a `RowSweep`. `counts`:
  /// [count_tables(cells), cells.count()], tables to be added up.
  Extremes<double> (*count)(const void* values, std::int64_t cols, const HistogramBins& cells,
                            std::int64_t* counts);
  /// Adds the whole row to column `vertex` of `across`, and value i to column i of `down`, unless
  /// that is null. `found`: the range of the row.
  void (*add)(const void* values, std::int64_t cols, const Extremes<double>& found,
              const ColumnTotals& across, Vertex vertex, const ColumnTotals* down);
  /// Where a value is greater than greatest[i], or equal and `vertex` smaller than farthest[i],
  /// both are replaced. `greatest`: [cols] of the value type. `farthest`: [cols].
  void (*raise)(const void* values, std::int64_t cols, Vertex vertex, void* greatest,
                Vertex* farthest);
  /// Adds value i to high[i] + low[i], each [cols]; what has no path adds anything.
  void (*add_lanes)(const void* values, std::int64_t cols, double* high, double* low);
  /// The smallest of sources[i] where the value is `value`; `kNoVertex` where none is.
  Vertex (*first_at)(const void* values, std::int64_t cols, double value, const Vertex* sources);
  /// greatest[i] as a double, and how to begin: with a value that every other one replaces.
  double (*greatest_at)(const void* greatest, std::int64_t i);
  void (*begin)(void* greatest, std::int64_t cols);
  /// Copies a row and replaces a value of it by "no path".
  void (*copy_without)(const void* values, std::int64_t cols, std::int64_t left_out, void* copy);
};

constexpr Vertex kNoVertex = ~Vertex{0};

SweptRow swept_row(Semiring semiring, ValueType type);

}  // namespace apsp::statistics
