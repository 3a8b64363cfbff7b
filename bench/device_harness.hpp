// Benchmarks of GPUs share this: opening them, or a device on the host that checks every access,
// and comparing statistics.
#pragma once

#include <apsp/solve.hpp>

#include <memory>

#include "harness.hpp"
#include "kernels/cuda/cuda_device.hpp"
#include "planner/devices.hpp"
#include "support/strict/strict_device.hpp"
#include "system/threads.hpp"

namespace apsp::bench {

using OpenDevices = std::vector<std::unique_ptr<kernels::ComputeDevice>>;

inline constexpr std::int64_t kStrictMemory = std::int64_t{4} << 30;

/// The `number`-th GPU of this machine. Throws `Error` (device): there is none.
inline planner::DeviceFacts gpu(int number = 0) {
  const planner::Devices devices = planner::cuda_devices();
  if (devices.list.empty()) throw Error(ErrorKind::device, devices.why_none);
  return devices.list.at(static_cast<std::size_t>(number));
}

/// Min-plus on that GPU, or on a strict device.
inline std::unique_ptr<kernels::ComputeDevice> open_device(bool strict, ValueType type,
                                                           kernels::Sign sign, int number = 0) {
  if (strict) return kernels::strict::make_device(Semiring::min_plus, type, kStrictMemory);
  return planner::cuda_devices().open(gpu(number).ordinal, Semiring::min_plus, type, sign, 0);
}

inline bool same_statistics(const Statistics& a, const Statistics& b) {
  return a.mean == b.mean && a.median == b.median && a.diameter == b.diameter &&
         a.radius == b.radius && a.reachable_pairs == b.reachable_pairs &&
         a.eccentricity == b.eccentricity && a.closeness == b.closeness && a.harmonic == b.harmonic;
}

inline std::string gigabytes(double bytes, double time) {
  return fmt::format(", {:.1f} GB/s", bytes / time / 1e9);
}

}  // namespace apsp::bench
