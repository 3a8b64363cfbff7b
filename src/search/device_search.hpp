// Johnson's algorithm on a device: all rows by near-far searches (kernels/searches.hpp), a
// batch of sources a launch (Xia 2021, §III-B). Rows stay there for statistics, or are copied out
// piece by piece under the next batch's searches, into pinned memory of the host.
//
// Where Xia 2021 has a kernel launch another one for vertices of many arcs, their rows are shared
// out in the block here: nothing is launched, and a block has threads enough
// (bench/results/sparse-gpu.md).
#pragma once

#include <apsp/graph.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "kernels/device.hpp"
#include "kernels/row_kernels.hpp"
#include "places/device_blocks.hpp"
#include "places/device_buffer.hpp"
#include "search/device_count.hpp"
#include "search/searched_graph.hpp"
#include "search/source_blocks.hpp"
#include "store/column_sink.hpp"
#include "store/selection.hpp"

namespace apsp::search {

/// How searches share out a device.
struct SearchBatches {
  std::int64_t batch = 1;     ///< rows that a launch finds
  std::int64_t searches = 1;  ///< at a time, at most
  std::int64_t piece = 1;     ///< rows that are copied out at a time
  /// Bytes of a multiprocessor's memory for a search, at most; tests take less than there is.
  std::int64_t shared_memory = std::numeric_limits<std::int64_t>::max();
  std::int64_t arcs_kept = kernels::kArcsKept;  ///< bytes of arcs in a device's cache, at most

  /// Memory of the device, bytes: where distances are counted, and where rows of so many columns
  /// leave.
  std::int64_t bytes_of_counts(std::int64_t vertices, std::int64_t arcs, const SearchKeys& keys,
                               const CountMethod& way) const;
  std::int64_t bytes_of_rows(std::int64_t vertices, std::int64_t arcs, std::int64_t sources,
                             std::int64_t columns, const SearchKeys& keys) const;
  /// Memory of the host besides the graph, where rows leave.
  std::int64_t host_bytes(std::int64_t columns, ValueType type) const;
};

/// A graph on a device, and searches in it.
class DeviceSearches {
 public:
  /// Rows have a column for each of `columns`. Claims memory and queues copies. The graph and the
  /// device, which is one of its semiring and type, outlive it. Throws `Error` (does_not_fit).
  DeviceSearches(const SearchedGraph& graph, kernels::ComputeDevice& device, kernels::QueueId queue,
                 std::span<const Vertex> sources, const store::VertexList& columns,
                 const SearchBatches& how);
  ~DeviceSearches() { places::drain(device_, queue_); }
  DeviceSearches(const DeviceSearches&) = delete;
  DeviceSearches& operator=(const DeviceSearches&) = delete;

  /// Memory of the device, at most.
  static std::int64_t bytes(std::int64_t vertices, std::int64_t arcs, std::int64_t sources,
                            std::int64_t columns, const SearchKeys& keys, std::int64_t searches);

  /// Queues a row each of the sources that begin with number `begin`.
  void find(kernels::View rows, std::int64_t begin);

 private:
  const SearchedGraph& graph_;
  kernels::ComputeDevice& device_;
  kernels::SearchKernels& kernels_ = kernels::required(device_.searches());
  kernels::QueueId queue_;
  SearchBatches how_;
  places::DeviceCopy<std::uint32_t> first_;
  places::DeviceCopy<std::byte> arcs_;
  places::DeviceCopy<double> potentials_;
  places::DeviceArray<Vertex> sources_;
  std::vector<Vertex> listed_;  // numbers of the columns; empty: all vertices, in their order
  places::DeviceCopy<Vertex> columns_;
  places::DeviceBuffer scratch_;
};

/// Requires of both: the device is one of the graph's semiring and type; claimed blocks have up to
/// `how.batch` sources.
///
/// Counts the distances to all sources that it claims from all vertices, which are whole numbers
/// below the limit of `way`: of a graph that is symmetric or reversed. Of placed distances
/// (`CountMethod::Placed`) it counts those from the sources to all vertices: a sum that is rounded
/// begins at its source. Throws `Error`: does_not_fit, interrupted, device, defect.
store::CountedDistances count_by_searches(const SearchedGraph& graph,
                                          kernels::ComputeDevice& device, const SearchBatches& how,
                                          SourceBlocks& blocks, const CountMethod& way);

/// Takes the rows of some sources, [sources.size(), columns] values, which it may read until it
/// returns.
using TakeRows =
    std::function<void(std::span<const Vertex> sources, const void* rows, std::int64_t stride)>;

/// Passes on the rows of the sources that it claims, in their order, with a column for each of
/// `targets`. `on_device`: takes them on the device before; where `take` is empty, none is copied
/// to the host. Throws as above, and what the two throw.
void rows_by_searches(const SearchedGraph& graph, kernels::ComputeDevice& device,
                      const store::VertexList& targets, const SearchBatches& how,
                      SourceBlocks& blocks, const TakeRows& take,
                      const places::TakeOnDevice& on_device = {});

}  // namespace apsp::search
