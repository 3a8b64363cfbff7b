// The Place of a matrix that is larger than the host's memory and stays on the disk (Xia 2021,
// §III-A; Sao 2021, §4.3, where memory has the role of the device).
//
// In step k memory holds the packed row panel, n b values, and the closed diagonal tile. The other
// rows pass in strips, each read and written as a whole:
//
//   P ← A(k,k)* ⊗ A(k,:)              the row panel, a band of columns at a time
//   for each strip I of the other rows:
//     A(I,k) ← A(I,k) ⊕ A(I,k) ⊗ A(k,k)*       its part of the column panel
//     A(I,j) ← A(I,j) ⊕ A(I,k) ⊗ P(j)          all other columns j
//
// The column panel never exists as a whole, and no value moves twice in a step. All threads work on
// a strip while others are read and written. There is no look-ahead: all threads close the diagonal
// tile together while the last strips of the step before are written.
//
// A step reads one generation of the matrix and writes the other (store/disk_matrix.hpp). Its end
// is a checkpoint; a later run may continue with another width. Integers then have the same bits,
// and rounded sums do if width and tile are the same. n³ relaxations; n² · n / b values each way.
#pragma once

#include <apsp/progress.hpp>
#include <cstdint>
#include <memory>

#include "base/control.hpp"
#include "dense/disk_plan.hpp"
#include "dense/disk_queue.hpp"
#include "dense/host_memory.hpp"
#include "dense/tile.hpp"
#include "kernels/contract.hpp"
#include "kernels/device.hpp"
#include "store/disk_matrix.hpp"
#include "system/aligned_memory.hpp"

namespace apsp::dense {

class DiskMemory {
 public:
  /// Requires: `matrix` has a checkpoint, its bands are the plan's, there is no negative cycle, and
  /// the diagonal is at least as good as the empty path. Throws `Error` (does_not_fit).
  DiskMemory(store::DiskMatrix& matrix, const DiskPlan& plan,
             const kernels::TileOperations& operations, int threads, const Control& control);

  /// Solves from the checkpoint to the end. Throws `Error`: interrupted, input_output; the last
  /// checkpoint stays.
  void run();

  /// Waits of the last run.
  struct Waits {
    double disk = 0;  // seconds in which all threads waited for the disk
    double cuts = 0;  // the part of them in which the end of a step was written
  };
  const Waits& waits() const { return waits_; }

  /// The driver's operations; tiles are the steps that were left when the run began.
  std::int64_t tiles() const;
  bool stopped() const { return base::cancelled(control_); }
  void close(Tile) {}  // with the panels
  void update_panels(Tile k);
  void update_cross(Tile) {}  // with the remainder
  void update_rest(Tile k);

 private:
  using Range = kernels::Range;
  using Generation = store::DiskMatrix::Generation;

  Range pivots(Tile k) const;
  std::int64_t side(Tile k) const { return length(pivots(k)); }
  std::int64_t tiles_of(std::int64_t vertices) const {
    return (vertices + plan_.tile - 1) / plan_.tile;
  }
  std::byte* right(std::int64_t tj, std::int64_t kk);
  std::byte* diagonal(std::int64_t ti, std::int64_t kk);
  std::byte* strip_left(std::int64_t ti, std::int64_t kk);
  /// Rows [first, first + rows) of consecutive bands, one after the other in a buffer.
  struct BandRows {
    std::byte* data;
    std::int64_t first, rows;
    std::int64_t first_band;
  };
  /// Returns row tile ti of the part in column tile tj of the matrix.
  kernels::View tile(const BandRows& part, std::int64_t ti, std::int64_t tj) const;
  std::byte* buffer(std::int64_t item);

  void await_cut();
  void read_diagonal(Tile k, Generation from);
  void close_diagonal(Tile k);
  void update_row_panel(Tile k, const BandRows& part);
  void update_strip(Tile k, const BandRows& part);
  void multiply_add(kernels::View c, const std::byte* left, const std::byte* right,
                    std::int64_t depth) const;
  /// Passes `count` parts of `bands` bands: reads `part_of(item)`, calls `work(part)` and writes
  /// it.
  template <class PartOf, class Work>
  void pass(std::int64_t count, std::int64_t bands, const PartOf& part_of, const Work& work);
  void move(const BandRows& part, std::int64_t bands, bool in);
  template <class F>
  void share(std::int64_t items, const F& work);
  void advance(std::int64_t rows, std::int64_t columns, std::int64_t depth);

  store::DiskMatrix& matrix_;
  DiskPlan plan_;
  kernels::TileOperations operations_;
  int threads_;
  const Control& control_;
  std::int64_t n_, size_, first_pivot_;
  OperandBytes operand_;             // bytes of a packed tile
  std::int64_t depth_tiles_;         // tiles in the depth of a panel
  system::AlignedMemory panel_;      // [tiles of columns][tiles of a panel], packed
  system::AlignedMemory diagonal_;   // [tiles of a panel]², packed
  system::AlignedMemory strip_;      // [tiles of a strip][tiles of a panel], packed
  system::AlignedMemory passing_;    // buffers, or the diagonal tile while it is closed
  std::unique_ptr<DiskQueue> disk_;  // during a run
  kernels::EventId diagonal_read_ = -1, committed_ = -1;
  std::unique_ptr<base::ProgressTask> progress_;
  Waits waits_;
};

}  // namespace apsp::dense
