// When the name of a vertex in an edge list is an integer. "7" is; "007" and "+7" are names that
// would be lost if they were read as numbers.
#pragma once

#include <algorithm>
#include <string_view>

#include "io/number.hpp"

namespace apsp::io {

/// Digits without a leading zero, of any length.
inline bool is_integer_id(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit) &&
         (text[0] != '0' || text.size() == 1);
}

/// Requires: both are integer ids.
inline bool less_as_integers(std::string_view a, std::string_view b) {
  return a.size() < b.size() || (a.size() == b.size() && a < b);
}

}  // namespace apsp::io
