// Dijkstra's searches for apsp.csgraph: rows with a limit, and the nearest of several sources.
//
// They are for problems too small for a plan, for limits, and for predecessors, because distances
// and trees then come from the same sums.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "arcs.hpp"

namespace apsp::python::csgraph {

inline constexpr std::int32_t kNoPredecessor = -9999;  // as in SciPy

/// A row of the result.
struct Row {
  double* distances = nullptr;           // [n]
  std::int32_t* predecessors = nullptr;  // [n], or null
};

/// Successive searches over the same arcs, which reuse memory; one object per thread.
class Searches {
 public:
  /// Requires: no negative weights. `arcs` must outlive this.
  explicit Searches(const Arcs& arcs) : arcs_(arcs) {}

  /// Fills the row of `source`; vertices beyond `limit` are infinite. O(m + n log n).
  void search(Vertex source, double limit, const Row& row);

  /// Computes for every vertex the distance from the nearest of `sources`, and its index; the first
  /// of equal ones. `nearest`: [n], −9999 for none.
  void search_nearest(std::span<const Vertex> sources, double limit, const Row& row,
                      std::int32_t* nearest);

 private:
  struct Key {
    double distance;
    std::uint32_t rank;  // of the source, in the given order
    Vertex vertex;
    friend bool operator>(const Key& a, const Key& b) {
      if (a.distance != b.distance) return a.distance > b.distance;
      return a.rank != b.rank ? a.rank > b.rank : a.vertex > b.vertex;
    }
  };
  void clear(const Row& row) const;
  void push(Key key);
  Key pop();

  const Arcs& arcs_;
  std::vector<Key> heap_;
  std::vector<std::uint32_t> rank_;  // [n] of the nearest source so far
};

}  // namespace apsp::python::csgraph
