// Breadth-first searches on a device from blocks of sources (kernels/searches.hpp): how many
// arcs lie on a shortest path, from each source to all vertices.
//
// Blocks are counted or transposed into rows as those of a sweep are (sparse/device_rows.hpp).
#pragma once

#include <apsp/graph.hpp>
#include <apsp/semiring.hpp>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "dense/device_blocks.hpp"
#include "dense/device_buffer.hpp"
#include "kernels/device.hpp"
#include "kernels/row_kernels.hpp"
#include "search/links.hpp"

namespace apsp::search {

/// Returns the arcs to each vertex. Throws `Error` (does_not_fit) for 2^32 arcs or more.
Links links_before(const Graph& graph);

class DeviceHops final : public dense::DeviceBlocks {
 public:
  /// Claims memory for blocks of up to `lanes` consecutive sources. Requires: the device has values
  /// of min-plus of `type`; no path has more than `most` arcs. `sources` and the device outlive it.
  /// Throws `Error` (does_not_fit).
  DeviceHops(const Links& before, ValueType type, kernels::ComputeDevice& device,
             std::span<const Vertex> sources, std::int64_t lanes, std::int64_t most);
  ~DeviceHops() override { dense::drain(device_, queue_); }
  DeviceHops(const DeviceHops&) = delete;
  DeviceHops& operator=(const DeviceHops&) = delete;

  /// Returns the lanes for so many sources: whole lines, up to the most sources of a search.
  static std::int64_t lanes_of(std::int64_t sources);
  /// Returns bytes of device memory. `arcs`: the most arcs.
  static std::int64_t device_bytes(std::int64_t vertices, std::int64_t arcs, std::int64_t sources,
                                   ValueType type, std::int64_t lanes, std::int64_t most);
  /// Returns the most arcs of a shortest path whose distance is at most the bound.
  static std::int64_t most_of(std::int64_t vertices, double distance_bound);

  void begin(std::span<const Vertex> sources) override;
  kernels::QueueId queue() const override { return queue_; }
  kernels::ConstView distances() const override;
  const std::uint32_t* column_labels() const override { return sources_.data() + begun_; }
  void end() override { ended_[(blocks_ - 1) % ended_.size()] = device_.record(queue_); }
  void finish() override { device_.synchronize(queue_); }

 private:
  kernels::ComputeDevice& device_;
  kernels::ShortestPathKernels& kernels_ = kernels::required(device_.shortest_paths());
  std::span<const Vertex> all_;
  std::int64_t lanes_, most_;
  dense::DeviceArray<std::uint32_t> first_;
  dense::DeviceArray<Vertex> before_, sources_;
  dense::DeviceBuffer scratch_, distances_;
  kernels::QueueId queue_;
  std::array<kernels::EventId, 2> ended_ = {-1, -1};  // ends of the last blocks
  std::size_t blocks_ = 0;
  std::int64_t begun_ = 0, columns_ = 0;  // the first source of this block, and their number
};

}  // namespace apsp::search
