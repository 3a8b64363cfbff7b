// Statistics of distances on a device: they are counted where they are found, and a few numbers a
// vertex come back.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/device.hpp"
#include "places/device_buffer.hpp"
#include "store/column_sink.hpp"

namespace apsp::search {

/// Min-plus over u16, i32 or the like, whole numbers from 0 on.
class DeviceCount {
 public:
  /// Counts distances between `rows` and `columns`, of a graph of n vertices, all below `limit`.
  /// Claims memory. `columns` outlive it. `most`: columns that are added up before their totals are
  /// fetched, where these come again and again to the same rows. Throws `Error` (does_not_fit).
  DeviceCount(kernels::ComputeDevice& device, kernels::QueueId queue, std::int64_t n,
              std::span<const Vertex> rows, std::span<const Vertex> columns, std::int64_t limit,
              std::int64_t most = kernels::kCountedColumns);
  ~DeviceCount() { places::drain(device_, queue_); }
  DeviceCount(const DeviceCount&) = delete;
  DeviceCount& operator=(const DeviceCount&) = delete;

  /// Memory of the device, bytes.
  static std::int64_t device_bytes(std::int64_t rows, std::int64_t columns, std::int64_t limit);

  /// Queues copies, once all memory is claimed: a failed claim must find no work queued.
  void begin();
  /// Queues the count of some distances: those from the columns that begin with number
  /// `first_column`, whose vertices are `column_labels` on the device, to the rows that begin with
  /// number `first_row`. Waits where totals must be fetched first.
  void add(kernels::ConstView distances, std::int64_t first_row, const Vertex* column_labels,
           std::int64_t first_column);
  /// Waits for all that was queued. Throws `Error`: device; defect, for a distance at or above the
  /// limit.
  store::CountedDistances counted();

 private:
  void fetch_totals();

  kernels::ComputeDevice& device_;
  kernels::QueueId queue_;
  std::int64_t n_, limit_, most_;
  std::int64_t columns_there_ = 0;  // whose distances the totals on the device may hold
  std::vector<store::CountedDistances::To> fetched_;  // [rows] what was fetched before
  std::span<const Vertex> columns_;
  places::DeviceArray<Vertex> labels_;
  places::DeviceArray<kernels::RowTotals> totals_;        // [rows]
  places::DeviceArray<std::uint64_t> greatest_, counts_;  // [columns], [limit + 1]
};

}  // namespace apsp::search
