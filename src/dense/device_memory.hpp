// A host matrix solved in one device's memory: copied in, solved, copied out.
//
// The first step works on rows as they arrive, and rows leave as the last two steps complete them.
// If a matrix is distributed over devices, each copies and solves its tiles (peer_memory.hpp).
// Tiles below the diagonal of a symmetric one are copied out twice: as they are, and transposed.
#pragma once

#include <apsp/progress.hpp>

#include "dense/resident_matrix.hpp"

namespace apsp::dense {

class DeviceMemory {
 public:
  /// Claims the device's memory and pins the host's; copies nothing. `via`: a host matrix of int32
  /// for the intermediate vertices, kNoVia on entry; no data: not tracked. `part`: of a matrix on a
  /// grid, all parts of which run and throw the same; `host` and `via` are the whole matrix and not
  /// pinned, and a symmetric one is on a square grid, without `via`. Requires: the tile is a
  /// multiple of the granule; with `Shape::symmetric` the matrix is symmetric, and remains so.
  /// Throws `Error` (does_not_fit) if the device cannot hold it.
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

  /// Returns bytes of device memory of a run, those of the first device of a grid of rows ×
  /// columns. `transposed`: the matrix on a grid is symmetric.
  static std::int64_t device_bytes(const kernels::DeviceSizes& device, const TiledMatrix& host,
                                   bool tracks_via, int rows = 1, int cols = 1,
                                   bool transposed = false);

 private:
  /// Calls copy(device, host) for every contiguous run of this device's tiles of a plane.
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

}  // namespace apsp::dense
