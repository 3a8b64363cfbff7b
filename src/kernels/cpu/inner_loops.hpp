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

/// A value as bits of its size, for code that moves values and does not compute with them: it is
/// compiled once a size and not once a type. What has such a type may be stored as any other.
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

/// At least `bytes` bytes, 64-byte aligned, valid until the thread asks for the same slot again:
/// one growing buffer a thread and slot, kept between calls.
std::byte* packing_bytes(int slot, std::int64_t bytes);

template <class T>
T* packing_buffer(int slot, std::int64_t values) {
  return reinterpret_cast<T*>(packing_bytes(slot, values * static_cast<std::int64_t>(sizeof(T))));
}

}  // namespace apsp::kernels::cpu
