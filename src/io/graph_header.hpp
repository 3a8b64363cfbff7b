// What the first bytes of a graph's file say of its size.
#pragma once

#include <apsp/io.hpp>

#include <optional>
#include <span>
#include <string>

namespace apsp::io {

/// Empty where they say nothing: edge lists, archives (look at what they unpack to), and anything
/// that its reader will refuse, with a better message.
std::optional<GraphHeader> peek_header(std::span<const char> first_bytes, const std::string& name,
                                       const ReadOptions& options);

}  // namespace apsp::io
