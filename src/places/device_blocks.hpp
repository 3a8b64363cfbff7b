// The interface of algorithms that find distances on a device for one block of sources after
// another: sweeps over a factor, breadth-first searches. Statistics and rows are made of their
// distances by the same code.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>
#include <span>

#include "kernels/device.hpp"

namespace apsp::places {

class DeviceBlocks {
 public:
  virtual ~DeviceBlocks() = default;
  /// Queues the distances from a block of sources; waits for the block before the last one.
  virtual void begin(std::span<const Vertex> sources) = 0;
  /// The queue on which `distances` are there after `begin`.
  virtual kernels::QueueId queue() const = 0;
  /// [n, sources] by position, a column a source.
  virtual kernels::ConstView distances() const = 0;
  /// The vertices of the columns, in device memory.
  virtual const std::uint32_t* column_labels() const = 0;
  /// Once all that takes the distances is queued.
  virtual void end() = 0;
  /// Waits for all that was queued.
  virtual void finish() = 0;
};

}  // namespace apsp::places
