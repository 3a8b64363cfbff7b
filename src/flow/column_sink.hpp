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

/// Counts of any distances ≥ 0, binned (kernels/distance_count.hpp).
struct PlacedDistances {
  kernels::DistancePlaces places{};
  base::SliceRange sums{}, reciprocals{};
  std::uint64_t least = 0;                  ///< bits of a double
  std::vector<kernels::DistanceTotals> to;  ///< [n] by target
  std::vector<kernels::FarthestRow> from;   ///< [n] by source
  std::vector<std::int64_t> counts;

  void add(const PlacedDistances& other) {
    least = std::min(least, other.least);
    for (std::size_t v = 0; v < to.size(); ++v) {
      to[v].add(other.to[v]);
      if (other.from[v].distance >= 0) from[v] = other.from[v];
    }
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += other.counts[i];
  }
};

/// A device's counts of all distances between some sources and all other vertices. Distances are
/// integers below the size of `counts`, or else `placed`.
struct CountedDistances {
  /// Totals of one target over all sources that reach it.
  struct To {
    std::uint64_t sum = 0;
    /// Reciprocals of positive distances, each rounded to a double: high × 2^-32 + low × 2^-73.
    std::int64_t high = 0, low = 0;
    std::uint32_t reached = 0;

    /// `low` stays within 2^41 of 0, so it never overflows.
    void add(const To& other) {
      constexpr int kDigits = 41;  // below the last binary digit of `high`
      low += other.low;
      const std::int64_t carried = low >> kDigits;
      low -= carried * (std::int64_t{1} << kDigits);
      high += other.high + carried;
      sum += other.sum;
      reached += other.reached;
    }
  };
  /// The greatest distance of one source and the smallest vertex at that distance.
  struct From {
    bool reaches = false;  ///< any vertex
    std::uint32_t greatest = 0;
    Vertex farthest = 0;

    void add(const From& other) {
      const bool farther = !reaches || other.greatest > greatest ||
                           (other.greatest == greatest && other.farthest < farthest);
      if (other.reaches && farther) *this = other;
    }
  };

  /// Adds counts of other pairs.
  void add(const CountedDistances& other) {
    if (placed && other.placed) placed->add(*other.placed);
    for (std::size_t v = 0; v < to.size(); ++v) {
      to[v].add(other.to[v]);
      from[v].add(other.from[v]);
    }
    for (std::size_t d = 0; d < counts.size(); ++d) counts[d] += other.counts[d];
    for (std::size_t v = 0; v < other.within.size(); ++v) within[v].add(other.within[v]);
  }

  std::vector<To> to;  ///< [n]
  std::vector<From> from;
  std::vector<std::int64_t> counts;  ///< [limit] by distance
  std::optional<PlacedDistances> placed{};
  std::vector<kernels::ColumnWithin> within{};  ///< [n] by source; empty without `component`
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
  virtual bool takes_placed() const { return false; }
  /// Accepts counts instead of values. Requires: not `pairs_once`; every distance is below
  /// `count_limit`, or `takes_placed` and the counts are binned.
  virtual void take_counted(const CountedDistances&) {
    throw Error(ErrorKind::defect, "this sink takes distances, not counts of them");
  }
};

}  // namespace apsp::flow
