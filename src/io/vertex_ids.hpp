// Names of vertices that are integers, in canonical or other notation.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace apsp::io {

/// Whether a name is an integer in canonical form, of any length: "7" and "-7", but not "007", "+7"
/// and "7.0".
bool is_integer_id(std::string_view text);

/// Requires: both are integer ids.
bool less_as_integers(std::string_view a, std::string_view b);

/// The canonical form of an integer: "7" for "7.0", "7e0", "007" and "+7". Empty for other text,
/// and for integers beyond 2^53 with point or exponent.
std::string integer_in(std::string_view text);

struct IdReading {
  bool numbers = false;  ///< names are integers in any notation; else names are as written
  /// Two names that are the same number, if not all names are integers.
  std::optional<std::pair<std::size_t, std::size_t>> same = {};
  /// A number beyond 2^53 with point or exponent, if all names are numbers.
  std::optional<std::size_t> rounded = {};
  std::size_t first_other = 0;
};

/// Decides whether all of `count` names are integers. Leading zeros and plus signs are only
/// accepted if `as_numbers`. `name(i)`: the i-th name.
IdReading read_ids(std::size_t count, const std::function<std::string_view(std::size_t)>& name,
                   bool as_numbers = false);

}  // namespace apsp::io
