// The Place for a matrix that rests in one device's memory: copied in, solved there, copied out.
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

  std::int64_t tiles() const { return tiling_.tiles(); }
  std::int64_t close(std::int64_t k);
  void update_row_panel(std::int64_t k);
  void update_column_panel(std::int64_t k);
  void share_panels(std::int64_t) {}
  void update_rest(std::int64_t k);

  void copy_out();

 private:
  kernels::Device& device_;
  Tiling host_;
  Tiling tiling_;  // in device memory
  kernels::QueueId queue_;
  kernels::Cycles cycles_;
  const Control& control_;
};

}  // namespace apsp
