#include "algorithms/device_memory.hpp"

#include "base/control.hpp"

namespace apsp {

DeviceMemory::DeviceMemory(kernels::Device& device, const Tiling& host, kernels::Cycles cycles,
                           const Control& control)
    : device_(device),
      host_(host),
      tiling_(host),
      queue_(device.make_queue()),
      cycles_(cycles),
      control_(control) {
  tiling_.matrix = {device.allocate(host.n() * host.n() * host.value_size), host.n(), host.n(),
                    host.n()};
  device_.copy_in(queue_, tiling_.matrix, host_.matrix, host_.value_size);
  device_.synchronize(queue_);
}

DeviceMemory::~DeviceMemory() { device_.release(static_cast<std::byte*>(tiling_.matrix.data)); }

std::int64_t DeviceMemory::close(std::int64_t k) {
  base::check_cancelled(control_);
  device_.close(queue_, tiling_.at(k, k), cycles_, k);
  device_.synchronize(queue_);
  const kernels::Device::Pivot pivot = device_.first_pivot();
  return pivot.index < 0 ? -1 : pivot.tag * tiling_.tile + pivot.index;
}

void DeviceMemory::update_row_panel(std::int64_t k) {
  for (std::int64_t tj = 0; tj < tiles(); ++tj) {
    if (tj != k) device_.multiply_left(queue_, tiling_.at(k, k), tiling_.at(k, tj));
  }
}

void DeviceMemory::update_column_panel(std::int64_t k) {
  for (std::int64_t ti = 0; ti < tiles(); ++ti) {
    if (ti != k) device_.multiply_right(queue_, tiling_.at(ti, k), tiling_.at(k, k));
  }
}

void DeviceMemory::update_rest(std::int64_t k) {
  for (std::int64_t ti = 0; ti < tiles(); ++ti) {
    for (std::int64_t tj = 0; tj < tiles(); ++tj) {
      if (ti == k || tj == k) continue;
      device_.multiply_add(queue_, tiling_.at(ti, tj), tiling_.at(ti, k), tiling_.at(k, tj));
    }
  }
  device_.synchronize(queue_);
}

void DeviceMemory::copy_out() {
  device_.copy_out(queue_, host_.matrix, tiling_.matrix, host_.value_size);
  device_.synchronize(queue_);
}

}  // namespace apsp
