// Copies and counters among emulated threads: copies are complete at once, and who waits for a
// count lets others run.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <cstring>

namespace apsp::kernels::cuda {

inline void copy_16_bytes(void* to, const void* from) { std::memcpy(to, from, 16); }
inline void commit_copies() {}
template <int kPending>
void await_copies() {}
inline void order_all_before_copies() {}
inline unsigned multiprocessor() { return blockIdx.x / 3; }

template <int kPause = 0>
void await_at_least(const unsigned* count, unsigned least) {
  while (*count < least) emulated::Launch::current()->turn();
}
inline void raise_behind_barrier(unsigned* count) { ++*count; }
template <class Threads>
void raise_count(unsigned* count) {
  Threads::sync();
  if (Threads::thread() == 0) raise_behind_barrier(count);
}
template <class Threads>
void await_count(const unsigned* count, unsigned least) {
  if (Threads::thread() == 0) await_at_least(count, least);
  Threads::sync();
}

}  // namespace apsp::kernels::cuda
