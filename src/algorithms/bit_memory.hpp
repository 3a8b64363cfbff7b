// The Place for a matrix of bits in one host memory and a team of threads: transitive closure.
//
// As OneMemory, with two differences. A tile column is a strip, and the rest of a step is worked
// through by strips, thousands of rows at a time, since the tables made of the row panel serve them
// all. And the column panel is copied as it is and updated with the rest: the row panel already
// carries A(k,k)*, which A(i,k) ⊗ A(k,k)* ⊗ A(k,j) needs once. n³/2979 loads of a cache line; n²/8
// bytes, and 128 n for two copies of a column panel.
#pragma once

#include <apsp/progress.hpp>
#include <atomic>
#include <memory>

#include "algorithms/shared_phase.hpp"
#include "base/aligned_memory.hpp"
#include "base/control.hpp"
#include "kernels/cpu/bits.hpp"

namespace apsp {

class BitMemory {
 public:
  BitMemory(kernels::cpu::BitMatrix& matrix, int threads, const Control& control);

  /// matrix ← matrix*, the diagonal as it comes. Throws `Error` (interrupted).
  void run();

  /// Bytes that a run takes besides the matrix.
  static std::int64_t panel_bytes(std::int64_t n);

  std::int64_t tiles() const { return matrix_.strips(); }
  bool stopped() const { return stop_.load(std::memory_order_relaxed); }
  void close(std::int64_t k);
  void update_panels(std::int64_t k);
  void update_cross(std::int64_t k);
  void update_rest(std::int64_t k);

 private:
  struct Step {
    SharedPhase close, panels, diagonal, cross, rest;
  };

  void plan_items();
  /// Rows [first, last) of tiles in one strip take their share of step k.
  void update(std::int64_t k, std::int64_t first, std::int64_t last, std::int64_t strip);
  void update_rest_strip(std::int64_t k, std::int64_t item);
  void copy_column_panel_tile(std::int64_t k, std::int64_t ti);
  std::uint64_t* left(std::int64_t k);
  std::int64_t words(std::int64_t k) const { return matrix_.extent(k) / 64; }

  kernels::cpu::BitMatrix& matrix_;
  kernels::cpu::BitOperations operations_;
  int threads_;
  const Control& control_;
  std::int64_t row_parts_ = 1;     // tasks a strip of the rest
  base::AlignedMemory panels_;     // [2][words of a line][rows]
  std::unique_ptr<Step[]> steps_;  // [tiles]
  std::atomic<bool> stop_{false};
  std::unique_ptr<base::ProgressTask> progress_;
};

}  // namespace apsp
