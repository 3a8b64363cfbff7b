#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace apsp::base {

/// "512 B", "3.2 KiB", "1.0 GiB".
std::string format_bytes(std::int64_t bytes);
/// Parses "8GiB", "8G", "8 GB" (10^9), "512MiB", "1024" as bytes.
std::optional<std::int64_t> parse_bytes(std::string_view text);
/// The number that the whole text is; nothing for other texts, infinity and NaN.
std::optional<double> parse_finite(std::string_view text);
/// "0.8 ms", "3.21 s", "4 min 05 s", "2 h 03 min".
std::string format_seconds(double seconds);
/// "7,434".
std::string format_count(std::int64_t count);
/// "1.23 G": three digits and the SI prefix.
std::string format_si(double value);

/// Integers with separators ("7,434"), others to six digits ("0.143"), "inf", "-inf", "nan".
std::string format_value(double value);

/// Formats a bound of sums of doubles: "33000", "more than 1.79769e+308" if the sum overflowed.
std::string format_bound(double bound);

/// Formats an error bound, rounded up to two digits: "6.0e-08".
std::string format_error(double bound);

/// "100 %", "99.99 %", "0.02 %"; 0 and 100 only if exact.
std::string format_share(std::int64_t part, std::int64_t whole);

/// "1 vertex", "3 vertices", "1,024 edges".
std::string counted(std::int64_t count, std::string_view one, std::string_view many);

}  // namespace apsp::base
