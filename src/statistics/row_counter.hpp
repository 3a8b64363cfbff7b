// The inner loops of statistics, compiled for each instruction set with the same results to the
// last bit (column_sums.hpp). Arithmetic on neighbours vectorises and counting does not, so they
// are separate loops. Reciprocals are divided: a table is no faster, at 2 cycles a double for any
// width.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/semiring.hpp>
#include <cstdint>
#include <limits>

#include "statistics/column_sums.hpp"
#include "statistics/histogram_bins.hpp"

namespace apsp::statistics {

struct ColumnTotals {
  ColumnSums& sum;         // of distances
  ColumnSums& harmonic;    // of reciprocals of positive distances
  std::uint32_t* reached;  // [n] number of distances
};

/// Least and greatest distance; least > greatest if there is none.
template <class T>
struct Extremes {
  using Limits = std::numeric_limits<T>;
  T least = Limits::has_infinity ? Limits::infinity() : Limits::max();
  T greatest = Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
};

/// Larger limits scatter the counts: one table is then as fast as several, which would take tens of
/// megabytes a thread (planner/memory.cpp).
constexpr std::int64_t kNarrowLimit = std::int64_t{1} << 17;

/// Tables for distances by target vertex.
inline std::int64_t count_tables(const HistogramBins& cells) {
  return cells.limit() > kNarrowLimit ? 1 : 4;
}

/// Loops over a row of distances. By rows, value i belongs to column `first` + i (down). By
/// columns, the row has the distances of one vertex from all sources of a block: all values belong
/// to the vertex (across), and value i to lane i, a source (down). `values`: [cols] of the value
/// type.
struct RowOperations {
  /// Counts bins, except with or-and. `tables`: 1 or 4. `counts`: [tables, cells.count()].
  Extremes<double> (*count)(const void* values, std::int64_t cols, const HistogramBins& cells,
                            std::int64_t tables, std::int64_t* counts);
  /// Adds all values to column `vertex` of `across`, and value i to column `first` + i of `down`,
  /// unless null. `found`: as `count` returns it.
  void (*add)(const void* values, std::int64_t cols, const Extremes<double>& found,
              const ColumnTotals* across, Vertex vertex, const ColumnTotals* down,
              std::int64_t first);
  /// Replaces greatest[i] and farthest[i] if the value is greater, or equal with a smaller vertex.
  void (*raise)(const void* values, std::int64_t cols, Vertex vertex, void* greatest,
                Vertex* farthest);
  /// Adds value i to high[i] + low[i]. Values without a path are added too.
  void (*add_lanes)(const void* values, std::int64_t cols, double* high, double* low);
  /// The smallest sources[i] with `value`, or `kNoVertex`.
  Vertex (*first_at)(const void* values, std::int64_t cols, double value, const Vertex* sources);
  /// `begin` fills `greatest` with the lowest value.
  double (*greatest_at)(const void* greatest, std::int64_t i);
  void (*begin)(void* greatest, std::int64_t cols);
  /// copy [cols] ← `values`, with "no path" at `left_out`.
  void (*copy_without)(const void* values, std::int64_t cols, std::int64_t left_out, void* copy);
};

constexpr Vertex kNoVertex = ~Vertex{0};

RowOperations row_operations(Semiring semiring, ValueType type);

}  // namespace apsp::statistics
