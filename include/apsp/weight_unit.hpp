// Units of weights: how limits are given and distances are titled.
#pragma once

#include <string>

namespace apsp {

/// The unit of weights, in which limits such as 15min are given and distances are titled.
struct Unit {
  std::string text{};  ///< "min", "0.1s"; empty: not known
  double size = 1;     ///< in seconds or metres
  bool time = false;
};

/// Parses s, min, h, m or km, or a multiple such as 0.1s. `option`: its name, for messages. Throws
/// `Error` (usage) for another text.
Unit parse_unit(const std::string& option, const std::string& text);

/// A number, or a quantity such as "15min" as a number of weights. Throws `Error` (usage): neither,
/// weights in no known unit or one of another kind.
double quantity(const std::string& option, const std::string& text, const Unit& unit);

/// "distance (min)"; the title itself if the unit is not known.
std::string with_unit(const std::string& title, const Unit& unit);

}  // namespace apsp
