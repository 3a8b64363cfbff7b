// The accumulator that statistics by rows, by columns and of a device share, and their last step.
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
#include "graph/components.hpp"
#include "kernels/distance_count.hpp"
#include "statistics/column_sums.hpp"
#include "statistics/histogram_bins.hpp"
#include "statistics/row_counter.hpp"
#include "store/selection.hpp"
#include "system/aligned_memory.hpp"

namespace apsp::statistics {

using kernels::DistancesWithin;
using kernels::Farthest;

struct CountedMatrix {
  CountedMatrix(const Graph& graph, Semiring semiring, ValueType type, double greatest_possible,
                const store::Selection& selection);

  bool is_within(Vertex v) const { return component && component->holds[v] != 0; }

  std::int64_t n;
  bool directed;
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

/// Counts of one thread or of all.
struct Totals {
  /// `rows`: most distances in a column; `cells`: number of bins, 0 with or-and; `sources`: size of
  /// `farthest`.
  Totals(std::int64_t columns, std::int64_t rows, std::int64_t cells, std::int64_t sources)
      : counts(table_of(cells, columns * rows)),
        sum(columns, rows),
        harmonic(columns, rows),
        reached(static_cast<std::size_t>(columns)),
        farthest(static_cast<std::size_t>(sources)) {}

  /// Adds counts of other pairs. Requires: equal sizes.
  void merge(const Totals& other, const HistogramBins& cells);
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
  ColumnTotals columns() { return {sum, harmonic, reached.data()}; }

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
  /// [n] by source, min-plus only; empty where threads share one array.
  std::vector<Farthest> farthest;
  Extremes<double> range = {std::numeric_limits<double>::infinity(),
                            -std::numeric_limits<double>::infinity()};  // least > greatest: none
};

struct Extreme {
  double value = 0;
  VertexPair pair;
};

/// Eccentricities. Ties go to the first row.
struct ExtremeRows {
  std::optional<Extreme> diameter, radius;

  /// Returns whether the row is an extreme now.
  bool note(const Extreme& row);
};

/// Counts of all ordered pairs of distinct vertices of the selection.
struct Found {
  const CountedMatrix& matrix;
  store::VertexList columns;
  const Totals& totals;
  /// [n] by source, min-plus only. Rows that are no extremes may lack the label.
  std::span<const Farthest> farthest;
  std::span<const DistancesWithin> within;  // [n] by source, if these are counted separately
};

Statistics statistics_of(const Found& found);

}  // namespace apsp::statistics
