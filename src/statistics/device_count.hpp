// Statistics of distances on a device, which counts them and returns a few numbers for each vertex.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "flow/column_sink.hpp"
#include "kernels/device.hpp"
#include "kernels/row_kernels.hpp"

namespace apsp::statistics {

/// The method of counting distances from 0 on.
struct CountMethod {
  /// Any distances (kernels/distance_count.hpp).
  struct Binned {
    kernels::DistanceBins bins{};
    base::SliceRange sums{}, reciprocals{};
  };

  /// Counts integers of u16, i32 or whole rows below the limit; 0: nothing is counted.
  CountMethod(std::int64_t whole_below = 0) : limit(whole_below) {}
  /// Counts distances of `type` in a graph of n vertices, which are 0 or between `least` and
  /// `greatest`. Empty where a device cannot hold every digit of their sums.
  static std::optional<CountMethod> binned_between(ValueType type, std::int64_t n, bool whole,
                                                   double least, double greatest);

  bool counts() const { return limit > 0 || binned; }
  /// The number of counts of distances.
  std::int64_t bins() const { return binned ? binned->bins.count() : limit; }

  std::int64_t limit;
  std::optional<Binned> binned{};
  bool may_have_component = false;  ///< its memory is planned
  /// [n] not 0 for the vertices of a component, to which distances are also counted separately;
  /// empty: there is none.
  std::span<const std::uint8_t> component{};
};

/// A count of distances on a device.
class DeviceCounter {
 public:
  virtual ~DeviceCounter() = default;
  /// Queues copies. Requires: all memory is claimed, because a failed claim must find no work
  /// queued.
  virtual void begin() = 0;
  /// Queues the count of distances of the columns from number `first_column` on, whose vertices are
  /// `column_labels` on the device, to the rows from number `first_row` on. Waits if totals must be
  /// fetched first.
  /// `potentials`: of reduced distances, which only integers below the limit may be.
  virtual void add(kernels::ConstView distances, std::int64_t first_row,
                   const Vertex* column_labels, std::int64_t first_column,
                   const kernels::RowPotentials& potentials = {}) = 0;
  /// Waits for all queued counts and returns them. Throws `Error`: device, defect (a distance
  /// beyond the bounds of the method).
  virtual flow::CountedDistances counted() = 0;
};

/// Returns a count of distances between `rows` and `columns` in a graph of n vertices, with its
/// memory. `columns` outlive it. `most`: columns that integer totals of a row add up before these
/// are fetched. Requires: `method` counts. Throws `Error` (does_not_fit).
std::unique_ptr<DeviceCounter> device_counter(kernels::ComputeDevice& device,
                                              kernels::QueueId queue, std::int64_t n,
                                              std::span<const Vertex> rows,
                                              std::span<const Vertex> columns,
                                              const CountMethod& method,
                                              std::int64_t most = kernels::kCountedColumns);
/// Returns bytes of device memory, including those of a component.
std::int64_t device_count_bytes(std::int64_t rows, std::int64_t columns, const CountMethod& method);

}  // namespace apsp::statistics
