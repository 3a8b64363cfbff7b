// The CUDA runtime in terms of the library: its errors, its events by their numbers, and what a GPU
// is.
#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "kernels/cuda/cuda_device.hpp"

namespace apsp::kernels::cuda {

/// Throws `Error`: does_not_fit for spent memory, device for all else; `doing` says what failed.
void check(cudaError_t status, const char* doing);
/// The same for the launch just made.
inline void check_launch(const char* kernel) { check(cudaGetLastError(), kernel); }
/// Lets a kernel use so many bytes of shared memory. Each kernel needs this once; the call is
/// cheap, and any thread may repeat it.
template <class Kernel>
void allow_shared_memory(Kernel* kernel, int bytes, const char* doing) {
  check(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                             cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
        doing);
}

/// Bytes of shared memory that a block may have at most, on the device in use.
int most_shared_memory();
/// How many blocks of so many threads, each with so much shared memory, a multiprocessor holds.
template <class Kernel>
int blocks_that_fit(Kernel* kernel, int threads, int bytes) {
  int blocks = 0;
  check(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, reinterpret_cast<const void*>(kernel),
                                                    threads, static_cast<std::size_t>(bytes)),
      "asking how many blocks fit");
  return blocks;
}
/// Queues zeros.
inline void clear(cudaStream_t stream, void* memory, std::int64_t bytes) {
  check(cudaMemsetAsync(memory, 0, static_cast<std::size_t>(bytes), stream), "clearing");
}

/// Throws `Error` (device): no such device.
DeviceFacts facts_of(int ordinal);

/// The number of a GPU, and its queues as other libraries of CUDA take them. Throw `Error` (device)
/// where the device is not a GPU.
int ordinal_of(ComputeDevice& device);
cudaStream_t native_queue(ComputeDevice& device, QueueId queue);

/// A ring of events, found by their numbers and made when they are needed first. Before an event's
/// place is used again it is awaited. Threads of peers wait for them too: for an event that is a
/// few steps old, of the thousand kept.
class Events {
 public:
  ~Events() {
    for (const cudaEvent_t event : ring_) {
      if (event != nullptr) cudaEventDestroy(event);
    }
  }

  EventId record(cudaStream_t stream) {
    cudaEvent_t& event = slot(next_);
    if (next_ >= kSize) {
      check(cudaEventSynchronize(event), "waiting for an event");
    } else {
      check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "making events");
    }
    check(cudaEventRecord(event, stream), "recording an event");
    return next_.fetch_add(1);
  }
  void wait(cudaStream_t stream, EventId id) {
    if (kept(id)) check(cudaStreamWaitEvent(stream, slot(id)), "ordering queues");
  }
  void await(EventId id) {
    if (kept(id)) check(cudaEventSynchronize(slot(id)), "waiting for the device");
  }
  bool reached(EventId id) {
    if (!kept(id)) return true;
    const cudaError_t status = cudaEventQuery(slot(id));
    if (status == cudaErrorNotReady) return false;
    check(status, "looking at the device");
    return true;
  }

 private:
  static constexpr EventId kSize = 1024;
  bool kept(EventId id) const { return id + kSize >= next_; }  // if not, it was reached
  cudaEvent_t& slot(EventId id) { return ring_[static_cast<std::size_t>(id % kSize)]; }

  std::array<cudaEvent_t, kSize> ring_{};
  std::atomic<EventId> next_{0};
};

}  // namespace apsp::kernels::cuda
