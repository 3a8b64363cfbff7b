// Distances that a device finds for one block of sources after another, and their way to the host.
#pragma once

#include <algorithm>
#include <apsp/graph.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "base/aligned_memory.hpp"
#include "kernels/device.hpp"
#include "places/device_buffer.hpp"

namespace apsp::places {

/// The interface of algorithms that find them: sweeps over a factor, breadth-first searches.
/// Statistics and rows are made of their distances by the same code.
class DeviceBlocks {
 public:
  virtual ~DeviceBlocks() = default;
  /// Queues the distances from a block of sources; waits for the block before the last one.
  virtual void begin(std::span<const Vertex> sources) = 0;
  /// The queue on which `distances` are there after `begin`.
  virtual kernels::QueueId queue() const = 0;
  /// [n, sources] by position, a column a source; values as listed rows keep them
  /// (kernels/listed_rows.hpp).
  virtual kernels::ConstView distances() const = 0;
  /// The vertices of the columns, in device memory.
  virtual const std::uint32_t* column_labels() const = 0;
  /// Once all that takes the distances is queued.
  virtual void end() = 0;
  /// Waits for all that was queued.
  virtual void finish() = 0;
};

/// Takes the rows of some sources where they lie on a device, complete. They stay as they are, and
/// may be overwritten, until it returns.
using TakeOnDevice = std::function<void(std::span<const Vertex> sources, kernels::View rows)>;

/// Copies rows of distances from a device to the host, piece by piece through pinned memory, while
/// the device finds the next ones. An object serves one run (`pass_on`).
class RowPieces {
 public:
  /// Pieces under way: one is taken, one is copied, and two wait, so that the device need not wait
  /// for a slot while it finds the rows of the next one.
  static constexpr std::size_t kSlots = 4;

  /// Rows of some tens of megabytes, of rows of `cols` values; 1 to `most`.
  static std::int64_t rows_of(std::int64_t cols, int value_size, std::int64_t most) {
    constexpr std::int64_t kPieceBytes = std::int64_t{64} << 20;
    const std::int64_t row = std::max<std::int64_t>(1, cols * value_size);
    return std::clamp<std::int64_t>(kPieceBytes / row, 1, most);
  }
  /// Bytes of host memory for all slots; `value_size`: of all planes together.
  static std::int64_t bytes(std::int64_t rows, std::int64_t cols, int value_size) {
    return static_cast<std::int64_t>(kSlots) * rows * cols * value_size;
  }

  /// For pieces of up to `rows` rows of `cols` values; 0: none is copied, and all are taken on the
  /// device. `beside`: bytes of a value of a second
  /// plane, whose rows come with them; 0: there is none. The device outlives it. Throws `Error`
  /// (does_not_fit).
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

  /// Queues the copy of the next piece, which is complete once `found` is reached. When the
  /// resulting event is, no copy needs its rows on the device. Only within `pass_on`.
  kernels::EventId copy(kernels::EventId found, kernels::View rows) {
    PinnedRows& slot = slots_[copied_++ % kSlots];
    slot.on_device = rows;
    return slot.copied = to_host_ ? copy(slot.first, found, rows, size_) : found;
  }
  /// The same of the second plane's rows, of the piece whose copy was queued last.
  kernels::EventId copy_beside(kernels::EventId found, kernels::ConstView rows) {
    PinnedRows& slot = slots_[(copied_ - 1) % kSlots];
    return slot.copied = copy(slot.second, found, rows, beside_);
  }
  /// The second plane's rows of the piece that is being taken; null where there is none.
  const std::byte* beside(std::size_t piece) const {
    return slots_[piece % kSlots].second.host.data();
  }
  /// Where the rows of the piece that is being taken lie on the device.
  kernels::View on_device(std::size_t piece) const { return slots_[piece % kSlots].on_device; }

  /// Called once. Piece after piece: `issue(i)` copies the i-th, and returns false if there is
  /// none; `ahead` pieces are issued and not taken at a time. `take(i, rows)` may read its rows,
  /// one behind another, until it returns; null: they are on the device alone.
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
    base::AlignedMemory host;  // [rows, cols]
    std::optional<PinnedMemory> pinned;

    void claim(kernels::ComputeDevice& device, std::int64_t rows, std::int64_t cols, int size) {
      host = base::AlignedMemory(rows * cols * size);
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
  int size_, beside_;  // of a value of each plane
  bool to_host_;
  kernels::QueueId copies_;
  std::array<PinnedRows, kSlots> slots_;
  std::size_t copied_ = 0;  // pieces
};

}  // namespace apsp::places
