// A taker of distances vertex by vertex, as a sweep over a factor finds them: for each vertex, side
// by side, the distances from all sources of a block. No row of the matrix is put together.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>
#include <span>

#include "store/counted_distances.hpp"

namespace apsp::store {

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
  /// Takes the counts of all distances, instead of their values. Requires: every distance was below
  /// `count_limit`; not `pairs_once`.
  virtual void take_counted(const CountedDistances& counted);
};

}  // namespace apsp::store
