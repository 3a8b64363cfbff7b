// Johnson's algorithm on a device: all rows by near-far searches (kernels/searches.hpp), a
// batch of sources a launch (Xia 2021, §III-B). Rows stay there for statistics, or are copied out
// piece by piece under the next batch's searches, into pinned memory of the host.
//
// Where Xia 2021 has a kernel launch another one for vertices of many arcs, their rows are shared
// out in the block here: nothing is launched, and a block has threads enough
// (bench/results/sparse-gpu.md).
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <apsp/semiring.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "kernels/device.hpp"
#include "places/device_buffer.hpp"
#include "store/column_sink.hpp"

namespace apsp::search {

/// Of arcs: rows hold distances from their vertices, or to them.
enum class Direction { kept, reversed };

/// Arcs as a device takes them (kernels/searches.hpp), without loops.
struct ArcRows {
  std::vector<std::uint32_t> first;  // [n + 1] arcs of all vertices before each
  std::vector<std::byte> arcs;       // `kernels::SearchArc` of the type
};
/// Requires: fewer than 2^32 arcs. O(n + m).
ArcRows arcs_for_device(const Graph& graph, Semiring semiring, ValueType type, Direction direction);
/// Bytes of one.
std::int64_t arc_bytes(ValueType type);

/// A graph on a device, and searches in it (kernels/searched_rows.hpp).
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

/// How searches share out a device.
struct SearchBatches {
  std::int64_t batch = 1;     ///< rows that a launch finds
  std::int64_t searches = 1;  ///< at a time, at most
  std::int64_t piece = 1;     ///< rows that are copied out at a time
  double step = 0;            ///< of near paths (`kernels::SearchedRows`)

  /// Memory of the device, bytes: where distances are counted below `limit`, and where rows leave.
  std::int64_t bytes_of_counts(std::int64_t vertices, std::int64_t arcs, ValueType type,
                               std::int64_t limit) const;
  std::int64_t bytes_of_rows(std::int64_t vertices, std::int64_t arcs, std::int64_t sources,
                             ValueType type) const;
  /// Memory of the host besides the arcs, where rows leave.
  std::int64_t host_bytes(std::int64_t vertices, ValueType type) const;
};

/// Requires of both: a semiring of sums or bottlenecks, in which no arc makes a path better; the
/// device is one of it and of the type; at most `kernels::kSearchedVertices` vertices.
///
/// Counts the distances to all of `targets` from all vertices, which are whole numbers from 0 on
/// below `limit`. Throws `Error`: does_not_fit, interrupted, device, defect.
store::CountedDistances count_by_searches(const Graph& graph, ValueType type,
                                          kernels::ComputeDevice& device,
                                          std::span<const Vertex> targets, const SearchBatches& how,
                                          std::int64_t limit, const Control& control);

/// Takes the rows of some sources, [sources.size(), n] values, which it may read until it returns.
using TakeRows =
    std::function<void(std::span<const Vertex> sources, const void* rows, std::int64_t stride)>;

/// Passes on the rows of all `sources`, in their order. Throws as above, and what `take` throws.
void rows_by_searches(const Graph& graph, Semiring semiring, ValueType type,
                      kernels::ComputeDevice& device, std::span<const Vertex> sources,
                      const SearchBatches& how, const TakeRows& take, const Control& control);

/// A step of near paths that suits a graph: the more arcs a vertex has, the shorter (Davidson
/// 2014); where it has few, rounds that wait for each other cost more than looks in vain. O(m).
double search_step(const Graph& graph);

}  // namespace apsp::search
