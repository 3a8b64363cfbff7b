// Rows of what is near, found by a device (kernels/near_searches.hpp): many sources at a time, and
// of each only the vertices up to a limit. A row costs what it reaches, on whatever graph.
//
// Two batches take turns: the pairs of one are fetched and taken while the next sources are
// searched.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/semiring.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "kernels/device.hpp"
#include "kernels/row_kernels.hpp"
#include "places/device_buffer.hpp"
#include "search/searched_graph.hpp"
#include "search/source_blocks.hpp"

namespace apsp::search {

/// Rows that were found together.
struct NearRowsFound {
  std::span<const Vertex> sources;
  std::span<const std::int64_t> begin;   ///< [sources] where a row's pairs begin
  std::span<const std::int32_t> found;   ///< [sources] how many there are, or a `NearFault`
  const Vertex* targets = nullptr;       ///< in no certain order, the source among them
  const std::byte* distances = nullptr;  ///< std::uint32_t or double (`NearGraph::whole`)
};

/// Arcs as searches that end at a limit read them.
struct NearGraph {
  NearGraph(const Graph& graph, ValueType type, double limit);

  bool whole;  ///< distances are std::uint32_t, else double
  double limit;
  SearchedGraph arcs;
};

/// Sources at a time, and what they may find.
struct NearBatches {
  std::int64_t rows = 0, pairs = 0, searches = 0, listed = 0;

  /// For sources that reach so many vertices each; rows = 0: not one search fits into the bytes.
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

  /// Searches from the blocks that it claims. `take` skips rows with a fault: each comes again,
  /// unless its source reaches too many vertices. Returns such sources. Throws `Error`:
  /// interrupted, device; what `take` throws.
  std::vector<Vertex> run(SourceBlocks& blocks,
                          const std::function<void(const NearRowsFound&)>& take);

 private:
  struct FoundBatch {
    FoundBatch(const NearGraph& graph, const NearBatches& how, kernels::ComputeDevice& device);

    places::DeviceArray<std::uint32_t> sources;  // [rows]
    places::DeviceArray<std::int64_t> begin;     // [rows]
    places::DeviceArray<std::int32_t> found;     // [rows]
    places::DeviceArray<std::uint64_t> pairs;    // how many the rows asked for
    places::DeviceBuffer targets, distances;     // [pairs]
    std::vector<Vertex> searched;                // empty: none is under way
    kernels::EventId done = -1;
  };

  void issue(FoundBatch& batch, std::vector<Vertex> sources);
  /// Waits for a batch's rows and passes them on.
  void fetch(FoundBatch& batch, SourceBlocks& blocks,
             const std::function<void(const NearRowsFound&)>& take);

  const NearGraph& graph_;
  NearBatches how_;
  kernels::ComputeDevice& device_;
  kernels::SearchKernels& kernels_ = kernels::required(device_.searches());
  places::DeviceCopy<std::uint32_t> first_;
  places::DeviceCopy<std::byte> arcs_;
  places::DeviceBuffer scratch_;
  std::vector<FoundBatch> batches_;
  std::vector<Vertex> targets_;       // [pairs] of the rows that are taken
  std::vector<std::byte> distances_;  // [pairs]
  std::optional<places::PinnedMemory> pinned_targets_, pinned_distances_;
  std::vector<Vertex> again_, too_many_;
  bool fresh_ = true;
  kernels::QueueId searches_, copies_;
};

}  // namespace apsp::search
