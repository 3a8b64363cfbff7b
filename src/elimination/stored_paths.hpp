// Distances of a few pairs from a stored factor.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/statistics.hpp>
#include <cstdint>
#include <span>
#include <vector>

#include "elimination/factor.hpp"
#include "store/store.hpp"

namespace apsp::elimination {

/// Distances of a few pairs from a stored factor. Only the ways from their ends to the roots of the
/// tree are read.
///
/// All vertices that a query looks at are its ends and their ancestors (factor_query.hpp). The
/// supernodes of some ends and of their ancestors are a factor themselves: every vertex in the row
/// structure of one belongs to another. The order and the sizes of supernodes say where they are
/// stored, and are read whole. Of row structures and values only the chunks are read that hold some
/// of these supernodes.
class StoredPaths {
 public:
  /// Whether the store names the checksum of every chunk of its factor, so that a chunk can be
  /// believed without the others. Results of earlier versions do not.
  static bool reads(const store::Store& stored);

  /// `stored` outlives this. Requires: `reads`. Throws `Error`: input (damaged; names the array),
  /// input_output, does_not_fit.
  explicit StoredPaths(const store::Store& stored);

  /// `values` ← [pairs] as `FactorQuery::distance`. Requires: vertices in range. Throws as above.
  void distances(std::span<const VertexPair> pairs, void* values) const;

 private:
  /// A supernode, and where it is stored in the arrays.
  struct StoredSupernode {
    SupernodeId supernode = 0;
    Position first = 0, width = 0, above = 0;    // above: upper positions
    std::int64_t upper = 0, up = 0, closed = 0;  // where its own begin
    std::vector<Position> positions{};           // the upper ones, once they are read
    void step(Position next_width, Position next_above);
  };
  class Restricted;

  std::vector<Position> positions_of(std::span<const Vertex> ends) const;
  StoredSupernode at_position(Position p) const;
  void require_lengths(const StoredSupernode& end) const;
  std::vector<StoredSupernode> ways_up(std::vector<Position> ends) const;

  const store::Store& stored_;
  bool symmetric_;
  std::vector<Vertex> vertex_at_;          // [n]
  std::vector<Position> widths_, counts_;  // [supernodes]
  std::vector<StoredSupernode> marks_;     // every so many supernodes
};

}  // namespace apsp::elimination
