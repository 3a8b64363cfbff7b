// One file of a ZIP archive, unpacked. `decompress` (compression.hpp) is in the same source.
#pragma once

#include <string>

#include "io/compression.hpp"
#include "io/zip.hpp"

namespace apsp::io {

/// All bytes of a member, whose size and checksum are checked. Throws as `decompress`.
HeldBytes unpacked_member(const ZipMember& member, const std::string& name, const Control& control);

}  // namespace apsp::io
