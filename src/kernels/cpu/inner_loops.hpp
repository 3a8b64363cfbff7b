// What the inner loops of all kernels need: unrolled loops, and memory for packed panels.
#pragma once

#include <cstddef>
#include <cstdint>

/// Unrolls the loop behind it: values that it counts live in registers.
#ifdef __clang__
#define APSP_UNROLL _Pragma("clang loop unroll(full)")
#else
#define APSP_UNROLL _Pragma("GCC unroll 16")
#endif

namespace apsp::kernels::cpu {

/// At least `bytes` bytes, 64-byte aligned, valid until the thread asks for the same slot again:
/// one growing buffer a thread and slot, kept between calls.
std::byte* packing_bytes(int slot, std::int64_t bytes);

template <class T>
T* packing_buffer(int slot, std::int64_t values) {
  return reinterpret_cast<T*>(packing_bytes(slot, values * static_cast<std::int64_t>(sizeof(T))));
}

}  // namespace apsp::kernels::cpu
