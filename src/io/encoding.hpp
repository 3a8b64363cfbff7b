// Conversion of text to UTF-8, and of carriage returns as line ends.
#pragma once

#include <string>

#include "io/held_bytes.hpp"

namespace apsp::io {

/// Returns the text as UTF-8 with "\n" or "\r\n" line ends. `encoding`: an iconv name; empty:
/// UTF-16 or UTF-32 if there is such a byte order mark, else UTF-8, which is copied only if the
/// first line ends in "\r". Throws `Error`: input (invalid bytes), usage (an unknown encoding, or
/// one for an .npy).
HeldBytes as_utf8(HeldBytes held, const std::string& name, const std::string& encoding);

}  // namespace apsp::io
