// Johnson's algorithm on a device: all rows by near-far searches (kernels/searches.hpp), a batch of
// sources in a launch (Xia 2021, §III-B). Rows stay on the device for statistics, or are copied to
// pinned host memory piece by piece during the searches of the next batch.
//
// A block of threads shares the arcs of a vertex. Xia 2021 launches another kernel for vertices of
// many arcs; measured, blocks have enough threads for them (bench/results/sparse-gpu.md).
#pragma once

#include <apsp/graph.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "dense/device_blocks.hpp"
#include "dense/device_buffer.hpp"
#include "flow/column_sink.hpp"
#include "kernels/device.hpp"
#include "kernels/row_kernels.hpp"
#include "search/searched_graph.hpp"
#include "search/source_blocks.hpp"
#include "statistics/device_count.hpp"
#include "store/selection.hpp"

namespace apsp::search {

/// Sizes of the searches of a device.
struct SearchBatches {
  std::int64_t batch = 1;     ///< rows of a launch
  std::int64_t searches = 1;  ///< the most at the same time
  std::int64_t piece = 1;     ///< rows of a copy to the host
  /// The most bytes of a multiprocessor's memory that a search uses.
  std::int64_t shared_memory = std::numeric_limits<std::int64_t>::max();
  std::int64_t arcs_kept = kernels::kArcsKept;  ///< the most bytes of arcs in a device's cache

  /// Return bytes of device memory for counted distances, and for rows of `columns` values.
  std::int64_t bytes_of_counts(std::int64_t vertices, std::int64_t arcs, const SearchKeys& keys,
                               const statistics::CountMethod& way) const;
  std::int64_t bytes_of_rows(std::int64_t vertices, std::int64_t arcs, std::int64_t sources,
                             std::int64_t columns, const SearchKeys& keys) const;
  /// Returns bytes of host memory for copied rows, without the graph.
  std::int64_t host_bytes(std::int64_t columns, ValueType type) const;
};

/// A graph on a device, and searches in it.
class DeviceSearches {
 public:
  /// Claims memory and queues copies. Rows have a column for each of `columns`. The graph and the
  /// device, of the graph's semiring and type, outlive it. Throws `Error` (does_not_fit).
  DeviceSearches(const SearchedGraph& graph, kernels::ComputeDevice& device, kernels::QueueId queue,
                 std::span<const Vertex> sources, const store::VertexList& columns,
                 const SearchBatches& how);
  ~DeviceSearches() { dense::drain(device_, queue_); }
  DeviceSearches(const DeviceSearches&) = delete;
  DeviceSearches& operator=(const DeviceSearches&) = delete;

  /// Returns the most bytes of device memory.
  static std::int64_t bytes(std::int64_t vertices, std::int64_t arcs, std::int64_t sources,
                            std::int64_t columns, const SearchKeys& keys, std::int64_t searches);

  /// Queues searches from the sources from number `begin` on, one for each row.
  void find(kernels::View rows, std::int64_t begin);

 private:
  const SearchedGraph& graph_;
  kernels::ComputeDevice& device_;
  kernels::SearchKernels& kernels_ = kernels::required(device_.searches());
  kernels::QueueId queue_;
  SearchBatches how_;
  dense::DeviceCopy<std::uint32_t> first_;
  dense::DeviceCopy<std::byte> arcs_;
  dense::DeviceCopy<double> potentials_;
  dense::DeviceArray<Vertex> sources_;
  std::vector<Vertex> listed_;  // numbers of the columns; empty: all vertices, in their order
  dense::DeviceCopy<Vertex> columns_;
  dense::DeviceBuffer scratch_;
};

/// Counts the distances from all vertices to the claimed sources, integers below the limit of
/// `way`, of a graph that is symmetric or reversed. Binned distances (`CountMethod::Binned`) are
/// counted from the sources to all vertices, because rounded sums begin at their source. Requires
/// of both functions: the device has the graph's semiring and type; blocks have up to `how.batch`
/// sources. Throws `Error`: does_not_fit, interrupted, device, defect.
flow::CountedDistances count_by_searches(const SearchedGraph& graph, kernels::ComputeDevice& device,
                                         const SearchBatches& how, SourceBlocks& blocks,
                                         const statistics::CountMethod& way);

/// Receives the rows of some sources, [sources.size(), columns] values, valid until it returns.
using TakeRows =
    std::function<void(std::span<const Vertex> sources, const void* rows, std::int64_t stride)>;

/// Gives the rows of the claimed sources to `take`, in their order, with a column for each of
/// `targets`. `on_device` receives them first, on the device. If `take` is empty, none is copied to
/// the host. Throws as above, and exceptions of `take` and `on_device`.
void rows_by_searches(const SearchedGraph& graph, kernels::ComputeDevice& device,
                      const store::VertexList& targets, const SearchBatches& how,
                      SourceBlocks& blocks, const TakeRows& take,
                      const dense::TakeOnDevice& on_device = {});

}  // namespace apsp::search
