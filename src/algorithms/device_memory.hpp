// The Place for a matrix that rests in one device's memory: copied in, solved there, copied out.
//
// Two queues and events between them: `ahead` closes diagonal tiles and updates panels and the next
// cross, `bulk` does the rest, so that step k + 1 begins under the rest of step k.
#pragma once

#include <apsp/progress.hpp>

#include "algorithms/tiling.hpp"
#include "kernels/device.hpp"

namespace apsp {

class DeviceMemory {
 public:
  /// Copies `host` in. Throws `Error` (does_not_fit) if the device cannot hold it.
  DeviceMemory(kernels::Device& device, const Tiling& host, kernels::Cycles cycles,
               const Control& control);
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  /// Solves and copies the result out. Throws `Error`: negative_cycle, interrupted, device.
  void run();

  std::int64_t tiles() const { return tiling_.tiles(); }
  bool stopped() const { return cycle_vertex_ >= 0; }
  void close(std::int64_t k);
  void update_panels(std::int64_t k);
  void update_cross(std::int64_t k);
  void update_rest(std::int64_t k);

 private:
  void update_tile(kernels::QueueId queue, std::int64_t k, std::int64_t ti, std::int64_t tj);

  kernels::Device& device_;
  Tiling host_;
  Tiling tiling_;  // in device memory
  kernels::QueueId ahead_, bulk_;
  kernels::EventId panels_ready_ = -1;
  kernels::EventId rest_done_ = -1;
  kernels::Cycles cycles_;
  const Control& control_;
  std::int64_t cycle_vertex_ = -1;
};

}  // namespace apsp
