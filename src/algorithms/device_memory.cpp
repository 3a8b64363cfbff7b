#include "algorithms/device_memory.hpp"

#include <apsp/error.hpp>
#include <string>

#include "algorithms/blocked_floyd_warshall.hpp"
#include "base/control.hpp"

namespace apsp {

DeviceMemory::DeviceMemory(kernels::Device& device, const Tiling& host, kernels::Cycles cycles,
                           const Control& control)
    : device_(device),
      host_(host),
      tiling_(host),
      ahead_(device.make_queue()),
      bulk_(device.make_queue()),
      cycles_(cycles),
      control_(control) {
  tiling_.matrix = {device.allocate(host.n() * host.n() * host.value_size), host.n(), host.n(),
                    host.n()};
  device_.copy_in(ahead_, tiling_.matrix, host_.matrix, host_.value_size);
  device_.synchronize(ahead_);
}

DeviceMemory::~DeviceMemory() {
  device_.synchronize(bulk_);
  device_.synchronize(ahead_);
  device_.release(static_cast<std::byte*>(tiling_.matrix.data));
}

void DeviceMemory::run() {
  blocked_floyd_warshall(*this);
  device_.synchronize(bulk_);
  if (stopped()) {
    throw Error::negative_cycle({{static_cast<std::uint32_t>(cycle_vertex_)}, 0},
                                "a negative cycle leads through vertex number " +
                                    std::to_string(cycle_vertex_) + " (counted from 0)");
  }
  device_.copy_out(bulk_, host_.matrix, tiling_.matrix, host_.value_size);
  device_.synchronize(bulk_);
}

void DeviceMemory::close(std::int64_t k) {
  base::check_cancelled(control_);
  device_.close(ahead_, tiling_.at(k, k), cycles_, k);
  device_.synchronize(ahead_);
  const kernels::Device::Pivot pivot = device_.first_pivot();
  if (pivot.index >= 0) cycle_vertex_ = pivot.tag * tiling_.tile + pivot.index;
}

void DeviceMemory::update_panels(std::int64_t k) {
  if (stopped()) return;
  for (std::int64_t t = 0; t < tiles(); ++t) {
    if (t == k) continue;
    device_.multiply_left(ahead_, tiling_.at(k, k), tiling_.at(k, t));
    device_.multiply_right(ahead_, tiling_.at(t, k), tiling_.at(k, k));
  }
  panels_ready_ = device_.record(ahead_);
}

void DeviceMemory::update_tile(kernels::QueueId queue, std::int64_t k, std::int64_t ti,
                               std::int64_t tj) {
  device_.multiply_add(queue, tiling_.at(ti, tj), tiling_.at(ti, k), tiling_.at(k, tj));
}

void DeviceMemory::update_cross(std::int64_t k) {
  // Row and column k + 1 were last written by the rest of step k − 1.
  if (rest_done_ >= 0) device_.wait(ahead_, rest_done_);
  const std::int64_t next = k + 1;
  update_tile(ahead_, k, next, next);
  for (std::int64_t t = 0; t < tiles(); ++t) {
    if (t == k || t == next) continue;
    update_tile(ahead_, k, next, t);
    update_tile(ahead_, k, t, next);
  }
}

void DeviceMemory::update_rest(std::int64_t k) {
  if (stopped()) return;
  device_.wait(bulk_, panels_ready_);
  for (std::int64_t ti = 0; ti < tiles(); ++ti) {
    for (std::int64_t tj = 0; tj < tiles(); ++tj) {
      const bool elsewhere = ti == k || tj == k || ti == k + 1 || tj == k + 1;
      if (!elsewhere) update_tile(bulk_, k, ti, tj);
    }
  }
  rest_done_ = device_.record(bulk_);
}

}  // namespace apsp
