// Sweeps over a factor on a device: distances from blocks of hundreds or thousands of sources.
//
// The factor is copied to the device once. Where it does not fit, a first part stays there, and the
// other parts pass through two buffers for every block, each copied under the launches of the part
// before; a block then brings the weights that its upward sweep needs (sweep_parts.hpp).
//
// A block sweeps upward on a queue of its own, under the sweep of the block before
// (device_up_sweep.hpp). Then the matrix of distances, [n, lanes] by position, is computed from the
// roots down: a launch takes all supernodes that are equally far from their root
// (device_down_sweep.hpp). Whoever takes the distances queues that behind, on the same queue.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/aligned_memory.hpp"
#include "elimination/device_down_sweep.hpp"
#include "elimination/device_up_sweep.hpp"
#include "elimination/factor.hpp"
#include "elimination/sweep_parts.hpp"
#include "kernels/device.hpp"
#include "kernels/row_kernels.hpp"
#include "places/device_blocks.hpp"
#include "places/device_buffer.hpp"

namespace apsp::elimination {

/// One launch of a block's sweep, which may be repeated: what it writes depends
/// only on other rows.
struct SweepLaunch {
  enum class SweepPhase { up, closing, down };
  SweepPhase part;
  kernels::ListedProduct product;
  std::span<const kernels::ListedItem> items;  // of the host, the same
};

class DeviceSweep final : public places::DeviceBlocks {
 public:
  /// Of blocks of up to `lanes` of the sources that are neighbours there. Claims memory. The factor
  /// and the device outlive it. `threads` of the host pack the factor. `cut`: of a factor that
  /// streams. Rows are kept as the device keeps listed ones. Throws `Error` (does_not_fit).
  DeviceSweep(const Factor& factor, kernels::ComputeDevice& device, std::span<const Vertex> sources,
              std::int64_t lanes, int threads = 1, const SweepCut& cut = {});
  ~DeviceSweep() override;
  DeviceSweep(const DeviceSweep&) = delete;
  DeviceSweep& operator=(const DeviceSweep&) = delete;

  // Below, a type is that of rows on the device (`kernels::listed_type`).

  /// Lanes for so many sources: whole lines.
  static std::int64_t lanes_of(std::int64_t sources, ValueType type);
  /// Lanes, up to `most`, whose sweeps take no more than so many bytes: the most but for a part in
  /// 32; 0: none do. `bytes(lanes)`: rising.
  static std::int64_t lanes_within(std::int64_t allowed, std::int64_t most, ValueType type,
                                   const std::function<std::int64_t(std::int64_t)>& bytes);
  /// Memory of the device, bytes; `largest`: `UpSweepLists::largest`, of the same lanes. `parts`:
  /// of a factor that streams.
  static std::int64_t device_bytes(const Tree& tree, ValueType type, std::int64_t lanes,
                                   const UpwardSize& largest, const SweepParts* parts = nullptr);
  /// Of it, for so many groups of items that wait for each other.
  static std::int64_t waiting_bytes(std::int64_t groups, std::int64_t lanes, ValueType type);
  /// Memory of the host besides the factor.
  static std::int64_t host_bytes(const Tree& tree, ValueType type, std::int64_t lanes,
                                 const UpwardSize& largest, const SweepParts* parts = nullptr);

  void begin(std::span<const Vertex> sources) override;
  kernels::QueueId queue() const override { return queue_; }
  kernels::ConstView distances() const override;
  const std::uint32_t* column_labels() const override;
  /// The launches of the last block, in their order, but for those down over a factor that streams;
  /// valid until the next `begin`.
  std::vector<SweepLaunch> launches() const;
  void end() override { slots_[(blocks_ - 1) % slots_.size()].free = device_.record(queue_); }
  void finish() override;

 private:
  /// Where in a slot's memory the parts of a block's lists begin, bytes.
  struct ListOffsets {
    ListOffsets(const UpwardSize& size, std::int64_t vertices, std::int64_t lanes, int value_size);
    std::int64_t items, lists, weights, columns, labels, begun, bytes;
  };
  struct BlockBuffers {
    base::AlignedMemory host;
    std::optional<places::PinnedMemory> pinned;
    places::DeviceBuffer lists, upward;
    kernels::EventId free = -1;
  };

  /// Memory of a part of a factor that streams.
  struct PartSlot {
    places::DeviceBuffer memory;
    kernels::EventId free = -1;
  };

  void claim_factor();
  void claim_parts(int threads);
  void copy_factor();
  void copy_in(kernels::QueueId queue, std::byte* to, const void* from, std::int64_t bytes);
  /// The buffer that is free next holds these bytes of the host for what `launch(memory)` queues.
  template <class F>
  void pass(const std::byte* from, std::int64_t bytes, F&& launch);
  void sweep_parts();
  kernels::ListedProduct closing(const ItemGroup& group, const std::byte* weights) const;
  /// Where on the device the items of a group are, the rows that they list, and their weights.
  struct ListArrays {
    const std::byte *items, *lists, *weights;
  };
  static kernels::ListedProduct product_of(const ItemGroup& group, kernels::View c, kernels::View x,
                                           const ListArrays& at);
  /// Of the way down, from the rows that the last block's upward sweep has closed; `waiting`: the
  /// groups of items that wait, on the device.
  kernels::ListedProduct downward(const ItemGroup& group, const ListArrays& at,
                                  const std::byte* waiting, std::int64_t count) const;
  void launch_part(const SweepPart& part, const std::byte* memory);
  void fill(BlockBuffers& slot, std::span<const Vertex> sources);
  kernels::View upward_rows(const BlockBuffers& slot) const;
  const BlockBuffers& last_slot() const { return slots_[(blocks_ - 1) % slots_.size()]; }
  kernels::View matrix() const { return {distances_.data(), tree_.vertices(), lanes_, lanes_}; }

  const Factor& factor_;
  const Tree& tree_;
  kernels::ComputeDevice& device_;
  kernels::GatheredRowKernels& gathered_ = kernels::required(device_.gathered_rows());
  std::int64_t lanes_;
  ValueType type_;  // of rows
  int size_;        // of a value
  DownSweepLists down_;
  std::optional<SweepParts> streamed_;
  UpSweepLists up_;
  UpwardSize largest_;
  ListOffsets parts_;
  places::DeviceBuffer weights_, items_, upper_, waiting_, progress_, distances_;
  std::array<BlockBuffers, 2> slots_;
  std::optional<places::PinnedMemory> pinned_parts_, pinned_weights_;
  places::DeviceBuffer first_part_;
  std::array<PartSlot, 2> part_slots_;
  std::size_t passed_ = 0;  // parts that were copied so far
  kernels::QueueId upward_queue_, queue_, copies_;
  std::size_t blocks_ = 0;
  std::int64_t columns_ = 0;  // of this block
};

}  // namespace apsp::elimination
