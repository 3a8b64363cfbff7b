// Predecessors of rows of distances that lie on a device, by searches there
// (kernels/predecessors.hpp): those that `query::PredecessorTree` finds on the host.
//
// Rows come piece by piece. The searches of a piece have a queue of their own. So those of several
// pieces, and the work that finds the next distances, fill the device together.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/semiring.hpp>
#include <array>
#include <cstdint>
#include <span>

#include "kernels/device.hpp"
#include "kernels/row_kernels.hpp"
#include "places/device_blocks.hpp"
#include "places/device_buffer.hpp"
#include "search/searched_graph.hpp"

namespace apsp::search {

class DevicePredecessors {
 public:
  /// Of pieces of up to `rows` rows of these sources, distances of the device's semiring and type.
  /// Claims memory; `sources` and the device outlive it. Throws `Error` (does_not_fit).
  DevicePredecessors(const Graph& graph, Semiring semiring, ValueType type,
                     kernels::ComputeDevice& device, std::span<const Vertex> sources,
                     std::int64_t rows);
  ~DevicePredecessors() { drain(); }
  DevicePredecessors(const DevicePredecessors&) = delete;
  DevicePredecessors& operator=(const DevicePredecessors&) = delete;

  /// Whether a device finds the predecessors of distances of at most this bound: sums are exact,
  /// and 32 bits count the arcs. Where not, the host does (`query::PredecessorRows`).
  static bool takes(const Graph& graph, Semiring semiring, ValueType type, double distance_bound);
  /// Memory of the device, bytes.
  static std::int64_t device_bytes(std::int64_t vertices, std::int64_t arcs, std::int64_t sources,
                                   ValueType type, std::int64_t rows);
  /// The same of the host: the arcs, and pinned pieces of predecessors.
  static std::int64_t host_bytes(std::int64_t vertices, std::int64_t arcs, std::int64_t sources,
                                 ValueType type, std::int64_t rows);

  /// Rows of predecessors, of `kernels::predecessor_size`, and the event when they are there.
  struct QueuedRows {
    kernels::EventId event;
    kernels::ConstView rows;
  };
  /// Queues the search of the `number`-th piece, whose first source is the `first`-th. Its
  /// distances are there once `ready` is reached, and `copied`, unless −1, says when the rows of
  /// the piece `places::RowPieces::kSlots` before it are no longer needed.
  QueuedRows find(std::size_t number, kernels::EventId ready, kernels::EventId copied,
                  kernels::ConstView distances, std::size_t first);
  /// Waits for all searches, whatever becomes of them.
  void drain() noexcept;
  /// Waits for all searches. Throws `Error` (defect) if distances did not belong to the graph.
  void finish();

 private:
  static constexpr std::size_t kSlots = places::RowPieces::kSlots;
  /// Of one piece; pieces of two slots fill a device.
  static std::int64_t searches_of(std::int64_t rows);
  /// Arrays that the host and the device have.
  static std::int64_t array_bytes(std::int64_t vertices, std::int64_t arcs, std::int64_t sources,
                                  ValueType type);
  DevicePredecessors(SearchedGraph graph, kernels::ComputeDevice& device,
                     std::span<const Vertex> sources, std::int64_t rows);

  struct Slot {
    places::DeviceBuffer rows, scratch;
    kernels::QueueId queue = -1;
  };

  kernels::ComputeDevice& device_;
  kernels::SearchKernels& kernels_ = kernels::required(device_.searches());
  std::int64_t n_, searches_;
  places::DeviceArray<std::uint32_t> first_;
  places::DeviceArray<std::byte> arcs_;
  places::DeviceArray<Vertex> sources_;
  places::DeviceArray<std::uint32_t> torn_;  // rows, of each slot
  std::array<Slot, kSlots> slots_;
};

}  // namespace apsp::search
