#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace apsp::base {

/// "a, b, c" for a range of words or numbers. fmt::join and fmt::format_to would compile fmt's
/// formatting again in each file, for 1 to 3 s.
template <class Range>
std::string joined(const Range& values, std::string_view between) {
  std::string text;
  for (const auto& value : values) text += fmt::format("{}{}", between, value);
  return text.empty() ? text : text.substr(between.size());
}

}  // namespace apsp::base
