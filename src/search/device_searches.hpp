// A graph on a device, and searches in it (kernels/searched_rows.hpp).
#pragma once

#include <apsp/graph.hpp>
#include <apsp/semiring.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/device.hpp"
#include "places/device_array.hpp"

namespace apsp::search {

/// Of arcs: rows hold distances from their vertices, or to them.
enum class Direction { kept, reversed };

class DeviceSearches {
 public:
  /// Claims memory and queues copies; `searches`: at a time. The device outlives it. Throws `Error`
  /// (does_not_fit).
  DeviceSearches(const Graph& graph, Semiring semiring, ValueType type, Direction direction,
                 kernels::ComputeDevice& device, kernels::QueueId queue,
                 std::span<const Vertex> sources, std::int64_t searches, double step);
  ~DeviceSearches() { places::drain(device_, queue_); }
  DeviceSearches(const DeviceSearches&) = delete;
  DeviceSearches& operator=(const DeviceSearches&) = delete;

  /// Memory of the device.
  static std::int64_t bytes(std::int64_t vertices, std::int64_t arcs, std::int64_t sources,
                            ValueType type, std::int64_t searches);

  /// Queues a row each of the sources that begin with number `begin`.
  void find(kernels::View rows, std::int64_t begin);

 private:
  kernels::ComputeDevice& device_;
  kernels::QueueId queue_;
  std::int64_t searches_;
  double step_;
  places::DeviceArray<std::uint32_t> first_;
  places::DeviceArray<std::byte> arcs_;
  places::DeviceArray<Vertex> sources_;
  places::DeviceBuffer scratch_;
};

}  // namespace apsp::search
