// A square matrix cut into square tiles; the last row and column of tiles may be ragged.
//
// A value may hold the bits of several columns (32 vertices a word, for reachability): columns are
// then counted in values, vertices and tile sides in vertices.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/contract.hpp"

namespace apsp::places {

/// A symmetric matrix is solved as its lower triangle of tiles.
enum class Shape { full, symmetric };

/// Tiles [begin, end) of a row or column of tiles.
struct TileSpan {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

struct TiledMatrix {
  kernels::View matrix;  // [n, n / columns_per_value]
  int value_size = 0;    // bytes
  std::int64_t tile = 0;
  int columns_per_value = 1;  // `tile` is a multiple of it

  std::int64_t n() const { return matrix.rows; }
  std::int64_t tiles() const { return (n() + tile - 1) / tile; }
  std::int64_t extent(std::int64_t t) const { return std::min(tile, n() - t * tile); }
  kernels::View at(std::int64_t ti, std::int64_t tj) const {
    return span({ti, ti + 1}, {tj, tj + 1});
  }
  /// The first row of tile `t`, or the end of the matrix.
  std::int64_t row(std::int64_t t) const { return std::min(t * tile, n()); }
  /// The first column of tile `t`, or the end of the matrix, values.
  std::int64_t column(std::int64_t t) const {
    return std::min(t * (tile / columns_per_value), matrix.cols);
  }
  kernels::View span(TileSpan rows, TileSpan columns) const {
    return kernels::part(matrix, value_size, row(rows.begin), column(columns.begin),
                         row(rows.end) - row(rows.begin),
                         column(columns.end) - column(columns.begin));
  }
};

}  // namespace apsp::places
