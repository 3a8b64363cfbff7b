// Fronts that a device eliminates completely, one after another.
//
// A front is copied from pinned memory of the host and back. Copies overlap with work: the
// supernode is closed while the rest arrives, and its rows leave while the row structure is
// relaxed. Both sides have the same stride, so that copies are contiguous. Each front takes two
// copies of side · stride values, the closing, and two or three products. Panels are relaxed in
// place, which gives the host's values, as the closed supernode has the empty path on its diagonal.
#pragma once

#include <algorithm>
#include <apsp/progress.hpp>
#include <apsp/semiring.hpp>
#include <cstdint>
#include <span>

#include "elimination/tree.hpp"
#include "kernels/device.hpp"
#include "places/device_buffer.hpp"

namespace apsp::elimination {

struct Front;

/// The part of an elimination that a device does.
struct DeviceShare {
  kernels::ComputeDevice* device = nullptr;
  /// Fronts that the device eliminates completely, ascending; on the host all threads would share
  /// them.
  std::span<const SupernodeId> fronts{};
  /// Least width of other supernodes that the device closes; 0: none. If it also takes fronts, only
  /// roots are closed there.
  std::int64_t closed_from = 0;
  std::int64_t tile = 0;  ///< for closing; a multiple of the device's granule

  bool closes(std::int64_t width, std::int64_t upper) const {
    return device != nullptr && closed_from > 0 && width >= closed_from &&
           (fronts.empty() || upper == 0);
  }
  bool takes(SupernodeId s) const {
    return device != nullptr && std::binary_search(fronts.begin(), fronts.end(), s);
  }
  /// Bytes of the device for a supernode of this width that is only closed there.
  static std::int64_t closing_bytes(const kernels::DeviceSizes& device, std::int64_t width,
                                    std::int64_t tile, ValueType type);
};

/// Memory for the largest of some fronts.
class FrontBuffers {
 public:
  /// `tile`: of supernodes that the device closes in tiles.
  FrontBuffers(const kernels::DeviceSizes& sizes, int value_size, std::int64_t tile)
      : sizes_(&sizes), value_size_(value_size), tile_(tile) {}

  void add(std::int64_t width, std::int64_t upper);

  /// Bytes of a front with the device's stride.
  std::int64_t host_bytes() const { return front; }
  std::int64_t device_bytes() const {
    return front + closed_left + closed_right + left + right + scratch + in_tiles;
  }
  /// Wider supernodes are closed in tiles.
  std::int64_t closed_at_once() const { return std::max(sizes_->whole_side(), tile_); }

  std::int64_t front = 0, closed_left = 0, closed_right = 0, left = 0, right = 0;
  std::int64_t scratch = 0, in_tiles = 0;  // of closing at once; in tiles

 private:
  const kernels::DeviceSizes* sizes_;
  std::int64_t value_size_, tile_;
};

class DeviceFronts {
 public:
  /// Allocates memory of the device for fronts up to the largest of `buffers`, and pins `host`, the
  /// memory of fronts: `buffers.host_bytes()`. Throws `Error` (does_not_fit).
  DeviceFronts(kernels::ComputeDevice& device, const FrontBuffers& buffers, std::byte* host,
               int value_size, std::int64_t tile);
  ~DeviceFronts();

  /// Eliminates the front in `host`. It then holds the closed supernode, its row panel (of a
  /// symmetric front the transposed column panel), its column panel, and the relaxed rest, of a
  /// symmetric front on and below the diagonal. Returns −1, or the number of the pivot on a
  /// negative cycle; the front is then unspecified. Requires: the stride is `stride(side)`; a
  /// symmetric supernode is complete. Throws `Error`: interrupted, device.
  std::int64_t eliminate(const Front& front, kernels::Cycles cycles, const Control& control);

 private:
  kernels::EventId close_in_tiles(kernels::View square, bool symmetric, kernels::Cycles cycles,
                                  const Control& control);
  void relax_panels(kernels::View front, std::int64_t width, bool symmetric);
  std::int64_t finish(kernels::Cycles cycles);

  kernels::ComputeDevice& device_;
  int value_size_;
  std::int64_t tile_, closed_at_once_;
  kernels::QueueId in_, work_, out_;
  places::DeviceBuffer front_, closed_left_, closed_right_, left_, right_, scratch_;
  places::PinnedMemory pinned_;
};

}  // namespace apsp::elimination
