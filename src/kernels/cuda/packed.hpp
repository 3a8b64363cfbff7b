// The layout of packed operands, in which a product reads contiguous memory.
//
// Rows of the left operand (columns of the right one, in words) are cut into slivers of 64. A
// sliver holds all pivots one after another, padded with "no path", so that only the edges of C
// matter.
//
// A sliver stores pivots in pairs, in the order (k, k + 1) on the left and (k + 1, k) on the right,
// loaded 16 bytes at a time. a(k) and b(k) are thus in registers of different parity, which are
// different banks of the register file with one word per bank and cycle. An H200's product
// loop reaches 17.7 T relaxations/s, and 15.6 with the same order on both sides (f32,
// non-negative). A thread takes four neighbouring words; the lanes of a warp read contiguous
// pieces.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "base/rounded_up.hpp"

namespace apsp::kernels::cuda {

inline constexpr int kSliver = 64;     // words
inline constexpr int kDepthStep = 16;  // pivots; depths are padded to a multiple of it
inline constexpr int kGroup = 4;       // neighbouring words of a thread

using base::rounded_up;

inline std::int64_t packed_words(std::int64_t words, std::int64_t depth) {
  return rounded_up(words, kSliver) * rounded_up(depth, kDepthStep);
}

/// The position of a word among the 2 · 64 of its pair of pivots. `second`: the pivot stored
/// second. Words of 8 bytes fill registers of both banks, so their pivots are not interleaved.
template <class Operand>
__host__ __device__ constexpr int place_in_pair(int word, int second) {
  if constexpr (sizeof(Operand) == 8) {
    return second * kSliver + word;
  } else {
    return word % kGroup / 2 * kSliver + word / kGroup * 4 + word % 2 * 2 + second;
  }
}

}  // namespace apsp::kernels::cuda
