// Events of CUDA by their numbers (device.hpp).
#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <atomic>

#include "kernels/cuda/cuda_error.hpp"
#include "kernels/device.hpp"

namespace apsp::kernels::cuda {

/// A ring of events, found by their numbers and made when they are needed first. Before an event's
/// place is used again it is awaited. Threads of peers wait for them too: for an event that is a
/// few steps old, of the thousand kept.
class Events {
 public:
  Events() = default;
  ~Events() {
    for (const cudaEvent_t event : ring_) {
      if (event != nullptr) cudaEventDestroy(event);
    }
  }
  Events(const Events&) = delete;
  Events& operator=(const Events&) = delete;

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
