// The CUDA runtime in terms of the library: errors, numbered events, and facts of a GPU.
#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "kernels/cuda/cuda_device.hpp"

namespace apsp::kernels::cuda {

/// Throws `Error`: does_not_fit if memory is exhausted, else device. `doing` names the operation.
void check(cudaError_t status, const char* doing);
inline void check_launch(const char* kernel) { check(cudaGetLastError(), kernel); }
/// Allows a kernel this much shared memory. Cheap and thread-safe; needed once per kernel.
template <class Kernel>
void allow_shared_memory(Kernel* kernel, int bytes, const char* doing) {
  check(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                             cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
        doing);
}

/// Largest shared memory of a block on the current device, in bytes.
int most_shared_memory();
/// Resident blocks per multiprocessor, for this many threads and this much shared memory.
template <class Kernel>
int blocks_that_fit(Kernel* kernel, int threads, int bytes) {
  int blocks = 0;
  check(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, reinterpret_cast<const void*>(kernel),
                                                    threads, static_cast<std::size_t>(bytes)),
      "asking how many blocks fit");
  return blocks;
}
inline void clear(cudaStream_t stream, void* memory, std::int64_t bytes) {
  check(cudaMemsetAsync(memory, 0, static_cast<std::size_t>(bytes), stream), "clearing");
}

/// Throws `Error` (device) if there is no such device.
DeviceFacts facts_of(int ordinal);
/// Throws `Error` (usage) if `memory` of a matrix is not on this device.
void require_on_device(const void* memory, int ordinal);

/// The number of a GPU, and its queues as CUDA streams. Throw `Error` (device) for other devices.
int ordinal_of(ComputeDevice& device);
cudaStream_t native_queue(ComputeDevice& device, QueueId queue);

/// A ring of numbered events. The place of an event is awaited before it is used again. Threads of
/// peers may wait for events that are a few steps old, of the thousand kept.
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
  bool kept(EventId id) const { return id + kSize >= next_; }  // otherwise it has been reached
  cudaEvent_t& slot(EventId id) { return ring_[static_cast<std::size_t>(id % kSize)]; }

  std::array<cudaEvent_t, kSize> ring_{};
  std::atomic<EventId> next_{0};
};

}  // namespace apsp::kernels::cuda
