// Fronts that a device eliminates as a whole, one after another.
//
// A front is in pinned host memory and returns there. Its copies overlap with its own work: the
// supernode is closed while the remainder is copied in, and the rows of the supernode are copied
// out while the row structure is relaxed. Both sides have the same stride, so copies are
// contiguous.
//
// A front costs two copies of side · stride values, the closing, and two or three products. Panels
// are relaxed in place, with the same values as the host's products, because the closed supernode
// has the empty path on its diagonal.
#pragma once

#include <algorithm>
#include <apsp/progress.hpp>
#include <apsp/semiring.hpp>
#include <cstdint>
#include <span>

#include "dense/device_buffer.hpp"
#include "kernels/device.hpp"
#include "sparse/tree.hpp"

namespace apsp::sparse {

struct Front;

/// The part of a device in an elimination.
struct DeviceShare {
  kernels::ComputeDevice* device = nullptr;  ///< none: the host does all
  /// Supernodes whose fronts the device eliminates as a whole, ascending.
  std::span<const SupernodeId> fronts{};
  /// Other supernodes from this width on are closed on the device; 0: none. If there are `fronts`,
  /// only roots are.
  std::int64_t closed_from = 0;
  std::int64_t tile = 0;  ///< side of tiles of the closing, a multiple of the device's granule

  bool closes(std::int64_t width, std::int64_t upper) const {
    return device != nullptr && closed_from > 0 && width >= closed_from &&
           (fronts.empty() || upper == 0);
  }
  bool takes(SupernodeId s) const {
    return device != nullptr && std::binary_search(fronts.begin(), fronts.end(), s);
  }
  /// Returns bytes of device memory for closing a supernode of this width.
  static std::int64_t closing_bytes(const kernels::DeviceSizes& device, std::int64_t width,
                                    std::int64_t tile, ValueType type);
};

/// Memory for the largest of some fronts.
class FrontBuffers {
 public:
  /// `tile`: side of the tiles in which wide supernodes are closed.
  FrontBuffers(const kernels::DeviceSizes& sizes, int value_size, std::int64_t tile)
      : sizes_(&sizes), value_size_(value_size), tile_(tile) {}

  void add(std::int64_t width, std::int64_t upper);

  /// Returns bytes of host memory: the front with the device's stride.
  std::int64_t host_bytes() const { return front; }
  /// Returns bytes of device memory.
  std::int64_t device_bytes() const {
    return front + closed_left + closed_right + left + right + scratch + in_tiles;
  }
  /// Returns the greatest width that is closed without tiles.
  std::int64_t closed_at_once() const { return std::max(sizes_->whole_side(), tile_); }

  std::int64_t front = 0, closed_left = 0, closed_right = 0, left = 0, right = 0;
  std::int64_t scratch = 0, in_tiles = 0;  // for closing without tiles; in tiles

 private:
  const kernels::DeviceSizes* sizes_;
  std::int64_t value_size_, tile_;
};

class DeviceFronts {
 public:
  /// Claims device memory for fronts up to the largest of `buffers`, and pins the
  /// `buffers.host_bytes()` of `host`, which holds a front. Throws `Error` (does_not_fit).
  DeviceFronts(kernels::ComputeDevice& device, const FrontBuffers& buffers, std::byte* host,
               int value_size, std::int64_t tile);
  ~DeviceFronts();

  /// Eliminates the front in `host`. It then has the closed supernode, its row panel (in a
  /// symmetric front the transposed column panel), its column panel, and the relaxed remainder (in
  /// a symmetric front its lower triangle). Returns −1, or the number of a pivot on a negative
  /// cycle; the front is then unspecified. Requires: rows are `stride(side)` values apart; a
  /// symmetric supernode is whole. Throws `Error`: interrupted, device.
  std::int64_t eliminate(const Front& front, kernels::Cycles cycles, const Control& control);

 private:
  kernels::EventId close_in_tiles(kernels::View square, bool symmetric, kernels::Cycles cycles,
                                  const Control& control);
  void relax_panels(kernels::View front, std::int64_t width, bool symmetric);
  std::int64_t finish(kernels::Cycles cycles);

  kernels::ComputeDevice& device_;
  kernels::TileKernels& tiles_ = device_.tiles();
  int value_size_;
  std::int64_t tile_, closed_at_once_;
  kernels::QueueId in_, work_, out_;
  dense::DeviceBuffer front_, closed_left_, closed_right_, left_, right_, scratch_;
  dense::PinnedMemory pinned_;
};

}  // namespace apsp::sparse
