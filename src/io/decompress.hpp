// gzip and zstd, recognised by their magic bytes and unpacked into one stream of bytes.
// Files of several members (as bgzip and pzstd write) are their members' texts in a row.
#pragma once

#include <apsp/progress.hpp>

#include <span>
#include <string>

#include "io/held_bytes.hpp"

namespace apsp::io {

enum class Compression { none, gzip, zstd };

Compression compression_of(std::span<const char> bytes);

/// Throws `Error`: input (truncated or corrupt, naming `name`), does_not_fit, interrupted.
/// Requires: compression_of(bytes) != none.
void decompress(std::span<const char> bytes, const std::string& name, const Control& control,
                StreamedBytes& out);

}  // namespace apsp::io
