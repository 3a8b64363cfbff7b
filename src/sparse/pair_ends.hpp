// The ends of many pairs of a tree's vertices, in the order of elimination.
#pragma once

#include <apsp/statistics.hpp>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "sparse/factor.hpp"

namespace apsp::sparse {

inline Vertex vertex_at(const VertexPair& pair, End end) {
  return end == End::source ? pair.from : pair.to;
}
inline Position position_at(const Tree& tree, const VertexPair& pair, End end) {
  return tree.order().position_of[vertex_at(pair, end)];
}

/// Returns the positions of the vertices at one end, ascending, each once.
std::vector<Position> distinct_ends(const Tree& tree, std::span<const VertexPair> pairs, End end);

/// Receives the distance of a pair, by its index and in the factor's type. Called from any thread.
using TakePair = std::function<void(std::size_t pair, const void* value)>;

/// The position of one end of a pair.
struct PairEnd {
  Position position;
  std::uint32_t pair;  ///< index
  bool operator<(const PairEnd& other) const {
    return position != other.position ? position < other.position : pair < other.pair;
  }
};

/// Pairs sorted by the position of one end, in parts for threads. No position is in two parts.
class PairsByEnd {
 public:
  /// Takes the pairs of which `takes` is true. Requires: fewer than 2^32 pairs.
  PairsByEnd(const Tree& tree, std::span<const VertexPair> pairs, End end,
             const std::function<bool(const VertexPair&)>& takes, int threads);

  std::int64_t parts() const { return std::ssize(begin_) - 1; }
  /// Sorts a part. Parts may be sorted concurrently.
  std::span<PairEnd> sorted(std::int64_t part);

 private:
  std::vector<PairEnd> entries_;
  std::vector<std::int64_t> begin_;  // [parts + 1]
};

}  // namespace apsp::sparse
