// Random 32-bit words for the entries of a matrix, computed when asked for: data of any size that
// need no memory, fill by rows in parallel, and can be asked again when results are checked.
//
// A word is a finaliser's mix (that of MurmurHash3, public domain) of the sum of one random word of
// the row and one of the column; with one table for both the matrix is symmetric.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.hpp"

namespace apsp::bench {

class RandomWords {
 public:
  /// Columns are looked up in runs of this many.
  static constexpr std::int64_t kRun = 1024;

  RandomWords(std::int64_t rows, std::int64_t cols, std::uint64_t seed, bool symmetric = false)
      : columns_(table(cols + kRun, 2 * seed + 1)),
        rows_(symmetric ? columns_ : table(rows, 2 * seed)) {}

  std::uint32_t operator()(std::int64_t i, std::int64_t j) const {
    return mixed(rows_[static_cast<std::size_t>(i)] + columns_[static_cast<std::size_t>(j)]);
  }
  /// Columns [j, j + kRun) of row i; those beyond the last are random too.
  void run(std::int64_t i, std::int64_t j, std::uint32_t* words) const {
    const std::uint32_t row = rows_[static_cast<std::size_t>(i)];
    const std::uint32_t* const column = columns_.data() + j;
    for (std::int64_t c = 0; c < kRun; ++c) words[c] = mixed(row + column[c]);
  }

  static std::uint32_t mixed(std::uint32_t word) {
    word = (word ^ (word >> 16)) * 0x85ebca6bu;
    word = (word ^ (word >> 13)) * 0xc2b2ae35u;
    return word ^ (word >> 16);
  }

 private:
  static std::vector<std::uint32_t> table(std::int64_t count, std::uint64_t seed) {
    base::SplitMix64 random(seed);
    std::vector<std::uint32_t> words(static_cast<std::size_t>(count));
    for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(random.next() >> 32);
    return words;
  }

  std::vector<std::uint32_t> columns_, rows_;
};

}  // namespace apsp::bench
