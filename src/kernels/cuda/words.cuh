// Adjacent values as whole words: a struct of narrow values would be loaded value by value, which
// needs up to eight times the instructions.
#pragma once

#include <cstdint>
#include <cstring>

namespace apsp::kernels::cuda {

/// So many bytes from memory of the same alignment, in loads of up to 16 bytes.
template <int kBytes>
struct Words {
  static_assert(kBytes % 4 == 0);
  static constexpr int kCount = kBytes / 4;

  __device__ void load(const void* from) {
    if constexpr (kCount % 4 == 0) {
      const auto* const fours = static_cast<const uint4*>(from);
#pragma unroll
      for (int i = 0; i < kCount; i += 4) {
        const uint4 four = fours[i / 4];
        at[i] = four.x, at[i + 1] = four.y, at[i + 2] = four.z, at[i + 3] = four.w;
      }
    } else if constexpr (kCount == 2) {
      const uint2 two = *static_cast<const uint2*>(from);
      at[0] = two.x, at[1] = two.y;
    } else {
      static_assert(kCount == 1);
      at[0] = *static_cast<const unsigned*>(from);
    }
  }
  __device__ void store(void* to) const {
    static_assert(kCount == 4);
    *static_cast<uint4*>(to) = {at[0], at[1], at[2], at[3]};
  }

  template <class T>
  __device__ T value(int i) const {
    if constexpr (sizeof(T) == 2) {
      return static_cast<T>(i % 2 == 0 ? at[i / 2] & 0xffffu : at[i / 2] >> 16);
    } else if constexpr (sizeof(T) == 4) {
      T value;
      memcpy(&value, at + i, sizeof(T));
      return value;
    } else {
      const unsigned both[2] = {at[2 * i], at[2 * i + 1]};
      T value;
      memcpy(&value, both, sizeof(T));
      return value;
    }
  }
  /// Requires: not two bytes.
  template <class T>
  __device__ void set(int i, T value) {
    static_assert(sizeof(T) >= 4);
    memcpy(at + i * (sizeof(T) / 4), &value, sizeof(T));
  }

  unsigned at[kCount];
};

}  // namespace apsp::kernels::cuda
