// The Place for a matrix of bits in one host memory and a team of threads: transitive closure.
//
// It differs from OneMemory in two ways. A tile column is a strip, and a task of the rest takes
// thousands of rows of a strip, since the tables made of the row panel serve them all. The column
// panel is copied before it is updated, and updated with the rest: A(i,k) ⊗ A(k,k)* ⊗ A(k,j) needs
// A(k,k)* once, and the row panel has it. n³/2979 loads of a cache line; n²/8
// bytes, and 128 n for two copies of a column panel.
#pragma once

#include <algorithm>

#include "base/aligned_memory.hpp"
#include "kernels/cpu/bits.hpp"
#include "places/team_place.hpp"

namespace apsp::places {

class BitMemory : public TeamPlace {
 public:
  BitMemory(kernels::cpu::BitMatrix& matrix, int threads, const Control& control);

  /// matrix ← matrix*, the diagonal as it comes. Throws `Error` (interrupted).
  void run();

  /// Bytes that a run takes besides the matrix.
  static std::int64_t panel_bytes(std::int64_t n);

 private:
  void close_tile(Tile k) override;
  void update_panel(Tile k, std::int64_t item) override;
  void update_diagonal(Tile k) override;
  void update_cross_tile(Tile k, std::int64_t item) override;
  double update_rest_item(Tile k, std::int64_t item) override;
  std::int64_t rest_item_of_cross(Tile, std::int64_t) const override { return -1; }

  using BitLine = kernels::cpu::BitLine;

  /// Updates the tiles `rows` of one strip by step k.
  void update(Tile k, TileSpan rows, Tile strip);
  void copy_column_panel_tile(Tile k, Tile ti);
  std::uint64_t* left(Tile k);
  /// The first row of a tile, or the end of the matrix.
  std::int64_t row(Tile t) const {
    return std::min(t.number() * BitLine::kColumns, matrix_.rows());
  }
  BitLine* line(Tile t, Tile strip) { return matrix_.line(row(t), strip.number()); }
  std::int64_t extent(Tile t) const { return matrix_.extent(t.number()); }
  std::int64_t tasks_a_strip() const;
  std::int64_t words(Tile k) const { return extent(k) / 64; }

  kernels::cpu::BitMatrix& matrix_;
  kernels::cpu::BitOperations operations_;
  std::int64_t row_parts_;      // tasks of the rest in a strip
  base::AlignedMemory panels_;  // [2][words of a line][rows]
};

}  // namespace apsp::places
