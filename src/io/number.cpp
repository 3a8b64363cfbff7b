#include "io/number.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <system_error>

#include "io/text_cursor.hpp"

namespace apsp::io {
namespace {

constexpr double kMostExactInteger = 0x1p53;

bool are_exactly(std::string_view digits, double number) {
  constexpr std::size_t kMostDigits = 309;
  char exact[kMostDigits];
  const auto [end, failure] =
      std::to_chars(exact, exact + kMostDigits, number, std::chars_format::fixed, 0);
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  return failure == std::errc() && digits == std::string_view(exact, end);
}

bool is_word(const char* at, const char* end, std::string_view word) {
  if (end - at < static_cast<std::ptrdiff_t>(word.size())) return false;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if ((at[i] | 0x20) != word[i]) return false;
  }
  at += word.size();
  return at == end || std::isalnum(static_cast<unsigned char>(*at)) == 0;
}

}  // namespace

std::optional<std::int64_t> integer_of(std::string_view text) {
  const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
  const bool padded = digits.starts_with('0') && (digits.size() > 1 || digits.size() < text.size());
  std::int64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = failure == std::errc() && end == text.data() + text.size();
  return whole && !padded ? std::optional(value) : std::nullopt;
}

bool is_number_with_comma(std::string_view text) {
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  return text.find_first_not_of("0123456789,.") == text.npos && !text.empty() &&
         is_digit(text.front()) && is_digit(text.back()) && text.find(',') != text.npos;
}

const char* describe(std::string_view text, NumberFault fault) {
  if (is_number_with_comma(text)) {
    return "is not a number: write a point before decimals, not a comma, and no mark between "
           "thousands";
  }
  switch (fault) {
    case NumberFault::not_finite:
      return "is not finite; leave it out if there is none";
    case NumberFault::out_of_range:
      return "does not fit a 64-bit floating point number";
    case NumberFault::inexact_integer:
      return "is an integer beyond 2^53 that a 64-bit floating point number does not hold exactly; "
             "with a decimal point it is rounded";
    default:
      return "is not a number; numbers have no unit and no mark between thousands";
  }
}

NumberFault read_any_number(const char*& at, const char* end, double& value) {
  const char* first = at;
  const bool sign = first != end && (*first == '-' || *first == '+');
  const char* const unsigned_part = first + (sign ? 1 : 0);
  if (unsigned_part == end || *unsigned_part == '-' || *unsigned_part == '+') {
    return NumberFault::not_a_number;
  }
  for (const std::string_view word : {"inf", "infinity", "nan"}) {
    if (is_word(unsigned_part, end, word)) return NumberFault::not_finite;
  }
  if (*first == '+') ++first;
  double number = 0;
  const auto [behind, failure] = std::from_chars(first, end, number);
  if (failure == std::errc::result_out_of_range) return NumberFault::out_of_range;
  if (failure != std::errc()) return NumberFault::not_a_number;
  const std::string_view text(first, static_cast<std::size_t>(behind - first));
  // 2^53 + 1 rounds to 2^53; only the digits show it.
  if (std::abs(number) >= kMostExactInteger && text.find_first_of(".eE") == text.npos &&
      !are_exactly(text.substr(number < 0 ? 1 : 0), std::abs(number))) {
    return NumberFault::inexact_integer;
  }
  value = number;
  at = behind;
  return NumberFault::none;
}

char* format_number(char* out, double value) {
  char* const room = out + 32;
  const double magnitude = std::abs(value);
  if (magnitude <= kMostExactInteger && value == std::trunc(value)) {
    return std::to_chars(out, room, static_cast<std::int64_t>(value)).ptr;
  }
  if (magnitude > kMostExactInteger) {
    return std::to_chars(out, room, value, std::chars_format::scientific).ptr;
  }
  return std::to_chars(out, room, value).ptr;
}

bool is_number_text(std::string_view text) {
  return is_number_like(text) && (text.find_first_of("0123456789") == text.npos ||
                                  text.find_first_not_of("0123456789+-.,eE") == text.npos);
}

bool may_have_thousands(std::string_view text) {
  const std::string_view whole = text.substr(0, text.find('.'));
  return (text.size() == whole.size() || text.size() == whole.size() + sizeof("500")) &&
         whole.size() < sizeof("950") && !whole.starts_with('0') && is_number_text(text) &&
         std::ranges::all_of(whole, is_digit);
}

bool is_number_like(std::string_view text) {
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  const std::string word = text.size() > 8 ? std::string() : lower_case(text);
  if (word == "inf" || word == "infinity" || word == "nan") return true;
  if (text.starts_with('.')) text.remove_prefix(1);
  return !text.empty() && is_digit(text[0]);
}

}  // namespace apsp::io
