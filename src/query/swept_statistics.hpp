// Statistics of distances that come vertex by vertex, as a sweep over a sparse factor brings them:
// of each vertex a row of distances from a block of sources, side by side.
//
// The result is the one that `StatisticsPass` has for the same distances, to the last bit, in any
// order, cut into any blocks among any number of threads.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/semiring.hpp>
#include <apsp/statistics.hpp>
#include <cstdint>
#include <memory>
#include <span>

namespace apsp::query {

class SweptStatistics {
 public:
  /// What one thread counts with.
  class Counter {
   public:
    virtual ~Counter() = default;
    /// A block. `sources` is read until `end` returns.
    virtual void begin(std::span<const Vertex> sources) = 0;
    /// `values`: [vertices.size(), lanes] of the value type without gaps, rows aligned to 64 bytes
    /// and a multiple of 64 bytes long; row j, column i holds the distance from sources[i] to
    /// vertices[j]. Columns beyond the sources hold anything. Every vertex once in a block, at
    /// most.
    virtual void take(std::span<const Vertex> vertices, const void* values, std::int64_t lanes) = 0;
    virtual void end() = 0;
  };

  /// `greatest_possible`: as for `StatisticsPass`.
  ///
  /// Without `pairs_once` every ordered pair of distinct vertices must come exactly once. The
  /// distance of a vertex to itself, where it comes, is left out.
  ///
  /// With `pairs_once` distances are the same in both directions, and of every two distinct
  /// vertices s and t exactly one of (s, t) and (t, s) must come: it counts for both. Within a
  /// block both directions come side by side, therefore of the row of a vertex that is itself
  /// sources[k] only columns i < k count; all others of that row are left out.
  SweptStatistics(const Graph& graph, Semiring semiring, ValueType type, double greatest_possible,
                  bool pairs_once);
  ~SweptStatistics();

  /// A new one, for one thread at a time; it lives as long as this object. From any thread.
  Counter& counter();
  /// Requires: every block has ended. Once.
  Statistics statistics();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace apsp::query
