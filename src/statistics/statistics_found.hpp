// The last step of statistics, the same for every way of counting: from totals to `Statistics`.
#pragma once

#include <algorithm>
#include <apsp/graph.hpp>
#include <apsp/semiring.hpp>
#include <apsp/statistics.hpp>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/aligned_memory.hpp"
#include "base/byte_stream.hpp"
#include "base/double_double.hpp"
#include "graph/components.hpp"
#include "statistics/column_sums.hpp"
#include "statistics/histogram_bins.hpp"
#include "statistics/row_counter.hpp"
#include "store/selection.hpp"

namespace apsp::statistics {

/// A candidate for diameter or radius.
struct Extreme {
  double value = 0;
  VertexPair pair;
};

/// Min-plus: the greatest and the least of the rows' greatest distances; of equal ones the first
/// row wins.
struct ExtremeRows {
  std::optional<Extreme> diameter, radius;

  /// The greatest distance of a row. Returns whether it is one of both now.
  bool note(const Extreme& row);
  void add(const ExtremeRows& other);
};

/// Whose distances are counted, and into which cells.
struct CountedMatrix {
  /// `greatest_possible`: as for `StatisticsPass`.
  CountedMatrix(const Graph& graph, Semiring semiring, ValueType type, double greatest_possible,
                const store::Selection& selection);

  std::int64_t n;
  store::Selection selection;
  Semiring semiring;
  ValueType type;
  HistogramBins cells;
  std::int64_t cell_count;  // 0 with or-and
  /// Min-plus: the component of radius and centre; empty: the graph is one.
  std::optional<graph::LargestComponent> component;
  /// Paths enter or leave the component, so that what is within it is counted apart.
  bool counts_within;
};

/// Distances within the largest component of a graph in which paths lead out of it, or into it.
struct WithinComponent {
  std::vector<double> greatest;          // [n] by source; −infinity: none
  std::vector<base::DoubleDouble> sums;  // [n] by source

  explicit WithinComponent(std::int64_t n = 0)
      : greatest(static_cast<std::size_t>(n), -std::numeric_limits<double>::infinity()),
        sums(static_cast<std::size_t>(n)) {}
  /// Those of other sources.
  void add(const WithinComponent& other);
};

/// What was counted of some distances: by one thread, or by all.
struct DistanceTotals {
  /// `rows`: the most distances of a column; `cells`: 0 with or-and.
  DistanceTotals(std::int64_t columns, std::int64_t rows, std::int64_t cells)
      : counts(table_of(cells, columns * rows)),
        sum(columns, rows),
        harmonic(columns, rows),
        reached(static_cast<std::size_t>(columns)) {}

  /// `cells`: of both.
  void add(const DistanceTotals& other, const HistogramBins& cells);
  /// For another process, and what another one wrote, instead of what was here.
  void write(base::ByteWriter& to, const HistogramBins& cells) const;
  void read(base::ByteReader& from, const HistogramBins& cells);
  void widen(const Extremes<double>& found) {
    range.least = std::min(range.least, found.least);
    range.greatest = std::max(range.greatest, found.greatest);
  }
  /// The counts of the cells from that of the least distance to that of the greatest one: there may
  /// be a million others. Empty with or-and.
  std::span<const std::int64_t> counts_in_range(const HistogramBins& cells) const;
  std::span<std::int64_t> counts_in_range(const HistogramBins& cells) {
    const auto some = std::as_const(*this).counts_in_range(cells);
    return {const_cast<std::int64_t*>(some.data()), some.size()};
  }

  /// Of so many values, where they are fewer than the cells, few cells are touched.
  static base::AlignedMemory table_of(std::int64_t cells, std::int64_t values) {
    const std::int64_t bytes = cells * std::int64_t{sizeof(std::int64_t)};
    return values < cells ? base::AlignedMemory::on_small_pages(bytes) : base::AlignedMemory(bytes);
  }

  base::AlignedMemory counts;          // [cells] of int64
  ColumnSums sum;                      // [columns] of incoming distances
  ColumnSums harmonic;                 // [columns] of reciprocals of the positive ones
  std::vector<std::uint32_t> reached;  // [columns] sources with a path to the vertex
  Extremes<double> range = {std::numeric_limits<double>::infinity(),
                            -std::numeric_limits<double>::infinity()};  // least > greatest: none
};

/// Over the ordered pairs of distinct vertices that the selection holds.
struct Found {
  const CountedMatrix& matrix;
  store::VertexList columns;  // vertices of the columns of `totals`
  const DistanceTotals& totals;
  ExtremeRows extremes;                  // of the rows that came
  ExtremeRows extremes_within;           // of those from the component, to vertices in it
  const WithinComponent& within;         // where it is counted apart
  std::span<const double> eccentricity;  // [n], 0: reaches nobody
};

Statistics statistics_of(const Found& found);

}  // namespace apsp::statistics
