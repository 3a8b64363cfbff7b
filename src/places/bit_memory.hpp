// The Place for a matrix of bits in one host memory and a team of threads: transitive closure.
//
// As OneMemory, with two differences. A tile column is a strip, and the rest of a step is worked
// through by strips, thousands of rows at a time, since the tables made of the row panel serve them
// all. And the column panel is copied as it is and updated with the rest: the row panel already
// carries A(k,k)*, which A(i,k) ⊗ A(k,k)* ⊗ A(k,j) needs once. n³/2979 loads of a cache line; n²/8
// bytes, and 128 n for two copies of a column panel.
#pragma once

#include "base/aligned_memory.hpp"
#include "kernels/cpu/bits.hpp"
#include "places/team_place.hpp"

namespace apsp {

class BitMemory : public TeamPlace {
 public:
  BitMemory(kernels::cpu::BitMatrix& matrix, int threads, const Control& control);

  /// matrix ← matrix*, the diagonal as it comes. Throws `Error` (interrupted).
  void run();

  /// Bytes that a run takes besides the matrix.
  static std::int64_t panel_bytes(std::int64_t n);

 private:
  void close_tile(std::int64_t k) override;
  void update_panel(std::int64_t k, std::int64_t item) override;
  void update_diagonal(std::int64_t k) override;
  void update_cross_tile(std::int64_t k, std::int64_t item) override;
  double update_rest_item(std::int64_t k, std::int64_t item) override;
  std::int64_t rest_item_of_cross(std::int64_t, std::int64_t) const override { return -1; }

  /// Rows [first, last) of tiles in one strip take their share of step k.
  void update(std::int64_t k, std::int64_t first, std::int64_t last, std::int64_t strip);
  void copy_column_panel_tile(std::int64_t k, std::int64_t ti);
  std::uint64_t* left(std::int64_t k);
  std::int64_t tasks_a_strip() const;
  std::int64_t words(std::int64_t k) const { return matrix_.extent(k) / 64; }

  kernels::cpu::BitMatrix& matrix_;
  kernels::cpu::BitOperations operations_;
  std::int64_t row_parts_;      // tasks a strip of the rest
  base::AlignedMemory panels_;  // [2][words of a line][rows]
};

}  // namespace apsp
