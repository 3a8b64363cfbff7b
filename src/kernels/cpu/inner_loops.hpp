// Unrolled loops, and memory for packed panels, for the inner loops of kernels.
#pragma once

#include <cstddef>
#include <cstdint>

/// Unrolls the next loop, so that the values it indexes stay in registers.
#ifdef __clang__
#define APSP_UNROLL _Pragma("clang loop unroll(full)")
#else
#define APSP_UNROLL _Pragma("GCC unroll 16")
#endif

namespace apsp::kernels::cpu {

/// The unsigned integer of a size, for code that only moves values: it is compiled once per size
/// instead of once per type. Any type may be stored in it.
template <std::size_t size>
struct BitsOf;
template <>
struct BitsOf<1> {
  using Type [[gnu::may_alias]] = std::uint8_t;
};
template <>
struct BitsOf<2> {
  using Type [[gnu::may_alias]] = std::uint16_t;
};
template <>
struct BitsOf<4> {
  using Type [[gnu::may_alias]] = std::uint32_t;
};
template <>
struct BitsOf<8> {
  using Type [[gnu::may_alias]] = std::uint64_t;
};

/// Returns at least `bytes` bytes, 64-byte aligned, valid until the thread requests the same slot
/// again. Buffers grow and are kept, one for each thread and slot.
std::byte* packing_bytes(int slot, std::int64_t bytes);

template <class T>
T* packing_buffer(int slot, std::int64_t values) {
  return reinterpret_cast<T*>(packing_bytes(slot, values * static_cast<std::int64_t>(sizeof(T))));
}

}  // namespace apsp::kernels::cpu
