// A square matrix cut into square tiles; the last row and column of tiles may be ragged.
//
// A value may hold the bits of several columns (32 vertices a word, for reachability): columns are
// then counted in values, vertices and tile sides in vertices.
#pragma once

#include <algorithm>
#include <cstdint>

#include "dense/tile.hpp"
#include "kernels/contract.hpp"
#include "kernels/device.hpp"

namespace apsp::dense {

/// A symmetric matrix is solved as its lower triangle of tiles.
enum class Shape { full, symmetric };

struct TiledMatrix {
  kernels::View matrix;  // [n, n / columns_per_value]
  int value_size = 0;    // bytes
  std::int64_t tile = 0;
  int columns_per_value = 1;  // `tile` is a multiple of it

  std::int64_t n() const { return matrix.rows; }
  std::int64_t tiles() const { return (n() + tile - 1) / tile; }
  Tile end() const { return Tile(tiles()); }
  TileSpan all() const { return {kFirstTile, end()}; }
  std::int64_t extent(Tile t) const { return std::min(tile, n() - t.number() * tile); }
  kernels::View at(Tile ti, Tile tj) const { return span(only(ti), only(tj)); }
  /// The first row of tile `t`, or the end of the matrix.
  std::int64_t row(Tile t) const { return std::min(t.number() * tile, n()); }
  /// The first column of tile `t`, or the end of the matrix, values.
  std::int64_t column(Tile t) const {
    return std::min(t.number() * (tile / columns_per_value), matrix.cols);
  }
  /// Values that hold so many columns, or these, of which the first begins a value.
  std::int64_t values_of(std::int64_t columns) const {
    return (columns + columns_per_value - 1) / columns_per_value;
  }
  kernels::Range values_of(kernels::Range columns) const {
    return {values_of(columns.begin), values_of(columns.end)};
  }
  /// Rows × columns, in vertices.
  kernels::View block(kernels::Range rows, kernels::Range columns) const {
    const kernels::Range values = values_of(columns);
    return kernels::part(matrix, value_size, rows.begin, values.begin, length(rows),
                         length(values));
  }
  kernels::View span(TileSpan rows, TileSpan columns) const {
    return kernels::part(matrix, value_size, row(rows.begin), column(columns.begin),
                         row(rows.end) - row(rows.begin),
                         column(columns.end) - column(columns.begin));
  }
};

}  // namespace apsp::dense
