// Units of weights, declared in apsp/table.hpp.

#include <fmt/format.h>
#include <apsp/table.hpp>
#include <cctype>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/refusal.hpp"
#include "base/units.hpp"

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
