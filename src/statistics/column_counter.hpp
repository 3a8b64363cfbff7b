// Counters behind `SweptStatistics`: one for all semirings and types, and a quicker one for short
// distances.
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

/// The greatest distance of a vertex, and the smallest vertex at that distance.
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

/// Distances from a source to the other vertices of its component.
struct FromWithin {
  Farthest farthest;
  base::DoubleDouble sum;
};

/// What has been counted of distances that come vertex by vertex: of one thread, or of all.
struct ColumnCounts : DistanceTotals {
  /// For n vertices; `cells`: 0 with or-and.
  ColumnCounts(std::int64_t n, std::int64_t cells)
      : DistanceTotals(n, n, cells), farthest(static_cast<std::size_t>(n)) {}

  /// As those of `DistanceTotals`.
  void add(const ColumnCounts& other, const HistogramBins& cells);
  void write(base::ByteWriter& to, const HistogramBins& cells) const;
  void read(base::ByteReader& from, const HistogramBins& cells);
  /// What is known of the distances to v, which are whole numbers.
  void set_sums(Vertex v, std::uint64_t distances, const ReciprocalSum& reciprocals,
                std::uint32_t sources);

  std::vector<Farthest> farthest;  // [n]; min-plus only
};

class ColumnCounter : public flow::ColumnSink::Writer {
 public:
  /// What was counted. Requires: every block has ended. Once. With `pairs_once` each pair is still
  /// counted once in `counts`, and in all others for both directions.
  virtual ColumnCounts& totals() = 0;
};

/// What counters share; it outlives them.
struct CountedColumns : CountedMatrix {
  bool pairs_once = false;
  /// [n] by source, or empty; each is written by the counter that the source's block comes to.
  mutable std::vector<FromWithin> within{};

  bool is_within(Vertex v) const { return component && component->holds[v] != 0; }
  ColumnCounts no_totals() const { return {n, cell_count}; }
};

std::unique_ptr<ColumnCounter> any_counter(const CountedColumns& problem);
/// For min-plus in u16 and i32 and up to 2^27 vertices, which is not all that `any_counter` takes.
std::unique_ptr<ColumnCounter> whole_counter(const CountedColumns& problem);
/// Of what a device has counted, in the problems that `whole_counter` takes, or placed. Without
/// `pairs_once`.
ColumnCounts counted_totals(const CountedColumns& problem, const flow::CountedDistances& counted);

}  // namespace apsp::statistics
