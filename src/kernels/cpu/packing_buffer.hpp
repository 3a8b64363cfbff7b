// Memory for packed panels: one growing, aligned buffer a thread and slot, kept between calls.
#pragma once

#include <hwy/aligned_allocator.h>

#include <cstddef>
#include <cstdint>

namespace apsp::kernels::cpu {

/// At least `bytes` bytes, 64-byte aligned, valid until the thread asks for the same slot again.
std::byte* packing_bytes(int slot, std::int64_t bytes);

template <class T>
T* packing_buffer(int slot, std::int64_t values) {
  return reinterpret_cast<T*>(packing_bytes(slot, values * static_cast<std::int64_t>(sizeof(T))));
}

}  // namespace apsp::kernels::cpu
