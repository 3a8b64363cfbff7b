// Numbers as reports show them. (JSON carries plain ones.)
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace apsp::base {

/// Integers with separators ("7,434"), others to six digits ("0.143"), "inf", "-inf", "nan".
std::string format_value(double value);

/// "100 %", "99.99 %", "0.02 %": never rounded to 0 or 100 unless it is exactly that.
std::string format_share(std::int64_t part, std::int64_t whole);

/// "1 vertex", "3 vertices", "1,024 edges".
std::string counted(std::int64_t count, std::string_view one, std::string_view many);

}  // namespace apsp::base
