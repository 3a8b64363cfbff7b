// Who holds which tiles of one dimension of a matrix on a process grid.
//
// Tiles are distributed block-cyclically (block-cyclic; Sao 2021, §2.5): tile t belongs to rank t
// mod size, where size is that dimension of the grid. A process keeps its tiles one after another,
// so what it holds of any span of tiles is one piece of its memory. distributed in both dimensions,
// a matrix lies on a 2-D grid; with one process in one of them, in stripes.
#pragma once

#include <cstdint>

#include "places/tile.hpp"

namespace apsp::places {

/// The processes of my row of the grid, who hold the same rows of tiles and are counted by column;
/// those of my column; or all of them, counted row by row.
enum class Along { row, column, all };

struct BlockCyclic {
  int size = 1;
  int rank = 0;

  int owner(Tile t) const { return static_cast<int>(t.number() % size); }
  bool mine(Tile t) const { return owner(t) == rank; }
  /// How many of the tiles [0, t) are mine.
  std::int64_t before(Tile t) const { return (t.number() + size - 1 - rank) / size; }
  /// The first of my tiles from `t` on.
  Tile next(Tile t) const { return Tile(before(t) * size + rank); }
  /// Vertices of my tiles, of `n` in tiles of side `tile`.
  std::int64_t vertices(std::int64_t n, std::int64_t tile) const {
    const Tile end((n + tile - 1) / tile);
    const bool holds_last = n > 0 && mine(end - 1);
    return before(end) * tile - (holds_last ? end.number() * tile - n : 0);
  }
  /// each(span) for every stretch of my tiles in a span that lies together in the whole matrix too.
  template <class F>
  void for_each_stretch(TileSpan span, F&& each) const {
    if (size == 1) return each(span);
    for (Tile t = span.begin; t < span.end; ++t) {
      if (mine(t)) each(only(t));
    }
  }
  /// The vertex whose row (or column) I hold there, in tiles of side `tile`.
  std::int64_t vertex(LocalIndex held, std::int64_t tile) const {
    return (held.number() / tile * size + rank) * tile + held.number() % tile;
  }
  /// Where I hold the row (or column) of `vertex`, or the first one behind it that is mine.
  LocalIndex held(std::int64_t vertex, std::int64_t tile) const {
    const Tile t(vertex / tile);
    return LocalIndex(before(t) * tile + (mine(t) ? vertex % tile : 0));
  }
};

}  // namespace apsp::places
