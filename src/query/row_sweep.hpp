// The inner loop of the statistics: one stretch of a row into the totals of its columns, the counts
// of its cells and its range.
//
// Loops are kept apart because arithmetic on neighbours vectorises and counting at scattered places
// does not. They are plain loops, compiled for each instruction set and chosen at run time; sums
// hold every digit (column_sums.hpp), so the results are the same to the last bit. A reciprocal by
// division is as quick as by a table, for integers too, and is what bounds f32 then: a divider
// takes 2 cycles a double at any width of vectors.
#pragma once

#include <apsp/semiring.hpp>
#include <cstdint>
#include <limits>

#include "query/column_sums.hpp"
#include "query/value_cells.hpp"

namespace apsp::query {

/// Totals over the rows seen so far.
struct ColumnTotals {
  ColumnSums& sum;         // of distances, without "no path"
  ColumnSums& harmonic;    // of reciprocals of the positive ones
  std::uint32_t* reached;  // [n] how many are not "no path"
};

/// Least and greatest distance of a stretch; least > greatest where it holds none.
template <class T>
struct Extremes {
  T least = std::numeric_limits<T>::max();
  T greatest = std::numeric_limits<T>::lowest();
};

/// The stretch is columns [first, first + cols). `values`: [cols] of the value type. `counts`:
/// [cells.count()]; or-and only counts `reached`.
using RowSweep = Extremes<double> (*)(const void* values, std::int64_t first, std::int64_t cols,
                                      const ColumnTotals& totals, const ValueCells& cells,
                                      std::int64_t* counts);

RowSweep row_sweep(Semiring semiring, ValueType type);

}  // namespace apsp::query
