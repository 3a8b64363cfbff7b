// A planned run on GPUs: opened, run in or through their memory, measured.
#pragma once

#include <apsp/progress.hpp>
#include <apsp/solve.hpp>
#include <functional>
#include <variant>
#include <vector>

#include "places/device_memory.hpp"
#include "places/peer_memory.hpp"
#include "places/streamed_memory.hpp"
#include "places/streamed_peers.hpp"
#include "places/tiled_matrix.hpp"
#include "planner/device_plan.hpp"

namespace apsp::engine {

using OpenDevices = std::vector<kernels::ComputeDevice*>;

/// A matrix of the host and what its solve takes of devices, resident or streamed as planned.
class DeviceSolve {
 public:
  /// Claims memory of the device and pins the host's. `host`, of the plan's tile, is solved in
  /// place. `via`: int32 of the same shape, kNoVia on entry; no data: not tracked. `devices`: those
  /// of the plan, opened just now. Throws `Error` (does_not_fit).
  DeviceSolve(const OpenDevices& devices, const planner::DevicePlan& plan,
              const places::TiledMatrix& host, kernels::Cycles cycles, const Control& control,
              const places::TiledMatrix& via = {});

  /// Returns the seconds from the first copy in to the last copy out. Throws `Error`:
  /// negative_cycle, interrupted, device.
  double run();

  /// The parts of a resident solve, for those who measure them; null where it is streamed.
  places::DeviceMemory* resident() { return std::get_if<places::DeviceMemory>(&place_); }

 private:
  std::variant<std::monostate, places::DeviceMemory, places::StreamedMemory, places::PeerMemory,
               places::StreamedPeers>
      place_;
};

/// Opens the devices of the plan, all at the same time; `run` gives the seconds that it took.
/// Throws what `run` throws; does_not_fit and device say what would work.
DeviceReport with_devices(const planner::DevicePlan& plan,
                          const std::function<double(const OpenDevices&)>& run);

}  // namespace apsp::engine
