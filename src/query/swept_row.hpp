// The inner loops of statistics over values that stand vertex by vertex: one row, which holds the
// distances of one vertex from all sources of a block.
//
// A row is added across, to the totals of its vertex, and, where a pair counts for both directions,
// down, to those of its columns, which are the sources. The loops are
// compiled for each instruction set; sums hold every digit (column_sums.hpp).
#pragma once

#include <apsp/graph.hpp>
#include <apsp/semiring.hpp>
#include <cstdint>

#include "query/row_sweep.hpp"
#include "query/value_cells.hpp"

namespace apsp::query {

/// `values`: [cols] of the value type.
struct SweptRow {
  /// Counts cells (not or-and) and finds the range; as a `RowSweep`, without totals of columns.
  Extremes<double> (*count)(const void* values, std::int64_t cols, const ValueCells& cells,
                            std::int64_t* counts);
  /// Adds the whole row to column `vertex` of `across`, and value i to column i of `down`, unless
  /// that is null. `found`: the range of the row.
  void (*add)(const void* values, std::int64_t cols, const Extremes<double>& found,
              const ColumnTotals& across, Vertex vertex, const ColumnTotals* down);
  /// Where a value is greater than greatest[i], or equal and `vertex` smaller than farthest[i],
  /// both are replaced. `greatest`: [cols] of the value type. `farthest`: [cols].
  void (*raise)(const void* values, std::int64_t cols, Vertex vertex, void* greatest,
                Vertex* farthest);
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

}  // namespace apsp::query
