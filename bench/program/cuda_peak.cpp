// Relaxations a second that a GPU's instructions allow.
//
// Launches of some 10 ms, timed on the device by events; the first ones raise the clock and are not
// counted, of the others the best counts.
#include "program/cuda_peak.hpp"

#include <algorithm>

#include "kernels/cuda/cuda_device.hpp"
#include "kernels/cuda/cuda_runtime.hpp"
#include "kernels/cuda/device_operations.hpp"

namespace apsp::kernels::cuda {
namespace {

constexpr int kWarmUps = 3, kSamples = 8;
constexpr int kStages = 2000;            // 1.4e11 relaxations of f32 on 132 multiprocessors
constexpr std::int64_t kThreads = 2048;  // a multiprocessor can hold

/// A stream of one device, two events on it, and memory.
struct PeakRun {
  PeakRun(int ordinal, std::int64_t bytes) {
    check(cudaSetDevice(ordinal), "choosing the device");
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "making a queue");
    for (cudaEvent_t* event : {&begin, &end}) check(cudaEventCreate(event), "making events");
    check(cudaMalloc(&memory, static_cast<std::size_t>(bytes)), "allocating device memory");
  }
  ~PeakRun() {
    for (const cudaEvent_t event : {begin, end}) cudaEventDestroy(event);
    cudaStreamDestroy(stream);
    cudaFree(memory);
  }
  PeakRun(const PeakRun&) = delete;
  PeakRun& operator=(const PeakRun&) = delete;

  cudaStream_t stream = nullptr;
  cudaEvent_t begin = nullptr, end = nullptr;
  void* memory = nullptr;
};

}  // namespace

double peak_relaxations(int ordinal, Semiring semiring, ValueType type, Sign sign) {
  const DeviceFacts facts = facts_of(ordinal);
  const DeviceOperations operations = device_operations(semiring, type, sign);
  if (operations.peak == nullptr) return 0;
  PeakRun run(ordinal, kThreads * facts.multiprocessors * 8);
  const LaunchSite site{run.stream, facts.multiprocessors};
  double best = 0;
  for (int i = -kWarmUps; i < kSamples; ++i) {
    check(cudaEventRecord(run.begin, run.stream), "recording an event");
    const double work = operations.peak(site, kStages, run.memory);
    check(cudaEventRecord(run.end, run.stream), "recording an event");
    check(cudaEventSynchronize(run.end), "measuring a limit");
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, run.begin, run.end), "reading a stopwatch");
    if (i >= 0) best = std::max(best, work / (1e-3 * double{milliseconds}));
  }
  return best;
}

}  // namespace apsp::kernels::cuda
