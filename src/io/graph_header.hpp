// The size of a graph, as far as the first bytes of its file tell it.
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
