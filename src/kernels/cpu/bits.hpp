// Or-and on packed bits, a strip of 512 columns at a time, for the best instruction set.
#pragma once

#include "kernels/cpu/bit_matrix.hpp"

namespace apsp::kernels::cpu {

/// The left operand of a product: word w of row i is at data[w · word_stride + i · row_stride].
struct BitWords {
  const std::uint64_t* data;
  std::int64_t row_stride;
  std::int64_t word_stride;

  /// Reads columns of a strip where they are.
  static BitWords of(const BitLine* lines) { return {lines->words, BitLine::kWords, 1}; }
  BitWords from(std::int64_t row, std::int64_t word) const {
    return {data + row * row_stride + word * word_stride, row_stride, word_stride};
  }
};

struct BitOperations {
  /// C ← C ∨ A ∧ B. c [rows], a [rows, 64 · words], b [64 · words]. C may be B where A is closed.
  void (*multiply_add)(BitLine* c, std::int64_t rows, BitWords a, const BitLine* b,
                       std::int64_t words);
  /// D ← D*, the diagonal as it comes: Warshall on a square tile of `rows` lines, a multiple of 64.
  void (*close)(BitLine* d, std::int64_t rows);
  /// line ← the bytes that are not 0; count ≤ 512, bits beyond are cleared.
  void (*pack)(const std::uint8_t* bytes, std::int64_t count, BitLine* line);
  /// bytes [count] ← 0 or 1.
  void (*unpack)(const BitLine* line, std::int64_t count, std::uint8_t* bytes);
};

BitOperations bit_operations();

}  // namespace apsp::kernels::cpu
