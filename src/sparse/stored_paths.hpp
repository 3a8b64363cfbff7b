// Distances of a few pairs from a stored factor, of which only a part is read.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/statistics.hpp>
#include <cstdint>
#include <span>
#include <vector>

#include "sparse/factor.hpp"
#include "store/store.hpp"

namespace apsp::sparse {

/// Reads the supernodes of the pairs' ends and of their ancestors, which are all that a query
/// visits (factor_query.hpp). They are a factor themselves: their row structures consist of
/// ancestors. The order and the sizes of supernodes, which tell where values are stored, are read
/// whole. Of row structures and values only the chunks that hold these supernodes are read.
class StoredPaths {
 public:
  /// Returns whether the store has a checksum of every chunk of its factor, so that single chunks
  /// can be verified. Earlier versions wrote none.
  static bool reads(const store::Store& stored);

  /// `stored` must outlive this. Requires: `reads`. Throws `Error`: input (damaged; names the
  /// array), input_output, does_not_fit.
  explicit StoredPaths(const store::Store& stored);

  /// `values` ← [pairs] as `FactorQuery::distance`. Requires: vertices in range. Throws as above.
  void distances(std::span<const VertexPair> pairs, void* values) const;

 private:
  /// A supernode and its offsets in the arrays.
  struct StoredSupernode {
    SupernodeId supernode = 0;
    Position first = 0, width = 0, above = 0;  // above: size of the row structure
    std::int64_t upper = 0, up = 0, closed = 0;
    std::vector<Position> positions{};  // of the row structure, once it was read
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
  std::vector<StoredSupernode> marks_;     // one of `kMarkEach` supernodes
};

}  // namespace apsp::sparse
