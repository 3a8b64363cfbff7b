// Decimal digits, eight at a time: eight characters are one 64-bit word, in which the first that is
// no digit is found, and the digits before it are joined in pairs, fours and eights by three
// multiplications. No branch depends on how many digits there are, which in a file of random
// numbers no processor can foresee. (Joining: Lemire, "Quickly parsing eight digits", 2018.)
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace apsp::io {

static_assert(std::endian::native == std::endian::little);

inline bool is_digit(char c) { return static_cast<unsigned char>(c - '0') <= 9; }

/// The most digits of a `DigitRun`.
inline constexpr std::ptrdiff_t kDigitRun = 8;

struct DigitRun {
  std::uint64_t value;
  std::ptrdiff_t count;  ///< 0 to 8
};

inline constexpr std::uint64_t kWholePowersOfTen[] = {1,      10,      100,      1000,     10000,
                                                      100000, 1000000, 10000000, 100000000};

/// The number whose `count` digits, 1 to 8, stand at `at`. Reads 8 characters.
inline std::uint64_t joined_digits(const char* at, std::ptrdiff_t count) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof(word));
  word = (word << (64 - 8 * count)) & 0x0F0F0F0F0F0F0F0Fu;  // zeros before the first digit
  word = (word * (10 * 0x100 + 1)) >> 8 & 0x00FF00FF00FF00FFu;
  word = (word * (100 * 0x10000 + 1)) >> 16 & 0x0000FFFF0000FFFFu;
  return (word * (10000 * 0x100000000u + 1)) >> 32;
}

/// The digits among the 8 characters at `at`, up to the first other one.
inline DigitRun digit_run(const char* at) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof(word));
  // A byte of `others` is 0 for '0' to '9': its high half must be 3, also after adding 6. The sum
  // may carry out of a byte above 0xF9, but only into bytes behind it, which do not count any more.
  constexpr std::uint64_t kHigh = 0xF0F0F0F0F0F0F0F0u, kZeros = 0x3030303030303030u;
  const std::uint64_t others =
      ((word & kHigh) ^ kZeros) | (((word + 0x0606060606060606u) & kHigh) ^ kZeros);
  const std::ptrdiff_t count = others == 0 ? kDigitRun : std::countr_zero(others) / 8;
  return {count == 0 ? 0 : joined_digits(at, count), count};
}

/// Appends the digits at `at`, which moves behind them, to `digits`, modulo 2^64.
inline void take_digits(const char*& at, const char* end, std::uint64_t& digits) {
  while (end - at >= kDigitRun) {
    const DigitRun run = digit_run(at);
    digits = digits * kWholePowersOfTen[run.count] + run.value;
    at += run.count;
    if (run.count < kDigitRun) return;
  }
  while (at != end && is_digit(*at)) digits = digits * 10 + static_cast<unsigned char>(*at++ - '0');
}

/// The general case of `read_unsigned`.
inline bool read_long_unsigned(const char*& at, const char* end, std::uint64_t& value) {
  const char* const first = at;
  std::uint64_t digits = 0;
  take_digits(at, end, digits);
  value = at - first <= 19 ? digits : ~std::uint64_t{0};  // 20 digits may exceed 64 bits
  return at != first;
}

}  // namespace apsp::io
