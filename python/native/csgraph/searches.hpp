// Dijkstra's searches for apsp.csgraph: rows with a limit, and the nearest of several sources.
//
// They are for what is too small for a plan, for limits, and for predecessors: there distances and
// trees come from the same sums.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "arcs.hpp"

namespace apsp::python::csgraph {

inline constexpr std::int32_t kNoPredecessor = -9999;  // as SciPy writes it

/// A row of the result of a call.
struct Row {
  double* distances = nullptr;           // [n]
  std::int32_t* predecessors = nullptr;  // [n], or null
};

/// One search after another over the same arcs, keeping memory. One a thread.
class Searches {
 public:
  /// Requires: no negative weights. `arcs` must outlive this.
  explicit Searches(const Arcs& arcs) : arcs_(arcs) {}

  /// Fills the row of `source`: farther than `limit` is infinity. O(m + n log n).
  void search(Vertex source, double limit, const Row& row);

  /// Fills for every vertex the distance from the nearest of `sources`, and which one that is: of
  /// several the one that stands first. `nearest`: [n], −9999 where there is none.
  void search_nearest(std::span<const Vertex> sources, double limit, const Row& row,
                      std::int32_t* nearest);

 private:
  struct Key {
    double distance;
    std::uint32_t rank;  // of the source, in the order given
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
