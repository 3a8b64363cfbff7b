// Statistics of distances on a device: they are counted where they are found, and a few numbers a
// vertex come back.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>
#include <span>

#include "kernels/device.hpp"
#include "places/device_buffer.hpp"
#include "store/column_sink.hpp"

namespace apsp::search {

/// Min-plus over u16, i32 or the like, whole numbers from 0 on.
class DeviceCount {
 public:
  /// Counts distances between `rows` and `columns`, of a graph of n vertices, all below `limit`.
  /// Claims memory. `columns` outlive it. Throws `Error` (does_not_fit).
  DeviceCount(kernels::ComputeDevice& device, kernels::QueueId queue, std::int64_t n,
              std::span<const Vertex> rows, std::span<const Vertex> columns, std::int64_t limit);
  ~DeviceCount() { places::drain(device_, queue_); }
  DeviceCount(const DeviceCount&) = delete;
  DeviceCount& operator=(const DeviceCount&) = delete;

  /// Memory of the device, bytes.
  static std::int64_t device_bytes(std::int64_t rows, std::int64_t columns, std::int64_t limit);

  /// Queues copies, once all memory is claimed: a failed claim must find no work queued.
  void begin();
  /// Queues the count of some distances: those from the columns that begin with number
  /// `first_column`, whose vertices are `column_labels` on the device, to the rows that begin with
  /// number `first_row`.
  void add(kernels::ConstView distances, std::int64_t first_row, const Vertex* column_labels,
           std::int64_t first_column);
  /// Waits for all that was queued. Throws `Error`: device; defect, for a distance at or above the
  /// limit.
  store::CountedDistances counted();

 private:
  kernels::ComputeDevice& device_;
  kernels::QueueId queue_;
  std::int64_t n_, limit_;
  std::span<const Vertex> columns_;
  places::DeviceArray<Vertex> labels_;
  places::DeviceArray<kernels::RowTotals> totals_;        // [rows]
  places::DeviceArray<std::uint64_t> greatest_, counts_;  // [columns], [limit + 1]
};

}  // namespace apsp::search
