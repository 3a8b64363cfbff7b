// The last step of all statistics.
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

#include "base/byte_stream.hpp"
#include "base/double_double.hpp"
#include "graph/components.hpp"
#include "statistics/column_sums.hpp"
#include "statistics/histogram_bins.hpp"
#include "statistics/row_counter.hpp"
#include "store/selection.hpp"
#include "system/aligned_memory.hpp"

namespace apsp::statistics {

struct Extreme {
  double value = 0;
  VertexPair pair;
};

/// Eccentricities. Ties go to the first row.
struct ExtremeRows {
  std::optional<Extreme> diameter, radius;

  /// Returns whether the row is an extreme now.
  bool note(const Extreme& row);
  void add(const ExtremeRows& other);
};

struct CountedMatrix {
  CountedMatrix(const Graph& graph, Semiring semiring, ValueType type, double greatest_possible,
                const store::Selection& selection);

  std::int64_t n;
  store::Selection selection;
  Semiring semiring;
  ValueType type;
  HistogramBins cells;
  std::int64_t cell_count;  // 0 with or-and
  /// Min-plus: the component of radius and centre; empty if the graph is strongly connected.
  std::optional<graph::LargestComponent> component;
  /// Paths enter or leave the component, so distances within it are counted separately.
  bool counts_within;
};

struct WithinComponent {
  std::vector<double> greatest;  // [n] by source; −infinity: none
  std::vector<base::DoubleDouble> sums;

  explicit WithinComponent(std::int64_t n = 0)
      : greatest(static_cast<std::size_t>(n), -std::numeric_limits<double>::infinity()),
        sums(static_cast<std::size_t>(n)) {}
  void add(const WithinComponent& other);
};

/// Counts of one thread or of all.
struct DistanceTotals {
  /// `rows`: most distances in a column; `cells`: number of bins, 0 with or-and.
  DistanceTotals(std::int64_t columns, std::int64_t rows, std::int64_t cells)
      : counts(table_of(cells, columns * rows)),
        sum(columns, rows),
        harmonic(columns, rows),
        reached(static_cast<std::size_t>(columns)) {}

  void add(const DistanceTotals& other, const HistogramBins& cells);
  void write(base::ByteWriter& to, const HistogramBins& cells) const;
  void read(base::ByteReader& from, const HistogramBins& cells);
  void widen(const Extremes<double>& found) {
    range.least = std::min(range.least, found.least);
    range.greatest = std::max(range.greatest, found.greatest);
  }
  /// The counts between the extremes; there may be a million other bins. Empty with or-and.
  std::span<const std::int64_t> counts_in_range(const HistogramBins& cells) const;
  std::span<std::int64_t> counts_in_range(const HistogramBins& cells) {
    const auto some = std::as_const(*this).counts_in_range(cells);
    return {const_cast<std::int64_t*>(some.data()), some.size()};
  }

  /// Uses small pages if few bins are touched.
  static system::AlignedMemory table_of(std::int64_t cells, std::int64_t values) {
    const std::int64_t bytes = cells * std::int64_t{sizeof(std::int64_t)};
    return values < cells ? system::AlignedMemory::on_small_pages(bytes)
                          : system::AlignedMemory(bytes);
  }

  system::AlignedMemory counts;        // [cells] of int64
  ColumnSums sum;                      // [columns] of distances
  ColumnSums harmonic;                 // [columns] of reciprocals
  std::vector<std::uint32_t> reached;  // [columns] sources with a path
  Extremes<double> range = {std::numeric_limits<double>::infinity(),
                            -std::numeric_limits<double>::infinity()};  // least > greatest: none
};

/// Totals over ordered pairs of distinct vertices of the selection.
struct Found {
  const CountedMatrix& matrix;
  store::VertexList columns;
  const DistanceTotals& totals;
  ExtremeRows extremes;
  ExtremeRows extremes_within;           // from and to vertices of the component
  const WithinComponent& within;         // if it is counted separately
  std::span<const double> eccentricity;  // [n]; 0: reaches no vertex
};

Statistics statistics_of(const Found& found);

}  // namespace apsp::statistics
