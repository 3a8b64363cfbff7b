// Predecessors of rows of distances on a device, by searches (`kernels::SearchKernels`). They equal
// those of `paths::PredecessorTree` on the host.
//
// The searches of each piece of rows have a queue of their own, so searches of several pieces and
// the work on the next distances fill the device together.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/semiring.hpp>
#include <array>
#include <cstdint>
#include <span>

#include "dense/device_blocks.hpp"
#include "dense/device_buffer.hpp"
#include "kernels/device.hpp"
#include "kernels/row_kernels.hpp"
#include "search/searched_graph.hpp"

namespace apsp::paths {

class DevicePredecessors {
 public:
  /// Claims memory for pieces of up to `rows` rows of these sources. Requires: distances are of the
  /// device's semiring and type. `sources` and the device outlive it. Throws `Error`
  /// (does_not_fit).
  DevicePredecessors(const Graph& graph, Semiring semiring, ValueType type,
                     kernels::ComputeDevice& device, std::span<const Vertex> sources,
                     std::int64_t rows);
  ~DevicePredecessors() { drain(); }
  DevicePredecessors(const DevicePredecessors&) = delete;
  DevicePredecessors& operator=(const DevicePredecessors&) = delete;

  /// Returns whether a device finds the predecessors of distances up to this bound: sums are exact,
  /// and 32 bits count the arcs. Else the host finds them (`paths::PredecessorRows`).
  static bool takes(const Graph& graph, Semiring semiring, ValueType type, double distance_bound);
  /// Returns bytes of device memory.
  static std::int64_t device_bytes(std::int64_t vertices, std::int64_t arcs, std::int64_t sources,
                                   ValueType type, std::int64_t rows);
  /// Returns bytes of host memory for arcs and pinned pieces of predecessors.
  static std::int64_t host_bytes(std::int64_t vertices, std::int64_t arcs, std::int64_t sources,
                                 ValueType type, std::int64_t rows);

  /// Rows of predecessors, of `kernels::predecessor_size`, complete once the event is reached.
  struct QueuedRows {
    kernels::EventId event;
    kernels::ConstView rows;
  };
  /// Queues the search of piece `number`, which begins with source `first`. Its distances are
  /// complete once `ready` is reached. The rows of the piece `dense::RowPieces::kSlots` before it
  /// are free once `copied` is reached; −1: they are free.
  QueuedRows find(std::size_t number, kernels::EventId ready, kernels::EventId copied,
                  kernels::ConstView distances, std::size_t first);
  /// Waits for all searches and ignores their errors.
  void drain() noexcept;
  /// Waits for all searches. Throws `Error` (defect) if distances did not belong to the graph.
  void finish();

 private:
  static constexpr std::size_t kSlots = dense::RowPieces::kSlots;
  /// Searches of one piece at the same time; pieces of two slots fill a device.
  static std::int64_t searches_of(std::int64_t rows);
  /// Bytes of arrays that the host and the device both have.
  static std::int64_t array_bytes(std::int64_t vertices, std::int64_t arcs, std::int64_t sources,
                                  ValueType type);
  DevicePredecessors(search::SearchedGraph graph, kernels::ComputeDevice& device,
                     std::span<const Vertex> sources, std::int64_t rows);

  struct Slot {
    dense::DeviceBuffer rows, scratch;
    kernels::QueueId queue = -1;
  };

  kernels::ComputeDevice& device_;
  kernels::SearchKernels& kernels_ = kernels::required(device_.searches());
  std::int64_t n_, searches_;
  dense::DeviceArray<std::uint32_t> first_;
  dense::DeviceArray<std::byte> arcs_;
  dense::DeviceArray<Vertex> sources_;
  dense::DeviceArray<std::uint32_t> torn_;  // [slots] rows of other graphs
  std::array<Slot, kSlots> slots_;
};

}  // namespace apsp::paths
