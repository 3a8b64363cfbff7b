// A square matrix of bits in strips of 512 columns (a row of a strip is one cache line), and or-and
// on strips. Work on a strip accesses contiguous memory; lines of a row-major matrix would be n/8
// bytes apart and, for powers of two, share few cache sets. Column j of row i is bit j mod 64 of
// word (j mod 512) / 64 of its line. Rows are padded with zeros to a multiple of 64.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/rounded_up.hpp"
#include "system/aligned_memory.hpp"

namespace apsp::kernels::cpu {

struct alignas(64) BitLine {
  static constexpr std::int64_t kWords = 8;
  static constexpr std::int64_t kColumns = 64 * kWords;
  std::uint64_t words[kWords];
};

class BitMatrix {
 public:
  explicit BitMatrix(std::int64_t n) : n_(n), memory_(bytes_for(n)) {}

  static std::int64_t strips_of(std::int64_t n) {
    return (n + BitLine::kColumns - 1) / BitLine::kColumns;
  }
  static std::int64_t rows_of(std::int64_t n) { return base::rounded_up(n, 64); }
  static std::int64_t bytes_for(std::int64_t n) {
    return strips_of(n) * rows_of(n) * static_cast<std::int64_t>(sizeof(BitLine));
  }

  std::int64_t n() const { return n_; }
  std::int64_t strips() const { return strips_of(n_); }
  std::int64_t rows() const { return rows_of(n_); }
  BitLine* line(std::int64_t row, std::int64_t strip) {
    return memory_.as<BitLine>() + strip * rows() + row;
  }
  const BitLine* line(std::int64_t row, std::int64_t strip) const {
    return memory_.as<BitLine>() + strip * rows() + row;
  }
  /// Rows of the diagonal tile of a strip: 512, fewer in the last, a multiple of 64.
  std::int64_t extent(std::int64_t strip) const {
    return std::min(BitLine::kColumns, rows() - strip * BitLine::kColumns);
  }

  void set(std::int64_t i, std::int64_t j) {
    line(i, j / BitLine::kColumns)->words[j / 64 % BitLine::kWords] |= std::uint64_t{1} << j % 64;
  }

 private:
  std::int64_t n_;
  system::AlignedMemory memory_;  // [strips][rows] lines
};

/// The left operand of a product: word w of row i is data[w · word_stride + i · row_stride].
struct BitWords {
  const std::uint64_t* data;
  std::int64_t row_stride;
  std::int64_t word_stride;

  static BitWords of(const BitLine* lines) { return {lines->words, BitLine::kWords, 1}; }
  BitWords from(std::int64_t row, std::int64_t word) const {
    return {data + row * row_stride + word * word_stride, row_stride, word_stride};
  }
};

struct BitOperations {
  /// C ← C ∨ A ∧ B. c [rows], a [rows, 64 · words], b [64 · words]. C may be B if A is closed.
  void (*multiply_add)(BitLine* c, std::int64_t rows, BitWords a, const BitLine* b,
                       std::int64_t words);
  /// D ← D* without changing the diagonal, for a square tile of `rows` lines, a multiple of 64.
  void (*close)(BitLine* d, std::int64_t rows);
  /// Sets the bits of nonzero bytes and clears those beyond; count ≤ 512.
  void (*pack)(const std::uint8_t* bytes, std::int64_t count, BitLine* line);
  void (*unpack)(const BitLine* line, std::int64_t count, std::uint8_t* bytes);
};

BitOperations bit_operations();

}  // namespace apsp::kernels::cpu
