// Fronts that a device eliminates whole, one after another.
//
// A front comes from pinned memory of the host and returns to the same place, relaxed. Queues
// overlap its copies with its own work: the supernode is closed while the rest comes in, and the
// rows of the supernode leave while the row structure is relaxed. Rows lie as far apart on both
// sides, so that copies are contiguous.
//
// Per front: two copies of side · stride values, the closing, and two or three products. Panels
// are relaxed in place. That leaves the same values as the host's products: the closed supernode
// has the empty path on its diagonal.
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

/// What a device does of an elimination.
struct DeviceShare {
  kernels::ComputeDevice* device = nullptr;  ///< none: the host does all
  /// Rising: those that are eliminated there whole, where all threads would work on them.
  std::span<const SupernodeId> fronts{};
  /// Of the others, supernodes from this width on are closed there; 0: none. Beside fronts that is
  /// done for roots only: other fronts lie in memory that is pinned already.
  std::int64_t closed_from = 0;
  std::int64_t tile = 0;  ///< of what is closed there; a multiple of the device's granule

  bool closes(std::int64_t width, std::int64_t upper) const {
    return device != nullptr && closed_from > 0 && width >= closed_from &&
           (fronts.empty() || upper == 0);
  }
  bool takes(SupernodeId s) const {
    return device != nullptr && std::binary_search(fronts.begin(), fronts.end(), s);
  }
  /// Memory of the device for a supernode of this width that is only closed there.
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

  /// Of the host: the front, in rows as far apart as the device's.
  std::int64_t host_bytes() const { return front; }
  /// Of the device.
  std::int64_t device_bytes() const {
    return front + closed_left + closed_right + left + right + scratch + in_tiles;
  }
  /// Wider supernodes are closed in tiles.
  std::int64_t closed_at_once() const { return std::max(sizes_->whole_side(), tile_); }

  // Bytes.
  std::int64_t front = 0, closed_left = 0, closed_right = 0, left = 0, right = 0;
  std::int64_t scratch = 0, in_tiles = 0;  // of closing at once; in tiles

 private:
  const kernels::DeviceSizes* sizes_;
  std::int64_t value_size_, tile_;
};

class DeviceFronts {
 public:
  /// Claims memory of the device for fronts up to the largest of `buffers`, and pins `host`, where
  /// fronts lie: `buffers.host_bytes()`. Throws `Error` (does_not_fit).
  DeviceFronts(kernels::ComputeDevice& device, const FrontBuffers& buffers, std::byte* host,
               int value_size, std::int64_t tile);
  ~DeviceFronts();

  /// The front, in `host`, after its elimination: the closed supernode, its row panel (of a
  /// symmetric front the transposed column panel), its column panel, and the relaxed rest, of which
  /// a symmetric front has what lies on and below the diagonal. Returns −1, or the number of the
  /// pivot that lies on a negative cycle; the front is then unspecified. Requires: rows are
  /// `stride(side)` values apart; a symmetric supernode is whole. Throws `Error`: interrupted,
  /// device.
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
  places::DeviceBuffer front_, closed_left_, closed_right_, left_, right_, scratch_;
  places::PinnedMemory pinned_;
};

}  // namespace apsp::elimination
