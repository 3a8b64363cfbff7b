// Benchmarks of GPUs share this: opening them, or a device on the host that checks every access,
// and comparing statistics.
#pragma once

#include <apsp/solve.hpp>

#include <memory>

#include "base/value_types.hpp"
#include "flow/row_source.hpp"
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

/// The number of rows [some, stride] whose values differ from those of the CPU's source by more
/// than this part of them.
inline std::int64_t rows_that_differ(const flow::RowSource& on_cpu, std::span<const Vertex> some,
                                     const void* found, std::int64_t stride, double tolerance = 0) {
  const auto worker = on_cpu.worker();
  return base::with_type(on_cpu.type(), [&]<class T>() {
    std::vector<T> expected(static_cast<std::size_t>(on_cpu.vertices()));
    const auto* row = static_cast<const T*>(found);
    std::int64_t wrong = 0;
    for (std::size_t i = 0; i < some.size(); ++i, row += stride) {
      worker->compute(some.subspan(i, 1), expected.data(), on_cpu.vertices());
      const auto same = [&](T a, T b) {
        const auto here = static_cast<double>(a), there = static_cast<double>(b);
        return a == b || std::abs(there - here) <= tolerance * std::min(here, there);
      };
      wrong += std::equal(expected.begin(), expected.end(), row, same) ? 0 : 1;
    }
    return wrong;
  });
}

inline std::string gigabytes(double bytes, double time) {
  return fmt::format(", {:.1f} GB/s", bytes / time / 1e9);
}

}  // namespace apsp::bench
