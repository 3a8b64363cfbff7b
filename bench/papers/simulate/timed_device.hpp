// A device for simulations: it computes nothing and takes as long as a GPU would, on a given clock.
//
// Its memory is addresses without bytes. Queues and events keep their order as on any device.
// Concurrent work shares the GPU: queues of the higher priority come first, each uses at most the
// part of the GPU that its blocks fill. Copies take turns on an engine for each direction.
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
  /// Returns the part of the device that a product of rows × columns fills, in (0, 1].
  std::function<double(std::int64_t rows, std::int64_t columns)> fill{};
};

/// A GPU that one or several processes use.
class Gpu;
std::shared_ptr<Gpu> make_gpu(Speeds speeds);
/// Returns the device of one process.
std::unique_ptr<ComputeDevice> make_device(std::shared_ptr<Gpu> gpu, Clock& clock);

}  // namespace apsp::kernels::timed
