// Distances that come by target vertex, from sweeps over a factor, or as counts of a device.
#pragma once

#include <algorithm>
#include <apsp/error.hpp>
#include <apsp/graph.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kernels/distance_count.hpp"

namespace apsp::flow {

/// A device's counts of all distances ≥ 0 between some sources and all other vertices.
struct CountedDistances {
  /// Counts of any distances, in bins (kernels/distance_count.hpp).
  struct Binned {
    kernels::DistanceBins bins{};
    base::SliceRange sums{}, reciprocals{};
    std::uint64_t least = 0;                  ///< bits of a double
    std::vector<kernels::DistanceTotals> to;  ///< [n] by target
  };

  /// Adds counts of other pairs by the same method.
  void add(const CountedDistances& other) {
    const auto add_all = [](auto& mine, const auto& theirs) {
      for (std::size_t i = 0; i < theirs.size(); ++i) mine[i].add(theirs[i]);
    };
    add_all(to, other.to);
    add_all(from, other.from);
    add_all(within, other.within);
    for (std::size_t i = 0; i < other.counts.size(); ++i) counts[i] += other.counts[i];
    if (!binned) return;
    binned->least = std::min(binned->least, other.binned->least);
    add_all(binned->to, other.binned->to);
  }

  std::vector<kernels::RowTotals> to;   ///< [n] by target; empty if the counts are `binned`
  std::vector<kernels::Farthest> from;  ///< [n] by source
  /// [limit] by distance, an integer; or [binned->bins.count()] by bin.
  std::vector<std::int64_t> counts;
  std::optional<Binned> binned{};
  std::vector<kernels::DistancesWithin> within{};  ///< [n] by source; empty without `component`
};

/// Receives the distances from all sources of a block, vertex by vertex.
class ColumnSink {
 public:
  /// The accumulator of one thread.
  class Writer {
   public:
    virtual ~Writer() = default;
    /// Begins a block. `sources` must stay valid until `end` returns.
    virtual void begin(std::span<const Vertex> sources) = 0;
    /// `values`: [vertices.size(), lanes], without gaps; rows are aligned to 64 bytes and a
    /// multiple of 64 bytes long. Row j, column i is the distance from sources[i] to vertices[j];
    /// columns beyond the sources are arbitrary. Requires: each vertex at most once in a block.
    virtual void take(std::span<const Vertex> vertices, const void* values, std::int64_t lanes) = 0;
    virtual void end() = 0;
    /// Instead of a block: adds the distances from one source to ascending vertices.
    virtual void take_row(Vertex /*source*/, std::span<const Vertex> /*vertices*/,
                          std::span<const double> /*distances*/) {
      throw Error(ErrorKind::defect, "this sink takes columns, not rows");
    }
  };

  virtual ~ColumnSink() = default;

  /// If true, distances are symmetric and exactly one of (s, t) and (t, s) must come for distinct s
  /// and t: for a vertex that is itself sources[k], only columns i < k count. If false, every
  /// ordered pair comes once or has no path.
  virtual bool pairs_once() const = 0;
  /// Creates an accumulator, owned by the sink, for one thread at a time. Thread-safe.
  virtual Writer& part() = 0;

  /// If all distances are below this, a device may deliver counts (`take_counted`); 0: none may.
  virtual std::int64_t count_limit() const { return 0; }
  /// [n] nonzero in a component that is also counted separately (`CountedDistances::within`).
  virtual std::span<const std::uint8_t> component() const { return {}; }
  /// Whether a device may deliver binned counts of any distances (`take_counted`).
  virtual bool takes_binned() const { return false; }
  /// Accepts counts instead of values. Requires: not `pairs_once`; every distance is below
  /// `count_limit`, or `takes_binned` and the counts are binned.
  virtual void take_counted(const CountedDistances&) {
    throw Error(ErrorKind::defect, "this sink takes distances, not counts of them");
  }
};

}  // namespace apsp::flow
