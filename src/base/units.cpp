#include "base/units.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <apsp/table.hpp>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/refusal.hpp"

namespace apsp::base {
namespace {

struct Unit {
  std::string_view name;
  double bytes;
};

constexpr double kKi = 1024;
constexpr std::array<Unit, 15> kUnits = {{
    {"", 1},
    {"B", 1},
    {"K", kKi},
    {"KiB", kKi},
    {"KB", 1e3},
    {"M", kKi* kKi},
    {"MiB", kKi* kKi},
    {"MB", 1e6},
    {"G", kKi* kKi* kKi},
    {"GiB", kKi* kKi* kKi},
    {"GB", 1e9},
    {"T", kKi* kKi* kKi* kKi},
    {"TiB", kKi* kKi* kKi* kKi},
    {"TB", 1e12},
    {"PiB", kKi* kKi* kKi* kKi* kKi},
}};

bool same_letters(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

}  // namespace

std::string format_bytes(std::int64_t bytes) {
  if (bytes < 1024) return fmt::format("{} B", bytes);
  constexpr std::array<const char*, 6> kNames = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = static_cast<double>(bytes) / kKi;
  std::size_t unit = 0;
  constexpr double kNext = 1023.95;  // shown with one decimal, this is 1024.0
  while (value >= kNext && unit + 1 < kNames.size()) {
    value /= kKi;
    ++unit;
  }
  return fmt::format("{:.1f} {}", value, kNames[unit]);
}

std::optional<std::int64_t> parse_bytes(std::string_view text) {
  double value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || !(value >= 0)) return std::nullopt;
  std::string_view suffix = text.substr(static_cast<std::size_t>(end - text.data()));
  while (!suffix.empty() && suffix.front() == ' ') suffix.remove_prefix(1);
  for (const Unit& unit : kUnits) {
    if (!same_letters(suffix, unit.name)) continue;
    const double bytes = value * unit.bytes;
    if (bytes >= 9.2e18) return std::nullopt;
    return static_cast<std::int64_t>(bytes);
  }
  return std::nullopt;
}

std::optional<double> parse_finite(std::string_view text) {
  double value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = failure == std::errc() && end == text.data() + text.size();
  return whole && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::string format_seconds(double seconds) {
  // Values that would be rounded to 1000 µs, 1000.0 ms or 60.00 s use the next unit.
  if (seconds < 0.9995e-3) return fmt::format("{:.0f} µs", seconds * 1e6);
  if (seconds < 0.99995) return fmt::format("{:.1f} ms", seconds * 1e3);
  if (seconds < 59.995) return fmt::format("{:.2f} s", seconds);
  constexpr double kDay = 86'400, kYear = 365.25 * kDay;
  if (seconds >= 10 * kYear) return fmt::format("{:.3g} years", seconds / kYear);
  if (seconds >= 4 * kDay) return fmt::format("{:.1f} days", seconds / kDay);
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

std::string format_count(std::int64_t count) {
  const auto bits = static_cast<std::uint64_t>(count);
  const std::string digits = fmt::format("{}", count < 0 ? 0 - bits : bits);
  std::string text = count < 0 ? "-" : "";
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string format_si(double value) {
  constexpr std::array<const char*, 6> kPrefixes = {"", " k", " M", " G", " T", " P"};
  std::size_t prefix = 0;
  constexpr double kNext = 999.5;  // shown with three digits, this is 1000
  while (std::abs(value) >= kNext && prefix + 1 < kPrefixes.size()) {
    value /= 1000;
    ++prefix;
  }
  return fmt::format("{:.3g}{}", value, kPrefixes[prefix]);
}

std::string format_value(double value) {
  constexpr double kExact = 1e15;  // smaller integers are exact doubles
  constexpr double kWhole = 1e5;   // larger values have no decimals in six digits
  const bool whole = std::floor(value) == value || std::abs(value) >= kWhole;
  if (whole && std::abs(value) < kExact) return format_count(std::llround(value));
  return fmt::format("{:.6g}", value);
}

std::string format_bound(double bound) {
  constexpr double kMost = std::numeric_limits<double>::max();
  return bound <= kMost ? fmt::format("{:.15g}", bound) : fmt::format("more than {:.3g}", kMost);
}

std::string format_error(double bound) {
  std::string nearest = fmt::format("{:.1e}", bound);
  double printed = 0;
  std::from_chars(nearest.data(), nearest.data() + nearest.size(), printed);
  if (printed >= bound) return nearest;
  constexpr double kDigits = 10;
  const double last = std::pow(kDigits, std::floor(std::log10(bound)) - 1);
  return fmt::format("{:.1e}", printed + last);
}

std::string format_share(std::int64_t part, std::int64_t whole) {
  if (part == 0 || whole == 0) return "0 %";
  if (part == whole) return "100 %";
  const double percent = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  if (percent < 0.01) return "<0.01 %";
  if (percent > 99.99) return ">99.99 %";
  const int digits = percent < 1 || percent > 99 ? 2 : 1;
  return fmt::format("{:.{}f} %", percent, digits);
}

std::string counted(std::int64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", format_count(count), count == 1 ? one : many);
}

}  // namespace apsp::base

// Units of weights (apsp/table.hpp).
namespace apsp {
namespace {

/// "15min" as 15 and "min"; the number is 1 if there is none. Nothing for an unknown unit.
std::optional<std::pair<double, Unit>> number_and_unit(std::string_view text) {
  std::size_t end = text.size();
  while (end > 0 && std::isalpha(static_cast<unsigned char>(text[end - 1])) != 0) --end;
  const std::string word(text.substr(end));
  std::string_view digits = text.substr(0, end);
  while (!digits.empty() && digits.back() == ' ') digits.remove_suffix(1);
  constexpr std::tuple<std::string_view, double, bool> kUnits[] = {
      {"s", 1, true}, {"min", 60, true}, {"h", 3600, true}, {"m", 1, false}, {"km", 1000, false}};
  for (const auto& [name, size, time] : kUnits) {
    if (name != word) continue;
    const auto number = digits.empty() ? std::optional(1.0) : base::parse_finite(digits);
    if (!number) return std::nullopt;
    return std::pair(*number, Unit{word, size, time});
  }
  return std::nullopt;
}

}  // namespace

Unit parse_unit(const std::string& option, const std::string& text) {
  const auto found = number_and_unit(text);
  refuse_if(!found || !(found->first > 0),
            "{} takes s, min, h, m or km, or a multiple such as 0.1s, not '{}'", option, text);
  return {text, found->first * found->second.size, found->second.time};
}

double quantity(const std::string& option, const std::string& text, const Unit& unit) {
  if (const auto number = base::parse_finite(text)) return *number;
  const auto found = number_and_unit(text);
  refuse_if(!found, "{} takes a number, or a quantity such as 15min, not '{}'", option, text);
  refuse_if(unit.text.empty(), "{} {}: the unit of the weights is not known; say it with `unit`",
            option, text);
  refuse_if(unit.time != found->second.time, "{} {}: the weights are in {}", option, text,
            unit.text);
  return found->first * found->second.size / unit.size;
}

std::string with_unit(const std::string& title, const Unit& unit) {
  return unit.text.empty() ? title : fmt::format("{} ({})", title, unit.text);
}

}  // namespace apsp
