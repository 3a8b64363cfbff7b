#include "base/numbers.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>

#include "base/units.hpp"

namespace apsp::base {

std::string format_value(double value) {
  constexpr double kExact = 1e15;  // integers below are exact doubles with room to spare
  constexpr double kWhole = 1e5;   // from here on six digits leave no place behind the point
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
