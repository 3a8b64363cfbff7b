// Reading and writing of numbers without loss.
//
// Digits up to 2^53 and a power of ten up to 10^22 are exact doubles, so their quotient is
// correctly rounded (Clinger, "How to read floating point numbers accurately", PLDI 1990). Other
// numbers use std::from_chars. Eight characters form a 64-bit word, whose leading digits three
// multiplications combine (Lemire, "Quickly parsing eight digits", 2018), without a branch on their
// number.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

namespace apsp::io {

static_assert(std::endian::native == std::endian::little);

inline bool is_digit(char c) { return static_cast<unsigned char>(c - '0') <= 9; }

inline constexpr std::ptrdiff_t kDigitRun = 8;

struct DigitRun {
  std::uint64_t value;
  std::ptrdiff_t count;
};

inline constexpr std::uint64_t kWholePowersOfTen[] = {1,      10,      100,      1000,     10000,
                                                      100000, 1000000, 10000000, 100000000};

/// The number with `count` digits, 1 to 8, at `at`. Reads 8 characters.
inline std::uint64_t joined_digits(const char* at, std::ptrdiff_t count) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof(word));
  word = (word << (64 - 8 * count)) & 0x0F0F0F0F0F0F0F0Fu;
  word = (word * (10 * 0x100 + 1)) >> 8 & 0x00FF00FF00FF00FFu;
  word = (word * (100 * 0x10000 + 1)) >> 16 & 0x0000FFFF0000FFFFu;
  return (word * (10000 * 0x100000000u + 1)) >> 32;
}

inline DigitRun digit_run(const char* at) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof(word));
  // A byte of `others` is 0 for '0' to '9': its high half must be 3, also after adding 6. Bytes
  // above 0xF9 may carry, but only into later bytes, which are irrelevant then.
  constexpr std::uint64_t kHigh = 0xF0F0F0F0F0F0F0F0u, kZeros = 0x3030303030303030u;
  const std::uint64_t others =
      ((word & kHigh) ^ kZeros) | (((word + 0x0606060606060606u) & kHigh) ^ kZeros);
  const std::ptrdiff_t count = others == 0 ? kDigitRun : std::countr_zero(others) / 8;
  return {count == 0 ? 0 : joined_digits(at, count), count};
}

/// Appends the digits at `at` to `digits`, modulo 2^64, and moves `at` after them.
inline void take_digits(const char*& at, const char* end, std::uint64_t& digits) {
  while (end - at >= kDigitRun) {
    const DigitRun run = digit_run(at);
    digits = digits * kWholePowersOfTen[run.count] + run.value;
    at += run.count;
    if (run.count < kDigitRun) return;
  }
  while (at != end && is_digit(*at)) digits = digits * 10 + static_cast<unsigned char>(*at++ - '0');
}

inline bool read_long_unsigned(const char*& at, const char* end, std::uint64_t& value) {
  const char* const first = at;
  std::uint64_t digits = 0;
  take_digits(at, end, digits);
  value = at - first <= 19 ? digits : ~std::uint64_t{0};
  return at != first;
}

enum class NumberFault { none, not_a_number, not_finite, out_of_range, inexact_integer };

/// The fault as the end of a sentence that begins with the number. `text`: as it is written.
const char* describe(std::string_view text, NumberFault fault);

bool is_number_with_comma(std::string_view text);

inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

inline std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

inline void skip_blanks(const char*& at, const char* end) {
  while (at != end && is_blank(*at)) ++at;
}
/// Skips blanks and a line or text end. Returns false if other text remains on the line.
inline bool take_line_end(const char*& at, const char* end) {
  skip_blanks(at, end);
  if (at == end) return true;
  return *at++ == '\n';
}

/// Reads decimal digits and moves `at` after them. Returns false without digits. Larger values
/// become 2^64−1.
inline bool read_unsigned(const char*& at, const char* end, std::uint64_t& value) {
  if (end - at >= kDigitRun) {
    const DigitRun run = digit_run(at);
    if (run.count < kDigitRun) {
      value = run.value;
      at += run.count;
      return run.count > 0;
    }
  }
  return read_long_unsigned(at, end, value);
}

/// The value of an integer in canonical form: "7" and "-7", not "007", "+7" or values out of range.
std::optional<std::int64_t> integer_of(std::string_view text);

NumberFault read_any_number(const char*& at, const char* end, double& value);

inline constexpr double kPowersOfTen[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                          1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                          1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/// Reads a finite double and moves `at` after it unless there is a fault. An integer (without point
/// and exponent) must be exact.
inline NumberFault read_number(const char*& at, const char* end, double& value) {
  const char* p = at;
  const bool negative = p != end && *p == '-';
  if (negative) ++p;
  const char* const first = p;
  std::uint64_t digits = 0;
  take_digits(p, end, digits);
  auto count = p - first;
  std::ptrdiff_t decimals = 0;
  if (p != end && *p == '.') {
    const char* const point = p++;
    take_digits(p, end, digits);
    decimals = p - point - 1;
    count += decimals;
  }
  constexpr std::uint64_t kMostExact = std::uint64_t{1} << 53;
  if (count == 0 || count > 19 || digits > kMostExact || (p != end && (*p | 0x20) == 'e')) {
    return read_any_number(at, end, value);
  }
  const double magnitude = static_cast<double>(digits) / kPowersOfTen[decimals];
  value = negative ? -magnitude : magnitude;
  at = p;
  return NumberFault::none;
}

/// The same for a whole text.
inline NumberFault read_whole_number(std::string_view text, double& value) {
  const char* at = text.data();
  const char* const end = at + text.size();
  const NumberFault fault = read_number(at, end, value);
  return fault == NumberFault::none && at != end ? NumberFault::not_a_number : fault;
}

/// Writes the shortest text that `read_number` turns into the same value. Returns its end.
/// Requires: a finite value, and 32 characters at `out`.
char* format_number(char* out, double value);

bool is_number_like(std::string_view text);

/// Whether a field is a number, perhaps with commas.
bool is_number_text(std::string_view text);

/// Whether a point in this number may be a mark between thousands: "1.500" and "950".
bool may_have_thousands(std::string_view text);

}  // namespace apsp::io
