// A square matrix of bits, cut into strips of 512 columns: a row of a strip is one cache line.
//
// Strips lie one after another, each with all rows, so that work on a strip reads and writes memory
// from one end to the other; in a row-major matrix its lines would lie n/8 bytes apart, for powers
// of two in few sets of the caches. Column j of row i is bit j mod 64 of word (j mod 512) / 64 of
// its line. Rows are filled up to a multiple of 64 with zeros: kernels see whole words only.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/aligned_memory.hpp"
#include "base/rounded_up.hpp"

namespace apsp::kernels::cpu {

/// 512 columns of one row.
struct alignas(64) BitLine {
  static constexpr std::int64_t kWords = 8;
  static constexpr std::int64_t kColumns = 64 * kWords;
  std::uint64_t words[kWords];
};

class BitMatrix {
 public:
  /// All zero. Throws `Error` (does_not_fit) if the system refuses the memory.
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
  /// Rows that memory holds: n, filled up to whole words of 64.
  std::int64_t rows() const { return rows_of(n_); }
  BitLine* line(std::int64_t row, std::int64_t strip) {
    return memory_.as<BitLine>() + strip * rows() + row;
  }
  const BitLine* line(std::int64_t row, std::int64_t strip) const {
    return memory_.as<BitLine>() + strip * rows() + row;
  }
  /// The rows of the square tile on the diagonal of a strip: 512, fewer in the last; whole words.
  std::int64_t extent(std::int64_t strip) const {
    return std::min(BitLine::kColumns, rows() - strip * BitLine::kColumns);
  }

  bool get(std::int64_t i, std::int64_t j) const {
    return (line(i, j / BitLine::kColumns)->words[j / 64 % BitLine::kWords] >> j % 64 & 1) != 0;
  }
  void set(std::int64_t i, std::int64_t j) {
    line(i, j / BitLine::kColumns)->words[j / 64 % BitLine::kWords] |= std::uint64_t{1} << j % 64;
  }

 private:
  std::int64_t n_;
  base::AlignedMemory memory_;  // [strips][rows] lines
};

}  // namespace apsp::kernels::cpu
