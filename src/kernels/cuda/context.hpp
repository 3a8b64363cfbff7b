// The GPU that a thread has in use. Only the driver is asked: this is not a part of the CUDA
// engine.
#pragma once

namespace apsp::kernels::cuda {

/// Restores the GPU that the calling thread had in use, at the end of work on a caller's thread.
class KeptGpu {
 public:
  KeptGpu();
  ~KeptGpu();
  KeptGpu(const KeptGpu&) = delete;
  KeptGpu& operator=(const KeptGpu&) = delete;

 private:
  void* context_ = nullptr;
};

}  // namespace apsp::kernels::cuda
