// A process grid: the block-cyclic distribution of one dimension of a matrix on it (Sao 2021,
// §2.5), and routes of broadcasts along one of its lines.
//
// Tile t belongs to rank t mod size, where size is that dimension of the grid. A process stores its
// tiles one after another, so its part of any span of tiles is contiguous.
//
// A ring uses each link once: the root sends once, and pieces of a message flow through all members
// at the same time (Sao 2021, §3.3). A binomial tree takes log₂(size) steps, for messages too short
// to be cut. It sends far first, so that most messages are between neighbours, often on one node.
#pragma once

#include <cstdint>
#include <vector>

#include "dense/tile.hpp"

namespace apsp::dense {

/// The processes of this process's row of the grid, which hold the same rows of tiles and are
/// counted by column; those of its column; or all processes, row by row.
enum class Along { row, column, all };

struct BlockCyclic {
  int size = 1;
  int rank = 0;

  int owner(Tile t) const { return static_cast<int>(t.number() % size); }
  bool mine(Tile t) const { return owner(t) == rank; }
  /// The number of this rank's tiles among [0, t).
  std::int64_t before(Tile t) const { return (t.number() + size - 1 - rank) / size; }
  /// The first tile of this rank from `t` on.
  Tile next(Tile t) const { return Tile(before(t) * size + rank); }
  /// The number of vertices of this rank's tiles, of `n` in tiles of side `tile`.
  std::int64_t vertices(std::int64_t n, std::int64_t tile) const {
    const Tile end((n + tile - 1) / tile);
    const bool holds_last = n > 0 && mine(end - 1);
    return before(end) * tile - (holds_last ? end.number() * tile - n : 0);
  }
  /// Calls each(span) for the runs of this rank's tiles that are contiguous in the whole matrix.
  template <class F>
  void for_each_stretch(TileSpan span, F&& each) const {
    if (size == 1) return each(span);
    for (Tile t = span.begin; t < span.end; ++t) {
      if (mine(t)) each(only(t));
    }
  }
  /// The vertex of a local row (or column), in tiles of side `tile`.
  std::int64_t vertex(LocalIndex held, std::int64_t tile) const {
    return (held.number() / tile * size + rank) * tile + held.number() % tile;
  }
  /// The local row (or column) of `vertex`, or of the next vertex of this rank.
  LocalIndex held(std::int64_t vertex, std::int64_t tile) const {
    const Tile t(vertex / tile);
    return LocalIndex(before(t) * tile + (mine(t) ? vertex % tile : 0));
  }
};

/// `direct`: between devices, without the hosts.
enum class Broadcast { library, ring, binomial, direct };

/// The contents of a broadcast; each has its pattern.
enum class Payload { diagonal, panel };

struct Broadcasts {
  Broadcast diagonal = Broadcast::ring, panels = Broadcast::ring;

  Broadcast of(Payload payload) const { return payload == Payload::panel ? panels : diagonal; }
};

struct Route {
  int parent = -1;  // −1: the root
  std::vector<int> children{};
};

/// Requires: a ring or a binomial tree.
inline Route route(Broadcast broadcast, int size, int root, int rank) {
  const int mine = (rank + size - root) % size;  // counted from the root
  const auto member = [&](int counted) { return (counted + root) % size; };
  Route found;
  if (broadcast == Broadcast::ring) {
    if (mine > 0) found.parent = member(mine - 1);
    if (mine + 1 < size) found.children.push_back(member(mine + 1));
    return found;
  }
  int step = 1;  // the lowest power of two in `mine`; of the root the first that reaches nobody
  while (mine > 0 ? (mine & step) == 0 : step < size) step *= 2;
  if (mine > 0) found.parent = member(mine - step);
  for (step /= 2; step > 0; step /= 2) {
    if (mine + step < size) found.children.push_back(member(mine + step));
  }
  return found;
}

}  // namespace apsp::dense
