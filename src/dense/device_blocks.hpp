// Distances that a device computes for one block of sources after another, and their way to the
// host.
#pragma once

#include <algorithm>
#include <apsp/graph.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "dense/device_buffer.hpp"
#include "kernels/device.hpp"
#include "kernels/distance_count.hpp"
#include "system/aligned_memory.hpp"

namespace apsp::dense {

/// An algorithm that computes blocks: sweeps over a factor, breadth-first searches. The same code
/// makes statistics and rows of their distances.
class DeviceBlocks {
 public:
  virtual ~DeviceBlocks() = default;
  /// Queues the distances from a block of sources. Waits for the block before the last one.
  virtual void begin(std::span<const Vertex> sources) = 0;
  /// The queue on which `distances` are complete after `begin`.
  virtual kernels::QueueId queue() const = 0;
  /// [n, sources] by position, with a column for each source; values as in gathered rows
  /// (kernels/listed_rows.hpp).
  virtual kernels::ConstView distances() const = 0;
  /// The vertices of the columns, in device memory.
  virtual const std::uint32_t* column_labels() const = 0;
  /// Their potentials, if values are reduced (kernels::ListedForm).
  virtual kernels::RowPotentials potentials() const { return {}; }
  /// Called when all work that reads the distances is queued.
  virtual void end() = 0;
  /// Waits for all that was queued.
  virtual void finish() = 0;
};

/// Receives the complete rows of some sources on a device. It may overwrite them until it returns.
using TakeOnDevice = std::function<void(std::span<const Vertex> sources, kernels::View rows)>;

/// Copies rows of distances from a device to the host, piece by piece through pinned memory, while
/// the device computes the next ones. An object serves one run (`pass_on`).
class RowPieces {
 public:
  /// Pieces under way: one is read, one is copied, and two wait, so that the device never waits for
  /// a slot.
  static constexpr std::size_t kSlots = 4;

  /// Returns the number of rows of a piece of 64 MiB, from 1 to `most`.
  static std::int64_t rows_of(std::int64_t cols, int value_size, std::int64_t most) {
    constexpr std::int64_t kPieceBytes = std::int64_t{64} << 20;
    const std::int64_t row = std::max<std::int64_t>(1, cols * value_size);
    return std::clamp<std::int64_t>(kPieceBytes / row, 1, most);
  }
  /// Returns bytes of host memory for all slots. `value_size`: the sum of all planes.
  static std::int64_t bytes(std::int64_t rows, std::int64_t cols, int value_size) {
    return static_cast<std::int64_t>(kSlots) * rows * cols * value_size;
  }

  /// Takes pieces of up to `rows` rows of `cols` values; 0: none is copied, and readers use the
  /// device's memory. `beside`: bytes of a value of a second plane; 0: there is none. The device
  /// outlives it. Throws `Error` (does_not_fit).
  RowPieces(kernels::ComputeDevice& device, std::int64_t rows, std::int64_t cols, int value_size,
            int beside = 0)
      : device_(device),
        size_(value_size),
        beside_(beside),
        to_host_(rows > 0),
        copies_(device.make_queue(kernels::Priority::high)) {
    for (PinnedRows& slot : slots_) {
      slot.first.claim(device, rows, cols, value_size);
      if (beside > 0) slot.second.claim(device, rows, cols, beside);
    }
  }
  ~RowPieces() { drain(device_, copies_); }

  /// Queues the copy of the next piece, which is complete once `found` is reached. Returns an event
  /// after which the copy no longer reads the rows. Called only within `pass_on`.
  kernels::EventId copy(kernels::EventId found, kernels::View rows) {
    PinnedRows& slot = slots_[copied_++ % kSlots];
    slot.on_device = rows;
    return slot.copied = to_host_ ? copy(slot.first, found, rows, size_) : found;
  }
  /// Queues the copy of the second plane of the same piece.
  kernels::EventId copy_beside(kernels::EventId found, kernels::ConstView rows) {
    PinnedRows& slot = slots_[(copied_ - 1) % kSlots];
    return slot.copied = copy(slot.second, found, rows, beside_);
  }
  /// The second plane's rows of the current piece; null where there is none.
  const std::byte* beside(std::size_t piece) const {
    return slots_[piece % kSlots].second.host.data();
  }
  /// The rows of the current piece on the device.
  kernels::View on_device(std::size_t piece) const { return slots_[piece % kSlots].on_device; }

  /// Called once. `issue(i)` copies piece i, and returns false if there is none; up to `ahead`
  /// pieces are issued before they are taken. `take(i, rows)` may read the rows, stored without
  /// gaps, until it returns; null: they are only on the device.
  template <class Issue, class Take>
  void pass_on(Issue&& issue, Take&& take, std::size_t ahead = kSlots) {
    bool more = true;
    for (std::size_t i = 0;; ++i) {
      while (more && copied_ < i + ahead) more = issue(copied_);
      if (i == copied_) break;
      PinnedRows& slot = slots_[i % kSlots];
      device_.await(slot.copied);
      take(i, static_cast<const void*>(slot.first.host.data()));
    }
    device_.synchronize(copies_);
  }

 private:
  struct PinnedPlane {
    system::AlignedMemory host;  // [rows, cols]
    std::optional<PinnedMemory> pinned;

    void claim(kernels::ComputeDevice& device, std::int64_t rows, std::int64_t cols, int size) {
      host = system::AlignedMemory(rows * cols * size);
      pinned.emplace(device, kernels::View{host.data(), rows, cols, cols}, size);
    }
  };
  struct PinnedRows {
    PinnedPlane first, second;
    kernels::View on_device{};
    kernels::EventId copied = -1;
  };

  kernels::EventId copy(PinnedPlane& to, kernels::EventId found, kernels::ConstView rows,
                        int size) {
    device_.wait(copies_, found);
    device_.copy_out(copies_, {to.host.data(), rows.rows, rows.cols, rows.cols}, rows, size);
    return device_.record(copies_);
  }

  kernels::ComputeDevice& device_;
  int size_, beside_;  // bytes of a value of each plane
  bool to_host_;
  kernels::QueueId copies_;
  std::array<PinnedRows, kSlots> slots_;
  std::size_t copied_ = 0;  // pieces
};

}  // namespace apsp::dense
