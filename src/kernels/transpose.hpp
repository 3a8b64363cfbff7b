// Transposes tiles in small blocks, so that both sides stay in the cache.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/contract.hpp"

namespace apsp::kernels {

template <class T>
void transpose_as(View to, ConstView from) {
  constexpr std::int64_t kBlock = 16;
  const T* const source = static_cast<const T*>(from.data);
  T* const target = static_cast<T*>(to.data);
  for (std::int64_t i = 0; i < from.rows; i += kBlock) {
    for (std::int64_t j = 0; j < from.cols; j += kBlock) {
      for (std::int64_t r = i; r < std::min(i + kBlock, from.rows); ++r) {
        for (std::int64_t c = j; c < std::min(j + kBlock, from.cols); ++c) {
          target[c * to.stride + r] = source[r * from.stride + c];
        }
      }
    }
  }
}

template <class F>
auto with_word(int bytes, F&& f) {
  if (bytes == 1) return f.template operator()<std::uint8_t>();
  if (bytes == 2) return f.template operator()<std::uint16_t>();
  if (bytes == 4) return f.template operator()<std::uint32_t>();
  return f.template operator()<std::uint64_t>();
}

/// to [n, m] ← from [m, n]ᵗ. Requires: no overlap; values of 1, 2, 4 or 8 bytes.
inline void transpose(View to, ConstView from, int value_size) {
  with_word(value_size, [&]<class Word>() { transpose_as<Word>(to, from); });
}

}  // namespace apsp::kernels
