// A point in the order of the default stream of the device in use, and when it was reached.
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/cuda_runtime.hpp"

namespace apsp::bench {

using kernels::cuda::check;

class Event {
 public:
  Event() { check(cudaEventCreate(&event_), "making events"); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  void record() const { check(cudaEventRecord(event_, nullptr), "recording an event"); }
  void await() const { check(cudaEventSynchronize(event_), "a solve"); }
  double seconds_since(const Event& begin) const {
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin.event_, event_), "reading a stopwatch");
    return 1e-3 * double{milliseconds};
  }

 private:
  cudaEvent_t event_ = nullptr;
};

/// Memory of the device in use.
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t bytes) {
    check(cudaMalloc(&data_, bytes), "allocating device memory");
  }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  template <class T>
  T* as() const {
    return static_cast<T*>(data_);
  }

 private:
  void* data_ = nullptr;
};

}  // namespace apsp::bench
