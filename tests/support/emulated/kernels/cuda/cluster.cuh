// Clusters among emulated threads.
#pragma once

#include <cuda_runtime_api.h>

namespace apsp::kernels::cuda {

template <int kThreads>
void sync_some(int barrier) {
  emulated::Launch::current()->await_some(static_cast<unsigned>(barrier - 1) * kThreads, kThreads);
}
inline void await_cluster() { emulated::Launch::current()->await_cluster(); }
template <class T>
const T* in_block(const T* shared, int rank) {
  const auto& launch = *emulated::Launch::current();
  const auto offset = reinterpret_cast<const unsigned char*>(shared) - launch.own_shared();
  return reinterpret_cast<const T*>(launch.shared_of(static_cast<unsigned>(rank)) + offset);
}

}  // namespace apsp::kernels::cuda
