// A device that computes nothing and takes as long as a GPU would, on a clock of somebody else: for
// simulations of machines that one does not have.
//
// Its memory is addresses without bytes. Queues and events keep their order as on any device. What
// runs at the same time shares the GPU: work of queues with the higher priority first, each at most
// the part of the GPU that its blocks fill, the rest to the others. Copies to and from the host
// take turns on an engine each way.
#pragma once

#include <functional>
#include <memory>

#include "kernels/device.hpp"

namespace apsp::kernels::timed {

/// The time of the thread that gives the orders.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual double now() const = 0;  // seconds
  /// Returns at `time`, or before, when something else has happened that the thread may wait for.
  virtual void sleep_until(double time) = 0;
};

struct Speeds {
  double relaxations = 0;     // a second, of a product that fills the device
  double pivot_seconds = 0;   // of closing a tile; 0: by log₂ b products (Sao 2021, Eq. 4)
  double launch_seconds = 0;  // until an operation begins
  double memory_rate = 0;     // bytes a second that packing reads and writes
  double copy_rate = 0;       // bytes a second to the host, and from it
  int value_size = 4;
  bool host_sees_memory = true;
  /// What part of the device a product of rows × columns fills, in (0, 1].
  std::function<double(std::int64_t rows, std::int64_t columns)> fill{};
};

/// What computes: one, or several processes may give it work.
class Gpu;
std::shared_ptr<Gpu> make_gpu(Speeds speeds);
/// As one process sees it.
std::unique_ptr<ComputeDevice> make_device(std::shared_ptr<Gpu> gpu, Clock& clock);

}  // namespace apsp::kernels::timed
