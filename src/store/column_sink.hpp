// Whoever takes distances vertex by vertex, as a sweep over a factor finds them: of each vertex a
// row of distances from a block of sources, side by side. No row of the matrix is put together.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>
#include <span>

#include "store/counted_distances.hpp"

namespace apsp::store {

class ColumnSink {
 public:
  /// What one thread gives to.
  class Part {
   public:
    virtual ~Part() = default;
    /// A block. `sources` is read until `end` returns.
    virtual void begin(std::span<const Vertex> sources) = 0;
    /// `values`: [vertices.size(), lanes] of the value type without gaps, rows aligned to 64 bytes
    /// and a multiple of 64 bytes long; row j, column i holds the distance from sources[i] to
    /// vertices[j]. Columns beyond the sources hold anything. Every vertex once in a block, at
    /// most.
    virtual void take(std::span<const Vertex> vertices, const void* values, std::int64_t lanes) = 0;
    virtual void end() = 0;
  };

  virtual ~ColumnSink() = default;

  /// Whether of every two distinct vertices s and t exactly one of (s, t) and (t, s) must come, as
  /// distances are the same in both directions. Of the row of a vertex that is itself sources[k]
  /// only columns i < k count then. Else every ordered pair comes once, or has no path.
  virtual bool pairs_once() const = 0;
  /// A new one, for one thread at a time; it lives as long as this object. From any thread.
  virtual Part& part() = 0;

  /// Distances that a device can count are below this; 0: whatever they are, they must come as
  /// values.
  virtual std::int64_t count_limit() const { return 0; }
  /// Takes what was counted of all distances, instead of their values. Requires: they all were
  /// below `count_limit`; not `pairs_once`.
  virtual void take_counted(const CountedDistances& counted);
};

}  // namespace apsp::store
