// Quantities as people read and write them.
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

}  // namespace apsp::base
