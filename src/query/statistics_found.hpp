// The last step of statistics, the same for every way of counting: from totals to `Statistics`.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/semiring.hpp>
#include <apsp/statistics.hpp>
#include <cstdint>
#include <optional>
#include <span>

#include "query/column_sums.hpp"
#include "query/row_sweep.hpp"
#include "query/value_cells.hpp"
#include "store/selection.hpp"

namespace apsp::query {

/// A candidate for diameter or radius.
struct Extreme {
  double value = 0;
  VertexPair pair;
};

/// Whether every value of the type, or of the graph, is an integer.
bool integral_values(const Graph& graph, ValueType type);

/// Whether a row whose greatest distance is `value` comes before the best so far; of equal ones the
/// first row wins. `sign`: 1 for the largest, −1 for the smallest.
bool comes_first(const std::optional<Extreme>& best, double value, Vertex from, double sign);

/// Over the ordered pairs of distinct vertices that the selection holds.
struct Found {
  std::int64_t n = 0;
  const store::Selection& selection;
  Semiring semiring = Semiring::min_plus;
  const ValueCells& cells;
  std::span<const std::int64_t> counts;    // [cells.count()]; or-and: empty
  std::span<const Vertex> columns;         // vertices of the columns below; empty: all n
  const ColumnSums& sum;                   // [columns] of incoming distances
  const ColumnSums& harmonic;              // [columns] of reciprocals of the positive ones
  std::span<const std::uint32_t> reached;  // [columns] sources with a path to the vertex
  Extremes<double> range;                  // least > greatest: no pair has a path
  std::optional<Extreme> diameter;         // min-plus: of the rows that came
  std::optional<Extreme> radius;
  std::span<const double> eccentricity;  // [n], 0: reaches nobody
};

Statistics statistics_of(const Found& found);

}  // namespace apsp::query
