// What takes distances that come in no rows: vertex by vertex, as a sweep over a factor finds them,
// or counted, as a device counts them.
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

/// The same of any distances from 0 on (kernels/distance_count.hpp).
struct PlacedDistances {
  kernels::DistancePlaces places{};
  base::SliceRange sums{}, reciprocals{};
  std::uint64_t least = 0;                  ///< the bits of the least distance, a double
  std::vector<kernels::DistanceTotals> to;  ///< [n] by vertex, over all sources
  std::vector<kernels::FarthestRow> from;   ///< [n] by source
  std::vector<std::int64_t> counts;         ///< [places.count()]

  /// What another device has counted, from other sources, to the same vertices.
  void add(const PlacedDistances& other) {
    least = std::min(least, other.least);
    for (std::size_t v = 0; v < to.size(); ++v) {
      to[v].add(other.to[v]);
      if (other.from[v].distance >= 0) from[v] = other.from[v];
    }
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += other.counts[i];
  }
};

/// Counts by a device of all distances between some sources and all vertices. Of a vertex and
/// itself nothing is counted. Distances are whole numbers from 0 on below a limit, or `placed` has
/// all.
struct CountedDistances {
  /// Of one vertex: distances from all sources that have a path to it.
  struct To {
    std::uint64_t sum = 0;
    /// Reciprocals of the positive ones, each first rounded to a double, add up to
    /// high × 2^-32 + low × 2^-73.
    std::int64_t high = 0, low = 0;
    std::uint32_t reached = 0;

    /// What was counted from other sources. `low` stays within 2^41 of 0, so it never overflows.
    void add(const To& other) {
      constexpr int kDigits = 41;  // of `low` below the last one of `high`
      low += other.low;
      const std::int64_t carried = low >> kDigits;
      low -= carried * (std::int64_t{1} << kDigits);
      high += other.high + carried;
      sum += other.sum;
      reached += other.reached;
    }
  };
  /// Of one source: its greatest distance, and the smallest vertex that has it.
  struct From {
    bool reaches = false;  ///< anyone
    std::uint32_t greatest = 0;
    Vertex farthest = 0;

    /// What was counted to other vertices.
    void add(const From& other) {
      const bool farther = !reaches || other.greatest > greatest ||
                           (other.greatest == greatest && other.farthest < farthest);
      if (other.reaches && farther) *this = other;
    }
  };

  /// What another device has counted of other pairs.
  void add(const CountedDistances& other) {
    if (placed && other.placed) placed->add(*other.placed);
    for (std::size_t v = 0; v < to.size(); ++v) {
      to[v].add(other.to[v]);
      from[v].add(other.from[v]);
    }
    for (std::size_t d = 0; d < counts.size(); ++d) counts[d] += other.counts[d];
    for (std::size_t v = 0; v < other.within.size(); ++v) within[v].add(other.within[v]);
  }

  std::vector<To> to;                ///< [n]
  std::vector<From> from;            ///< [n]
  std::vector<std::int64_t> counts;  ///< [limit] by distance
  std::optional<PlacedDistances> placed{};
  std::vector<kernels::ColumnWithin> within{};  ///< [n] by source, where `component` is not empty
};

/// Takes for each vertex, side by side, the distances from all sources of a block. No row of the
/// matrix is put together.
class ColumnSink {
 public:
  /// The end that one thread gives distances to.
  class Writer {
   public:
    virtual ~Writer() = default;
    /// Begins a block: distances from these sources. `sources` is read until `end` returns.
    virtual void begin(std::span<const Vertex> sources) = 0;
    /// `values`: [vertices.size(), lanes] of the value type without gaps, rows aligned to 64 bytes
    /// and a multiple of 64 bytes long; row j, column i holds the distance from sources[i] to
    /// vertices[j]. Columns beyond the sources hold anything. Every vertex once in a block, at
    /// most.
    virtual void take(std::span<const Vertex> vertices, const void* values, std::int64_t lanes) = 0;
    virtual void end() = 0;
    /// Instead of these: the distances from one source to some vertices, which rise. Not every
    /// sink takes rows.
    virtual void take_row(Vertex /*source*/, std::span<const Vertex> /*vertices*/,
                          std::span<const double> /*distances*/) {
      throw Error(ErrorKind::defect, "this sink takes columns, not rows");
    }
  };

  virtual ~ColumnSink() = default;

  /// If true, distances are the same in both directions, and for two distinct vertices s and t
  /// exactly one of (s, t) and (t, s) must come; in the values of a vertex that is itself
  /// sources[k] only columns i < k count. If false, every ordered pair comes once, or has no path.
  virtual bool pairs_once() const = 0;
  /// Makes a part, for one thread at a time; it lives as long as this object. From any thread.
  virtual Writer& part() = 0;

  /// If all distances are below this, a device may count how often each occurs (`take_counted`)
  /// instead of handing their values on; 0: values must come in any case.
  virtual std::int64_t count_limit() const { return 0; }
  /// [n] not 0 for the vertices of a component, within which distances are counted apart
  /// (`CountedDistances::within`); empty: there is none.
  virtual std::span<const std::uint8_t> component() const { return {}; }
  /// Whether a device may count any distances from 0 on (`CountedDistances::placed`).
  virtual bool takes_placed() const { return false; }
  /// Takes the counts of all distances, instead of their values. Requires: every distance was below
  /// `count_limit`, or `takes_placed` and they are placed; not `pairs_once`.
  virtual void take_counted(const CountedDistances&) {
    throw Error(ErrorKind::defect, "this sink takes distances, not counts of them");
  }
};

}  // namespace apsp::flow
