// How operands lie in memory when they are packed: what a product's copies read is contiguous.
//
// Rows of the left operand (columns of the right one, in words) are cut into slivers of 64. A
// sliver holds all pivots one after another; ragged slivers and depths are filled up with "no
// path", so that products know no edges but those of C.
//
// Within a sliver two pivots stand side by side, in the order (k, k + 1) on the left and (k + 1, k)
// on the right, and threads load them 16 bytes at a time. So a(k) comes to a register of even
// number and b(k) to one of odd number, or the reverse: they lie in different banks of the register
// file, which gives one word a bank and cycle. Product loop on an H200 with the same order on both
// sides 15.6 T relaxations/s, with this one 17.7 (f32, non-negative). A thread takes four
// neighbouring words; what it loads together lies so that the lanes of a warp read one contiguous
// piece.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "base/rounded_up.hpp"

namespace apsp::kernels::cuda {

inline constexpr int kSliver = 64;     // words
inline constexpr int kDepthStep = 16;  // depths are filled up to a multiple of it, pivots
inline constexpr int kGroup = 4;       // neighbouring words that one thread takes

using base::rounded_up;

inline std::int64_t packed_words(std::int64_t words, std::int64_t depth) {
  return rounded_up(words, kSliver) * rounded_up(depth, kDepthStep);
}

/// Where a word of a sliver lies among the 2 · 64 of its pair of pivots. `second`: which of the
/// pair stands in the second place. Words of 8 bytes fill two registers, one of each bank: their
/// pivots stay apart.
template <class Operand>
__host__ __device__ constexpr int place_in_pair(int word, int second) {
  if constexpr (sizeof(Operand) == 8) {
    return second * kSliver + word;
  } else {
    return word % kGroup / 2 * kSliver + word / kGroup * 4 + word % 2 * 2 + second;
  }
}

}  // namespace apsp::kernels::cuda
