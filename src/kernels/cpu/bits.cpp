// Or-and on packed bits by the method of the four Russians (Arlazarov 1970).
//
// 64 rows of B form groups of kGroup; a table holds the disjunction of every subset of a group. A
// word of A consists of indices into these tables: 11 loads for 64 × 512 relaxations. The 11 tables
// of 6 bits take 41 KiB, an L1 cache (bench/attempts.md compares other sizes). Zero words are
// skipped.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/bits.cpp"
#include "base/targets.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>

#include "kernels/cpu/bits.hpp"
#include "kernels/cpu/inner_loops.hpp"

HWY_BEFORE_NAMESPACE();
namespace apsp::kernels::cpu::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

class SubsetTable {
 public:
  SubsetTable() : lines_(packing_buffer<BitLine>(0, kGroups << kGroup)) {}

  void fill(const BitLine* b) {
    for (std::int64_t group = 0; group < kGroups; ++group) {
      BitLine* const table = lines_ + (group << kGroup);
      const std::int64_t members = std::min(kGroup, 64 - group * kGroup);
      table[0] = {};
      // Subsets with greatest member i: those without it, combined with its line.
      for (std::int64_t i = 0; i < members; ++i) {
        const std::int64_t below = std::int64_t{1} << i;
        for (std::int64_t subset = 0; subset < below; ++subset) {
          join(table[subset], b[group * kGroup + i], table[below + subset]);
        }
      }
    }
  }

  /// c [rows] ← c ∨ the lines selected by the first word of each row of a.
  void apply(BitLine* c, std::int64_t rows, BitWords a) const {
    const std::uint64_t* word = a.data;
    for (std::int64_t i = 0; i < rows; ++i, word += a.row_stride) {
      if (*word != 0) join_named(*word, c[i].words);
    }
  }

 private:
  static constexpr std::int64_t kGroup = 6;
  static constexpr std::int64_t kGroups = (64 + kGroup - 1) / kGroup;
  using D = hn::CappedTag<std::uint64_t, BitLine::kWords>;

  static void join(const BitLine& x, const BitLine& y, BitLine& out) {
    const D d;
    for (std::size_t v = 0; v < BitLine::kWords; v += hn::Lanes(d)) {
      hn::Store(hn::Or(hn::Load(d, x.words + v), hn::Load(d, y.words + v)), d, out.words + v);
    }
  }

  const BitLine& named(std::uint64_t word, std::int64_t group) const {
    constexpr std::uint64_t kMask = (1U << kGroup) - 1;
    return lines_[static_cast<std::uint64_t>(group << kGroup) + (word >> group * kGroup & kMask)];
  }

  void join_named(std::uint64_t word, std::uint64_t* c) const {
    const D d;
    static_assert(kGroups % 2 == 1);
    for (std::size_t v = 0; v < BitLine::kWords; v += hn::Lanes(d)) {
      auto sum = hn::Or(hn::Load(d, c + v), hn::Load(d, named(word, kGroups - 1).words + v));
      APSP_UNROLL
      for (std::int64_t group = 0; group + 1 < kGroups; group += 2) {
        sum = hn::Or3(sum, hn::Load(d, named(word, group).words + v),
                      hn::Load(d, named(word, group + 1).words + v));
      }
      hn::Store(sum, d, c + v);
    }
  }

  BitLine* lines_;  // [kGroups][2^kGroup]
};

struct Bits {
  static void multiply_add(BitLine* c, std::int64_t rows, BitWords a, const BitLine* b,
                           std::int64_t words) {
    SubsetTable table;
    for (std::int64_t word = 0; word < words; ++word) {
      table.fill(b + 64 * word);
      table.apply(c, rows, a.from(0, word));
    }
  }

  /// Takes 64 pivots at a time: first among their own rows, then for all other rows by the table.
  static void close(BitLine* d, std::int64_t rows) {
    SubsetTable table;
    const BitWords a = BitWords::of(d);
    for (std::int64_t word = 0; 64 * word < rows; ++word) {
      const std::int64_t begin = 64 * word;
      const std::int64_t end = begin + 64;
      close_pivots(d + begin, word);
      table.fill(d + begin);
      table.apply(d, begin, a.from(0, word));
      table.apply(d + end, rows - end, a.from(end, word));
    }
  }

  static void pack(const std::uint8_t* bytes, std::int64_t count, BitLine* line) {
    *line = {};
    for (std::int64_t j = 0; j < count; j += 8) {
      std::uint64_t eight = 0;
      std::memcpy(&eight, bytes + j,
                  static_cast<std::size_t>(std::min<std::int64_t>(8, count - j)));
      // Bit 0 of byte i moves to bit 56 + i; lower products do not collide, so nothing carries.
      const std::uint64_t bits = ones(eight) * 0x0102040810204080 >> 56;
      line->words[j / 64] |= bits << j % 64;
    }
  }

  static void unpack(const BitLine* line, std::int64_t count, std::uint8_t* bytes) {
    for (std::int64_t j = 0; j < count; j += 8) {
      const std::uint64_t bits = line->words[j / 64] >> j % 64 & 0xff;
      const std::uint64_t eight = ones(bits * kOnes & 0x8040201008040201);
      std::memcpy(bytes + j, &eight,
                  static_cast<std::size_t>(std::min<std::int64_t>(8, count - j)));
    }
  }

 private:
  static constexpr std::uint64_t kOnes = 0x0101010101010101;

  static std::uint64_t ones(std::uint64_t bytes) {
    constexpr std::uint64_t kLow = 0x7f * kOnes;
    return (((bytes & kLow) + kLow) | bytes) >> 7 & kOnes;
  }

  /// Warshall's algorithm on 64 rows, whose own columns are in word `word`.
  static void close_pivots(BitLine* d, std::int64_t word) {
    for (std::int64_t k = 0; k < 64; ++k) {
      for (std::int64_t i = 0; i < 64; ++i) {
        const std::uint64_t reaches = -(d[i].words[word] >> k & 1);
        for (std::int64_t v = 0; v < BitLine::kWords; ++v) {
          d[i].words[v] |= d[k].words[v] & reaches;
        }
      }
    }
  }
};

BitOperations bit_operations() {
  return {&Bits::multiply_add, &Bits::close, &Bits::pack, &Bits::unpack};
}

}  // namespace apsp::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace apsp::kernels::cpu {

HWY_EXPORT(bit_operations);

BitOperations bit_operations() { return HWY_DYNAMIC_DISPATCH(bit_operations)(); }

}  // namespace apsp::kernels::cpu
#endif
