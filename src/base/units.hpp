// Quantities and numbers as people read and write them. (JSON carries plain numbers.)
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace apsp::base {

/// "512 B", "3.2 KiB", "1.0 GiB".
std::string format_bytes(std::int64_t bytes);
/// "8GiB", "8G", "8 GB" (10^9), "512MiB", "1024": bytes; empty if it is no such thing.
std::optional<std::int64_t> parse_bytes(std::string_view text);
/// "0.8 ms", "3.21 s", "4 min 05 s", "2 h 03 min".
std::string format_seconds(double seconds);
/// "7,434".
std::string format_count(std::int64_t count);
/// "1.23 G": with the SI prefix, three digits.
std::string format_si(double value);

/// Integers with separators ("7,434"), others to six digits ("0.143"), "inf", "-inf", "nan".
std::string format_value(double value);

/// A bound of sums of doubles, as a message names it: "33000", "more than 1.79769e+308" where the
/// sum overflowed.
std::string format_bound(double bound);

/// A bound of errors, "6.0e-08": two digits, rounded up, so that what is printed is one as well.
std::string format_error(double bound);

/// "100 %", "99.99 %", "0.02 %": never rounded to 0 or 100 unless it is exactly that.
std::string format_share(std::int64_t part, std::int64_t whole);

/// "1 vertex", "3 vertices", "1,024 edges".
std::string counted(std::int64_t count, std::string_view one, std::string_view many);

}  // namespace apsp::base
