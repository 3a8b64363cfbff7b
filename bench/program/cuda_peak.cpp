// Relaxations a second that a GPU's instructions allow.
//
// Launches of some 10 ms, timed on the device by events; the first ones raise the clock and are not
// counted, of the others the best counts.
#include "program/cuda_peak.hpp"

#include <algorithm>

#include "cuda_event.hpp"
#include "kernels/cuda/cuda_device.hpp"
#include "kernels/cuda/device_operations.hpp"

namespace apsp::kernels::cuda {
namespace {

constexpr int kWarmUps = 3, kSamples = 8;
constexpr int kStages = 2000;            // 1.4e11 relaxations of f32 on 132 multiprocessors
constexpr std::int64_t kThreads = 2048;  // a multiprocessor can hold

}  // namespace

double peak_relaxations(int ordinal, Semiring semiring, ValueType type, Sign sign) {
  const DeviceFacts facts = facts_of(ordinal);
  const DeviceOperations operations = device_operations(semiring, type, sign);
  if (operations.peak == nullptr) return 0;
  check(cudaSetDevice(ordinal), "choosing the device");
  const bench::DeviceArray memory(static_cast<std::size_t>(kThreads * facts.multiprocessors * 8));
  const bench::Event begin, end;
  const LaunchSite site{nullptr, facts.multiprocessors};
  double best = 0;
  for (int i = -kWarmUps; i < kSamples; ++i) {
    begin.record();
    const double work = operations.peak(site, kStages, memory.as<void>());
    end.record();
    end.await();
    if (i >= 0) best = std::max(best, work / end.seconds_since(begin));
  }
  return best;
}

}  // namespace apsp::kernels::cuda
