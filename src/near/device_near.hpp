// Distances up to a limit by searches on a device (kernels/searches.hpp), from many sources at
// the same time. A row costs what it reaches.
//
// Two batches take turns: the pairs of one are fetched during the searches of the other.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/semiring.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "dense/device_buffer.hpp"
#include "kernels/device.hpp"
#include "kernels/row_kernels.hpp"
#include "search/searched_graph.hpp"
#include "search/source_blocks.hpp"

namespace apsp::near {

/// Rows of one batch.
struct NearRowsFound {
  std::span<const Vertex> sources;
  std::span<const std::int64_t> begin;   ///< [sources] the first pair of each row
  std::span<const std::int32_t> found;   ///< [sources] the number of pairs, or a `NearFault`
  const Vertex* targets = nullptr;       ///< in no certain order, with the source
  const std::byte* distances = nullptr;  ///< std::uint32_t or double (`NearGraph::whole`)
};

/// The arcs of searches that end at a limit.
struct NearGraph {
  NearGraph(const Graph& graph, ValueType type, double limit);

  bool whole;  ///< distances are std::uint32_t, else double
  double limit;
  search::SearchedGraph arcs;
};

/// Sizes of a batch: sources, pairs, searches at the same time, and vertices of their lists.
struct NearBatches {
  std::int64_t rows = 0, pairs = 0, searches = 0, listed = 0;

  /// Returns sizes that fit into `bytes` for sources that reach `reached` vertices each; rows = 0:
  /// not one search fits.
  static NearBatches fitting(std::int64_t bytes, std::int64_t sources, std::int64_t vertices,
                             std::int64_t arcs, bool whole, double reached);
  std::int64_t device_bytes(std::int64_t vertices, std::int64_t arcs, bool whole) const;
};

class DeviceNear {
 public:
  /// Claims memory. `graph` and the device outlive it. Throws `Error` (does_not_fit).
  DeviceNear(const NearGraph& graph, const NearBatches& how, kernels::ComputeDevice& device);
  ~DeviceNear();
  DeviceNear(const DeviceNear&) = delete;
  DeviceNear& operator=(const DeviceNear&) = delete;

  /// Searches from the claimed blocks. `take` skips rows with a fault: each comes again, unless its
  /// source reaches too many vertices. Returns such sources. Throws `Error` (interrupted, device)
  /// and exceptions of `take`.
  std::vector<Vertex> run(search::SourceBlocks& blocks,
                          const std::function<void(const NearRowsFound&)>& take);

 private:
  struct FoundBatch {
    FoundBatch(const NearGraph& graph, const NearBatches& how, kernels::ComputeDevice& device);

    dense::DeviceArray<std::uint32_t> sources;  // [rows]
    dense::DeviceArray<std::int64_t> begin;     // [rows]
    dense::DeviceArray<std::int32_t> found;     // [rows]
    dense::DeviceArray<std::uint64_t> pairs;    // the number that the rows asked for
    dense::DeviceBuffer targets, distances;     // [pairs]
    std::vector<Vertex> searched;               // empty: none is under way
    kernels::EventId done = -1;
  };

  void issue(FoundBatch& batch, std::vector<Vertex> sources);
  /// Waits for a batch's rows and gives them to `take`.
  void fetch(FoundBatch& batch, search::SourceBlocks& blocks,
             const std::function<void(const NearRowsFound&)>& take);

  const NearGraph& graph_;
  NearBatches how_;
  kernels::ComputeDevice& device_;
  kernels::SearchKernels& kernels_ = kernels::required(device_.searches());
  dense::DeviceCopy<std::uint32_t> first_;
  dense::DeviceCopy<std::byte> arcs_;
  dense::DeviceBuffer scratch_;
  std::vector<FoundBatch> batches_;
  std::vector<Vertex> targets_;       // [pairs] of the rows that are taken
  std::vector<std::byte> distances_;  // [pairs]
  std::optional<dense::PinnedMemory> pinned_targets_, pinned_distances_;
  std::vector<Vertex> again_, too_many_;
  bool fresh_ = true;
  kernels::QueueId searches_, copies_;
};

}  // namespace apsp::near
