// Names of vertices that are numbers: integers however they are written, and names as they are.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace apsp::io {

/// Whether a name is an integer of any length in its usual form: "7" and "-7" are; "007", "+7" and
/// "7.0" are not.
bool is_integer_id(std::string_view text);

/// Requires: both are integer ids.
bool less_as_integers(std::string_view a, std::string_view b);

/// The usual form of the integer that a text is: "7" for "7.0", "7e0", "007" and "+7". Empty for
/// anything else, and for a point or an exponent in an integer beyond 2^53.
std::string integer_in(std::string_view text);

/// How the names of a table name its vertices.
struct IdReading {
  bool numbers = false;  ///< they are integers, whose usual form counts; else names as written
  /// Two names that are one number, where not all names are integers.
  std::optional<std::pair<std::size_t, std::size_t>> same = {};
  /// A number beyond 2^53 with a point or an exponent, where all names are numbers.
  std::optional<std::size_t> rounded = {};
  /// The first name that is no integer; the number of names if there is none.
  std::size_t first_other = 0;
};

/// Without leading zeros and plus signs, all names are integers or else none counts as one.
/// `as_numbers`: leading zeros and plus signs do not matter. `name(i)`: of `count` names.
IdReading read_ids(std::size_t count, const std::function<std::string_view(std::size_t)>& name,
                   bool as_numbers = false);

}  // namespace apsp::io
