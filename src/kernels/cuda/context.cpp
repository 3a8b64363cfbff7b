#include "kernels/cuda/context.hpp"

#include <dlfcn.h>

namespace apsp::kernels::cuda {
namespace {

/// Calls of the driver, which knows the GPU of a thread for every runtime in the process.
struct ContextCalls {
  int (*get)(void** context) = nullptr;
  int (*set)(void* context) = nullptr;

  static const ContextCalls& of_driver() {
    static const ContextCalls calls = [] {
      ContextCalls found;
      void* const driver = dlopen("libcuda.so.1", RTLD_LAZY);
      if (driver == nullptr) return found;
      found.get = reinterpret_cast<decltype(found.get)>(dlsym(driver, "cuCtxGetCurrent"));
      found.set = reinterpret_cast<decltype(found.set)>(dlsym(driver, "cuCtxSetCurrent"));
      return found;
    }();
    return calls;
  }
};

}  // namespace

KeptGpu::KeptGpu() {
  const ContextCalls& calls = ContextCalls::of_driver();
  if (calls.get != nullptr && calls.get(&context_) != 0) context_ = nullptr;  // not yet started
}

KeptGpu::~KeptGpu() {
  const ContextCalls& calls = ContextCalls::of_driver();
  if (calls.set != nullptr) calls.set(context_);
}

}  // namespace apsp::kernels::cuda
