// Statistics of distances on a device: they are counted where they are found, and a few numbers a
// vertex come back.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "kernels/device.hpp"
#include "kernels/row_kernels.hpp"
#include "places/device_buffer.hpp"
#include "store/column_sink.hpp"

namespace apsp::search {

/// How distances from 0 on are counted.
struct CountMethod {
  /// Any distances (kernels/distance_count.hpp).
  struct Placed {
    kernels::DistancePlaces places{};
    base::SliceRange sums{}, reciprocals{};
  };

  /// Whole distances of u16 or i32 below the limit; 0: nothing is counted.
  CountMethod(std::int64_t whole_below = 0) : limit(whole_below) {}
  /// Distances of `type` in a graph of n vertices; those other than 0 lie between `least` and
  /// `greatest`. Empty where a device cannot hold every digit of their sums.
  static std::optional<CountMethod> placed_between(ValueType type, std::int64_t n, bool whole,
                                                   double least, double greatest);

  bool counts() const { return limit > 0 || placed; }
  /// How many counts of distances there are.
  std::int64_t places() const { return placed ? placed->places.count() : limit; }

  std::int64_t limit;
  std::optional<Placed> placed{};
  bool may_have_component = false;  ///< memory of one is planned
  /// [n] not 0 for the vertices of a component, to which distances are counted a second time;
  /// empty: there is none.
  std::span<const std::uint8_t> component{};
};

/// Distances that are counted on a device.
class DeviceCounter {
 public:
  virtual ~DeviceCounter() = default;
  /// Queues copies, once all memory is claimed: a failed claim must find no work queued.
  virtual void begin() = 0;
  /// Queues the count of some distances: those from the columns that begin with number
  /// `first_column`, whose vertices are `column_labels` on the device, to the rows that begin with
  /// number `first_row`. May wait where totals must be fetched first.
  virtual void add(kernels::ConstView distances, std::int64_t first_row,
                   const Vertex* column_labels, std::int64_t first_column) = 0;
  /// Waits for all that was queued. Throws `Error`: device; defect, for a distance beyond what was
  /// said of them.
  virtual store::CountedDistances counted() = 0;
};

/// Counts distances between `rows` and `columns`, of a graph of n vertices. Claims memory.
/// `columns` outlive it. Requires: `way` counts. Throws `Error` (does_not_fit).
std::unique_ptr<DeviceCounter> device_counter(kernels::ComputeDevice& device,
                                              kernels::QueueId queue, std::int64_t n,
                                              std::span<const Vertex> rows,
                                              std::span<const Vertex> columns,
                                              const CountMethod& way);
/// Memory of the device, bytes, with that of a component.
std::int64_t device_count_bytes(std::int64_t rows, std::int64_t columns, const CountMethod& way);

/// The memory in which distances to a component are counted; none where there is no component.
class ComponentCount {
 public:
  /// `columns`: their number. Throws `Error` (does_not_fit).
  ComponentCount(kernels::DeviceAllocator& device, std::span<const std::uint8_t> component,
                 std::int64_t columns);
  /// Memory of the device, bytes.
  static std::int64_t device_bytes(std::int64_t vertices, std::int64_t columns);

  void begin(kernels::DeviceQueues& device, kernels::QueueId queue);
  kernels::RowsWithin from(std::int64_t first_column) const;
  void copy_out(kernels::DeviceQueues& device, kernels::QueueId queue);
  /// Fills `all.within` with what was copied out of the columns of these vertices.
  void put(std::span<const Vertex> columns, store::CountedDistances& all) const;

 private:
  places::DeviceArray<std::uint8_t> holds_;             // [n]
  places::DeviceArray<kernels::ColumnWithin> columns_;  // [columns]
  places::DeviceBuffer parts_;
};

/// Min-plus over u16, i32 or the like, whole numbers from 0 on.
class DeviceCount final : public DeviceCounter {
 public:
  /// Counts distances between `rows` and `columns`, of a graph of n vertices, all below
  /// `way.limit`. Claims memory. `columns` outlive it. `most`: columns that are added up before
  /// their totals are fetched, where these come again and again to the same rows. Throws `Error`
  /// (does_not_fit).
  DeviceCount(kernels::ComputeDevice& device, kernels::QueueId queue, std::int64_t n,
              std::span<const Vertex> rows, std::span<const Vertex> columns, const CountMethod& way,
              std::int64_t most = kernels::kCountedColumns);
  ~DeviceCount() override { places::drain(device_, queue_); }
  DeviceCount(const DeviceCount&) = delete;
  DeviceCount& operator=(const DeviceCount&) = delete;

  /// Memory of the device, bytes, without that of a component.
  static std::int64_t device_bytes(std::int64_t rows, std::int64_t columns, std::int64_t limit);

  void begin() override;
  void add(kernels::ConstView distances, std::int64_t first_row, const Vertex* column_labels,
           std::int64_t first_column) override;
  store::CountedDistances counted() override;

 private:
  void fetch_totals();

  kernels::ComputeDevice& device_;
  kernels::CountKernels& kernels_ = kernels::required(device_.counts());
  kernels::QueueId queue_;
  std::int64_t n_, limit_, most_;
  std::int64_t columns_there_ = 0;  // whose distances the totals on the device may hold
  std::vector<store::CountedDistances::To> fetched_;  // [rows] what was fetched before
  std::span<const Vertex> columns_;
  places::DeviceArray<Vertex> labels_;
  places::DeviceArray<kernels::RowTotals> totals_;        // [rows]
  places::DeviceArray<std::uint64_t> greatest_, counts_;  // [columns], [limit + 1]
  ComponentCount within_;
};

}  // namespace apsp::search
