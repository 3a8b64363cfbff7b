// The arcs of a few thousand neighbouring rows, sorted by row, then target, then weight, in cache.
//
// Rows come apart by counting. A row of up to 64 arcs is then sorted by ranks: an arc's place is
// the number of arcs with a smaller target, counted for four arcs at once. That is k²/4 vector
// steps and not one branch on data, where insertion sort mispredicts about once an arc: for the
// dozen arcs of a usual row, 5 ns an arc less. Equal ranks betray parallel arcs, which are sorted
// by weight; longer rows are sorted as integers, target and position in one 64-bit key.
#pragma once

#include <apsp/graph.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace apsp::graph {

/// One thread's; its buffers are kept from call to call.
class RowSort {
 public:
  /// `row_of`: [arcs] the row of each arc. `row_ends`: [rows], receives `first_arc` + the arcs of
  /// all rows up to and including each. Requires: fewer than 2^32 arcs.
  void sort(std::span<Vertex> targets, std::span<double> weights,
            std::span<const std::uint16_t> row_of, std::span<std::int64_t> row_ends,
            std::int64_t first_arc);

 private:
  void sort_row(std::size_t first, std::span<Vertex> targets, std::span<double> weights);
  bool sort_by_ranks(std::size_t first, std::span<Vertex> targets, std::span<double> weights) const;
  void sort_by_keys(std::size_t first, std::span<Vertex> targets, std::span<double> weights);

  std::vector<std::uint32_t> ends_;  // [rows]
  std::vector<Vertex> targets_;      // [arcs] by row, as they came
  std::vector<double> weights_;      // [arcs]
  std::vector<std::uint64_t> keys_;  // of one row: target, then position
};

}  // namespace apsp::graph
