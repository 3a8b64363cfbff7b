// Distances, intermediate vertices and edge counts of single pairs, wherever they rest.
//
// To check that via splits a pair, the values of two other pairs are needed, which may lie anywhere
// in the matrix. So the planes are held in memory if they fit there, as they rest or copied once;
// else single values are read from the store, some milliseconds each where a chunk has to be
// decoded.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <cstdint>
#include <memory>

#include "store/store.hpp"

namespace apsp::reference {

class PairPlanes {
 public:
  virtual ~PairPlanes() = default;
  virtual double distance(Vertex s, Vertex t) const = 0;  ///< as stored
  virtual std::int32_t via(Vertex s, Vertex t) const = 0;
  /// Requires: the store holds the plane.
  virtual std::int32_t hops(Vertex s, Vertex t) const = 0;
};

/// Bytes that `planes_in_memory` takes; 0 where they rest in memory.
std::int64_t copied_bytes(const store::Store& store);

/// Requires: `store` outlives the planes and holds via. Throws `Error`: does_not_fit, interrupted,
/// the store's own.
std::unique_ptr<PairPlanes> planes_in_memory(const store::Store& store, const Control& control);
std::unique_ptr<PairPlanes> planes_in_store(const store::Store& store);

}  // namespace apsp::reference
