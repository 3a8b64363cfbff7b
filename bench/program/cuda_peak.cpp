// Limits of a device, whatever a program does: relaxations a second by its instructions, bytes a
// second by its memory. The benchmark prints shares of these.
//
// Launches of some 10 ms, timed on the device by events; the first ones bring the clock up and are
// not counted, of the others the best counts.
#include <algorithm>

#include "kernels/cuda/cuda_device.hpp"
#include "kernels/cuda/cuda_runtime.hpp"
#include "kernels/cuda/device_operations.hpp"
#include "program/cuda_peak.hpp"

namespace apsp::kernels::cuda {
namespace {

constexpr int kWarmUps = 3, kSamples = 8;
constexpr int kStages = 2000;            // 1.4e11 relaxations of f32 on 132 multiprocessors
constexpr std::int64_t kThreads = 2048;  // a multiprocessor can hold
constexpr std::int64_t kCopyBytes = std::int64_t{1} << 30;

/// A stream of one device and two events on it; memory that goes with them.
class PeakRun {
 public:
  explicit PeakRun(int ordinal) {
    check(cudaSetDevice(ordinal), "choosing the device");
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "making a queue");
    for (cudaEvent_t* event : {&begin_, &end_}) check(cudaEventCreate(event), "making events");
  }
  ~PeakRun() {
    for (const cudaEvent_t event : {begin_, end_}) cudaEventDestroy(event);
    cudaStreamDestroy(stream_);
    for (void* const memory : memory_) cudaFree(memory);
  }
  PeakRun(const PeakRun&) = delete;
  PeakRun& operator=(const PeakRun&) = delete;

  cudaStream_t stream() const { return stream_; }

  /// The `which`-th of two pieces of memory. Every byte becomes 1.
  void* allocate(int which, std::int64_t bytes) {
    const auto size = static_cast<std::size_t>(bytes);
    check(cudaMalloc(&memory_[which], size), "allocating device memory");
    check(cudaMemsetAsync(memory_[which], 1, size, stream_), "clearing");
    return memory_[which];
  }

  /// The best rate of `order`, which queues work on the stream and returns how much.
  template <class F>
  double best_rate(F&& order) {
    double best = 0;
    for (int i = -kWarmUps; i < kSamples; ++i) {
      check(cudaEventRecord(begin_, stream_), "recording an event");
      const double work = order();
      check(cudaEventRecord(end_, stream_), "recording an event");
      check(cudaEventSynchronize(end_), "measuring a limit");
      float milliseconds = 0;
      check(cudaEventElapsedTime(&milliseconds, begin_, end_), "reading a stopwatch");
      if (i >= 0) best = std::max(best, work / (1e-3 * double{milliseconds}));
    }
    return best;
  }

 private:
  cudaStream_t stream_ = nullptr;
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
  void* memory_[2] = {nullptr, nullptr};
};

}  // namespace

double peak_relaxations(int ordinal, Semiring semiring, ValueType type, Sign sign) {
  const DeviceFacts facts = facts_of(ordinal);
  const DeviceOperations operations = device_operations(semiring, type, sign);
  if (operations.peak == nullptr) return 0;
  PeakRun bench(ordinal);
  void* const out = bench.allocate(0, kThreads * facts.multiprocessors * 8);
  const LaunchSite site{bench.stream(), facts.multiprocessors};
  return bench.best_rate([&] { return operations.peak(site, kStages, out); });
}

double memory_rate(int ordinal) {
  const DeviceFacts facts = facts_of(ordinal);
  const std::int64_t bytes = std::min(kCopyBytes, memory_free(ordinal) / 4);
  PeakRun bench(ordinal);
  void* const from = bench.allocate(0, bytes);
  void* const to = bench.allocate(1, bytes);
  return bench.best_rate([&] {
    check(cudaMemcpyAsync(to, from, static_cast<std::size_t>(bytes), cudaMemcpyDeviceToDevice,
                          bench.stream()),
          "copying in device memory");
    return 2.0 * static_cast<double>(bytes);  // read and written
  });
}

}  // namespace apsp::kernels::cuda
