// Texts in other encodings than UTF-8, and lines that end in a carriage return.
#pragma once

#include <string>

#include "io/held_bytes.hpp"

namespace apsp::io {

/// The same text as UTF-8 with lines that end in "\n" or "\r\n". `encoding`: that of the text, as
/// iconv calls it; empty: UTF-16 or UTF-32 if the first bytes are their byte order mark, else
/// UTF-8, of which nothing is copied unless the first line ends in "\r". Throws `Error`: input
/// (bytes that are no such text), usage (an unknown encoding, or one for an .npy).
HeldBytes as_utf8(HeldBytes held, const std::string& name, const std::string& encoding);

}  // namespace apsp::io
