// The arcs of a few thousand neighbouring rows, sorted by row, then target, then weight, in cache.
//
// Rows come apart by counting, as records of 8 bytes where all weights are integers below 2^32,
// else of 16. A row of up to 64 arcs is then sorted by ranks: an arc's place is the number of arcs
// with a smaller target, counted for four arcs at once. That is k²/4 vector steps and not one
// branch on data, where insertion sort mispredicts about once an arc: for the dozen arcs of a usual
// row, 5 ns an arc less. Equal ranks betray parallel arcs: such a row, and longer ones, are sorted
// by comparing records.
#pragma once

#include <apsp/graph.hpp>

#include <cstdint>
#include <span>
#include <vector>

#include "graph/arc_buckets.hpp"

namespace apsp::graph {

/// Where neighbouring rows go.
struct RowsPart {
  std::span<Vertex> targets;     ///< [arcs]
  std::span<double> weights;     ///< [arcs]
  std::span<std::int64_t> ends;  ///< [rows] receives `first_arc` + the arcs of all rows up to each
  std::span<double> largest;     ///< [rows] receives the largest |weight|, 0 without arcs
  std::int64_t first_arc;
};

/// One thread's; its buffers are kept from call to call.
class RowSort {
 public:
  /// The arcs of `chunks`, whose rows count from `first_row` on and whose targets from `first_id`.
  /// Requires: fewer than 2^32 arcs.
  void sort(std::span<const ArcChunk* const> chunks, Vertex first_row, Vertex first_id,
            const RowsPart& part);

 private:
  /// A weight that is an integer below 2^32 behind its target: compared as one number.
  struct WholeArc {
    std::uint64_t key;
    WholeArc() = default;
    WholeArc(Vertex to, std::uint32_t weight) : key(std::uint64_t{to} << 32 | weight) {}
    Vertex to() const { return static_cast<Vertex>(key >> 32); }
    double weight() const { return static_cast<double>(static_cast<std::uint32_t>(key)); }
    bool operator<(const WholeArc& other) const { return key < other.key; }
  };
  struct RealArc {
    double real;
    Vertex target;
    RealArc() = default;
    RealArc(Vertex to, double weight) : real(weight), target(to) {}
    Vertex to() const { return target; }
    double weight() const { return real; }
    bool operator<(const RealArc& other) const {
      return target < other.target || (target == other.target && real < other.real);
    }
  };

  void count_rows(std::span<const ArcChunk* const> chunks, Vertex first_row, std::size_t rows);
  template <class Record>
  void sort_rows(std::vector<Record>& arcs, const RowsPart& part);

  std::vector<std::uint32_t> ends_;  // [rows]
  std::vector<WholeArc> whole_;      // [arcs] by row, as they came
  std::vector<RealArc> real_;        // instead
};

}  // namespace apsp::graph
