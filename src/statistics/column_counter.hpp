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
  void set_sums(Vertex v, std::uint64_t distances, const ReciprocalSum& reciprocals,
                std::uint32_t sources);

  std::vector<Farthest> farthest;  // [n]; min-plus only
};

class ColumnCounter : public flow::ColumnSink::Writer {
 public:
  /// Called once, after all blocks. `pairs_once`: only `counts` has each pair once, not twice.
  virtual ColumnCounts& totals() = 0;
};

/// Outlives its counters.
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
/// Converts the counts of a device. Requires: not `pairs_once`.
ColumnCounts counted_totals(const CountedColumns& problem, const flow::CountedDistances& counted);

}  // namespace apsp::statistics
