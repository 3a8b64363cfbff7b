// What a device has counted of all distances between some sources and all vertices, where these are
// whole numbers from 0 on. Of a vertex and itself nothing is counted.
#pragma once

#include <apsp/graph.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace apsp::store {

struct CountedDistances {
  /// Of one vertex: distances from all sources that have a path to it.
  struct To {
    std::uint64_t sum = 0;
    /// Reciprocals of the positive ones, each first rounded to a double, add up to
    /// high × 2^-32 + low × 2^-73.
    std::int64_t high = 0, low = 0;
    std::uint32_t reached = 0;
  };
  /// Of one source: its greatest distance, and the smallest vertex that has it.
  struct From {
    bool reaches = false;  ///< anyone
    std::uint32_t greatest = 0;
    Vertex farthest = 0;
  };

  /// What another device has counted, from other sources, to the same vertices.
  void add(const CountedDistances& other) {
    for (std::size_t v = 0; v < to.size(); ++v) {
      to[v].sum += other.to[v].sum;
      to[v].high += other.to[v].high;
      to[v].low += other.to[v].low;
      to[v].reached += other.to[v].reached;
      if (other.from[v].reaches) from[v] = other.from[v];
    }
    for (std::size_t d = 0; d < counts.size(); ++d) counts[d] += other.counts[d];
  }

  std::vector<To> to;                ///< [n]
  std::vector<From> from;            ///< [n]
  std::vector<std::int64_t> counts;  ///< [limit] by distance
};

}  // namespace apsp::store
