// What a device has counted of all distances between some sources and all vertices, where these are
// whole numbers from 0 on. Of a vertex and itself nothing is counted.
#pragma once

#include <apsp/graph.hpp>
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

  std::vector<To> to;                ///< [n]
  std::vector<From> from;            ///< [n]
  std::vector<std::int64_t> counts;  ///< [limit] by distance
};

}  // namespace apsp::store
