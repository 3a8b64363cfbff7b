// A matrix of the host solved in one device's memory: copied in, solved there, copied out.
//
// Copies run under kernels where they can: the first step works on rows as they come, the last two
// send rows off as they are done.
//
// Where a matrix is distributed over devices, each copies and solves its tiles (peer_memory.hpp).
// Where that matrix is symmetric, these are tiles below the diagonal, and each is copied out twice:
// as it is, and transposed to where it belongs above the diagonal.
#pragma once

#include <apsp/progress.hpp>

#include "places/resident_matrix.hpp"

namespace apsp::places {

class DeviceMemory {
 public:
  /// Claims the device's memory and pins the host's; copies nothing. `via`: a host matrix of int32
  /// that takes the intermediate vertices, kNoVia on entry; none if it has no data. Throws `Error`
  /// (does_not_fit) if the device cannot hold it. Requires: the tile is a multiple of the device's
  /// granule; with `Shape::symmetric` the matrix is symmetric, and so it is afterwards. `part`: of
  /// a matrix on a grid; `host` and `via` are the whole of it, and are not pinned; a symmetric one
  /// is on a square grid, without `via`. Then all parts run, and all throw the same.
  DeviceMemory(kernels::ComputeDevice& device, const TiledMatrix& host, Shape shape,
               kernels::Cycles cycles, const Control& control, const TiledMatrix& via = {},
               const GridPart& part = {});
  ~DeviceMemory();

  /// Copies in, solves, copies out. Throws `Error`: negative_cycle, interrupted, device.
  void run();

  /// The three parts of `run`, each complete when it returns.
  void upload();
  void solve();
  void download();
  /// `solve` where the steps before `first` have been done.
  void solve_from(Tile first);

  /// Device memory that a run takes, at most that of the first device of a grid of rows × columns;
  /// `transposed`: of a symmetric matrix there.
  static std::int64_t device_bytes(const kernels::DeviceSizes& device, const TiledMatrix& host,
                                   bool tracks_via, int rows = 1, int cols = 1,
                                   bool transposed = false);

 private:
  /// copy(here, of the host) for every stretch of tiles of a plane that this device holds.
  template <class F>
  void for_each_piece(TileSpan rows, TileSpan columns, F&& copy);
  Overlap copy_in_by_strips();
  void copy_in(TileSpan rows, TileSpan columns);
  void copy_out(TileSpan rows, TileSpan columns);
  void copy_out_all();
  void copy_out_transposed(Tile t);
  bool transposes() const { return shape_ == Shape::symmetric && part_.transport != nullptr; }
  void finish();

  kernels::ComputeDevice& device_;
  kernels::TileKernels& tiles_ = device_.tiles();
  ResidentPlanes host_, there_;
  Shape shape_;
  const Control& control_;
  GridPart part_;
  kernels::QueueId in_, out_;
  DeviceBuffer values_, via_;
  DeviceBuffer transposed_;  // [tile, rows held]: a column of tiles, transposed
  PinnedMemory pinned_values_, pinned_via_;
  ResidentMatrix matrix_;
};

}  // namespace apsp::places
