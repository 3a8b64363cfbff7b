// Numbers in text, read and written without loss.
//
// Most weights have few digits: up to 2^53 as digits and a power of ten up to 10^22 are both exact
// doubles, so their quotient is the correctly rounded value (Clinger, "How to read floating point
// numbers accurately", PLDI 1990). Everything else goes to std::from_chars. Digits are taken eight
// at a time (`digits.hpp`), but for the last bytes of a text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "io/digits.hpp"

namespace apsp::io {

enum class NumberFault { none, not_a_number, not_finite, out_of_range, inexact_integer };

/// What is wrong, as the end of a sentence that begins with the number.
const char* describe(NumberFault fault);
/// The same of a text that was to be a number; `none`: only its beginning is one.
const char* describe(std::string_view text, NumberFault fault);

inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

inline void skip_blanks(const char*& at, const char* end) {
  while (at != end && is_blank(*at)) ++at;
}
/// Skips blanks and the end of a line or text; false if something else is left on the line.
inline bool take_line_end(const char*& at, const char* end) {
  skip_blanks(at, end);
  if (at == end) return true;
  return *at++ == '\n';
}

/// Decimal digits at `at`, which moves behind them. False without any. What does not fit is 2^64−1.
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

/// The general case of `read_number`.
NumberFault read_any_number(const char*& at, const char* end, double& value);

inline constexpr double kPowersOfTen[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                          1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                          1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/// A finite double at `at`, which moves behind it unless there is a fault. An integer (neither
/// point nor exponent) must be exact.
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

/// The shortest text that `read_number` turns into the same value. Requires: finite.
/// Returns the end; `out` has room for 32 characters.
char* format_number(char* out, double value);

}  // namespace apsp::io
