// Sweeps over a factor on a device: distances from blocks of hundreds or thousands of sources.
//
// The factor is copied to the device once. If it does not fit, a first part stays on the device,
// and the others pass through two buffers in every block, each copied during the launches of the
// part before. A block then brings the weights of its upward sweep (sweep_parts.hpp).
//
// A block sweeps upward on a queue of its own, during the downward sweep of the block before
// (device_up_sweep.hpp). Then the matrix of distances, [n, lanes] by position, is computed from the
// roots down. A launch takes all supernodes at the same distance from their root
// (device_down_sweep.hpp). Readers of the distances use the same queue.
//
// Rows of `ListedForm::reduced` have potentials of their own for every block
// (block_potentials.hpp). All weights are reduced by them on the device, before the block sweeps
// upward.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "dense/device_blocks.hpp"
#include "dense/device_buffer.hpp"
#include "kernels/device.hpp"
#include "kernels/row_kernels.hpp"
#include "sparse/block_potentials.hpp"
#include "sparse/device_down_sweep.hpp"
#include "sparse/device_up_sweep.hpp"
#include "sparse/factor.hpp"
#include "sparse/sweep_parts.hpp"
#include "system/aligned_memory.hpp"

namespace apsp::sparse {

/// One launch of a block's sweep. It may be repeated: the rows that it writes depend only on
/// others.
struct SweepLaunch {
  enum class SweepPhase { up, closing, down };
  SweepPhase part;
  kernels::ListedProduct product;
  std::span<const kernels::ListedItem> items;  // the same in host memory
};

class DeviceSweep final : public dense::DeviceBlocks {
 public:
  /// Claims memory for blocks of up to `lanes` consecutive sources. `threads` of the host pack the
  /// factor. `partition`: the parts of a factor that streams. Rows have the form of the device's
  /// gathered rows; `potentials`: of reduced ones. The factor, the device and the potentials
  /// outlive it. Throws `Error` (does_not_fit).
  DeviceSweep(const Factor& factor, kernels::ComputeDevice& device, std::span<const Vertex> sources,
              std::int64_t lanes, int threads = 1, const FactorPartition& partition = {},
              BlockPotentials* potentials = nullptr);
  ~DeviceSweep() override;
  DeviceSweep(const DeviceSweep&) = delete;
  DeviceSweep& operator=(const DeviceSweep&) = delete;

  // A type below is that of rows on the device (`kernels::listed_type`).

  /// Returns the lanes for so many sources: whole lines.
  static std::int64_t lanes_of(std::int64_t sources, ValueType type);
  /// Returns the most lanes, up to `most`, whose sweeps take at most `allowed` bytes, within one
  /// part in 32; 0: none do. Requires: `bytes(lanes)` rises.
  static std::int64_t lanes_within(std::int64_t allowed, std::int64_t most, ValueType type,
                                   const std::function<std::int64_t(std::int64_t)>& bytes);
  /// Returns bytes of device memory. `largest`: `UpSweepLists::largest` of the same lanes. `parts`:
  /// those of a factor that streams.
  static std::int64_t device_bytes(const Tree& tree, ValueType type, std::int64_t lanes,
                                   const UpwardSize& largest, const SweepParts* parts = nullptr);
  /// Returns the bytes of reduced rows in addition to `device_bytes` of u16, and those of the host.
  static std::int64_t reducing_bytes(const Tree& tree, std::int64_t lanes);
  static std::int64_t reducing_host_bytes(const Tree& tree, std::int64_t lanes);
  /// Returns the bytes of what `groups` of items that wait for each other keep on the device.
  static std::int64_t waiting_bytes(std::int64_t groups, std::int64_t lanes, ValueType type);
  /// Returns bytes of host memory, without the factor.
  static std::int64_t host_bytes(const Tree& tree, ValueType type, std::int64_t lanes,
                                 const UpwardSize& largest, const SweepParts* parts = nullptr);

  void begin(std::span<const Vertex> sources) override;
  kernels::QueueId queue() const override { return queue_; }
  kernels::ConstView distances() const override;
  const std::uint32_t* column_labels() const override;
  kernels::RowPotentials potentials() const override;
  /// Returns the launches of the last block in their order, except those down over a factor that
  /// streams; valid until the next `begin`.
  std::vector<SweepLaunch> launches() const;
  void end() override { slots_[(blocks_ - 1) % slots_.size()].free = device_.record(queue_); }
  void finish() override;

 private:
  /// Offsets of the parts of a block's lists in a slot's memory, bytes.
  struct ListOffsets {
    ListOffsets(const UpwardSize& size, std::int64_t vertices, std::int64_t lanes, int value_size,
                bool reduced = false);
    std::int64_t items, lists, weights, columns, labels, begun, potentials, of_columns, bytes;
  };
  struct BlockBuffers {
    system::AlignedMemory host;
    std::optional<dense::PinnedMemory> pinned;
    dense::DeviceBuffer lists, upward, reduced_weights;
    kernels::EventId free = -1;
  };
  /// Makes and copies lists of all weights, from which those of a block are reduced.
  void claim_reducing();

  /// Memory of a part of a factor that streams.
  struct PartSlot {
    dense::DeviceBuffer memory;
    kernels::EventId free = -1;
  };

  void claim_factor();
  void claim_parts(int threads);
  void copy_factor();
  void copy_in(kernels::QueueId queue, std::byte* to, const void* from, std::int64_t bytes);
  /// Copies bytes of the host to the next free buffer, for the work that `launch(memory)` queues.
  template <class F>
  void pass(const std::byte* from, std::int64_t bytes, F&& launch);
  void sweep_parts();
  kernels::ListedProduct closing(const ItemGroup& group, const std::byte* weights) const;
  /// The items of a group on the device, the rows that they list, and their weights.
  struct ListArrays {
    const std::byte *items, *lists, *weights;
  };
  static kernels::ListedProduct product_of(const ItemGroup& group, kernels::View c, kernels::View x,
                                           const ListArrays& at);
  /// Returns the product of a group of the downward sweep. `waiting`: the groups of items that wait
  /// for each other, on the device.
  kernels::ListedProduct downward(const ItemGroup& group, const ListArrays& at,
                                  const std::byte* waiting, std::int64_t count) const;
  void launch_part(const SweepPart& part, const std::byte* memory);
  void fill(BlockBuffers& slot, std::span<const Vertex> sources);
  void reduce(BlockBuffers& slot, std::span<const Vertex> sources);
  /// The weights of the factor for the last block.
  const std::byte* weights() const {
    return potentials_ == nullptr ? weights_.data() : last_slot().reduced_weights.data();
  }
  kernels::View upward_rows(const BlockBuffers& slot) const;
  const BlockBuffers& last_slot() const { return slots_[(blocks_ - 1) % slots_.size()]; }
  kernels::View matrix() const { return {distances_.data(), tree_.vertices(), lanes_, lanes_}; }

  const Factor& factor_;
  const Tree& tree_;
  kernels::ComputeDevice& device_;
  kernels::GatheredRowKernels& gathered_ = kernels::required(device_.gathered_rows());
  std::int64_t lanes_;
  ValueType type_;  // rows
  int size_;        // bytes of a value
  DownSweepLists down_;
  std::optional<SweepParts> streamed_;
  UpSweepLists up_;
  UpwardSize largest_;
  ListOffsets parts_;
  dense::DeviceBuffer weights_, items_, upper_, waiting_, progress_, distances_;
  BlockPotentials* potentials_;  // null: rows are not reduced
  std::vector<kernels::ListedItem> weight_items_;
  std::vector<Position> positions_;  // 0, 1, 2, …
  dense::DeviceBuffer weight_items_there_;
  std::array<BlockBuffers, 2> slots_;
  std::optional<dense::PinnedMemory> pinned_parts_, pinned_weights_;
  dense::DeviceBuffer first_part_;
  std::array<PartSlot, 2> part_slots_;
  std::size_t passed_ = 0;  // parts that were copied so far
  kernels::QueueId upward_queue_, queue_, copies_;
  std::size_t blocks_ = 0;
  std::int64_t columns_ = 0;  // sources of this block
};

}  // namespace apsp::sparse
