// The counters of `SweptStatistics`.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "base/byte_stream.hpp"
#include "base/double_double.hpp"
#include "statistics/column_statistics.hpp"
#include "statistics/column_sums.hpp"
#include "statistics/histogram_bins.hpp"
#include "statistics/row_counter.hpp"
#include "statistics/statistics_found.hpp"

namespace apsp::statistics {

struct ReciprocalSum;

/// The greatest distance of a vertex and the smallest vertex at that distance.
template <class Distance>
struct FarthestAt {
  Distance distance = std::numeric_limits<Distance>::lowest();
  Vertex vertex = kNoVertex;  // none: no distance yet

  bool is_raised_by(Distance other, Vertex at) const {
    return other > distance || (other == distance && at < vertex);
  }
  void raise(Distance other, Vertex at) {
    if (is_raised_by(other, at)) *this = {other, at};
  }
  void raise(const FarthestAt& other) { raise(other.distance, other.vertex); }
};
using Farthest = FarthestAt<double>;

/// Distances from a source to other vertices of its component.
struct FromWithin {
  Farthest farthest;
  base::DoubleDouble sum;
};

/// Counts of one thread or of all threads.
struct ColumnCounts : DistanceTotals {
  /// `cells`: number of bins; 0 with or-and.
  ColumnCounts(std::int64_t n, std::int64_t cells)
      : DistanceTotals(n, n, cells), farthest(static_cast<std::size_t>(n)) {}

  void add(const ColumnCounts& other, const HistogramBins& cells);
  void write(base::ByteWriter& to, const HistogramBins& cells) const;
  void read(base::ByteReader& from, const HistogramBins& cells);
  /// Sets the totals of distances to v, which are integers.
  void set_sums(Vertex v, std::uint64_t distances, const ReciprocalSum& reciprocals,
                std::uint32_t sources);

  std::vector<Farthest> farthest;  // [n]; min-plus only
};

class ColumnCounter : public flow::ColumnSink::Writer {
 public:
  /// Called once, after all blocks. With `pairs_once`, `counts` has each pair once, the other
  /// members have both directions.
  virtual ColumnCounts& totals() = 0;
};

/// The problem that counters share. Must outlive them.
struct CountedColumns : CountedMatrix {
  bool pairs_once = false;
  /// [n] by source, or empty. Each element has one writer: the counter of its block.
  mutable std::vector<FromWithin> within{};

  bool is_within(Vertex v) const { return component && component->holds[v] != 0; }
  ColumnCounts no_totals() const { return {n, cell_count}; }
};

std::unique_ptr<ColumnCounter> any_counter(const CountedColumns& problem);
/// Counts integers of min-plus in u16 or i32, for up to 2^27 vertices. Faster than `any_counter`.
std::unique_ptr<ColumnCounter> whole_counter(const CountedColumns& problem);
/// Converts the counts of a device for a problem of `whole_counter`, or binned ones. Requires: not
/// `pairs_once`.
ColumnCounts counted_totals(const CountedColumns& problem, const flow::CountedDistances& counted);

}  // namespace apsp::statistics
