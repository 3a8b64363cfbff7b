// Pictures of pixels, and their text within a page.
//
// PNG: ISO/IEC 15948, one byte a pixel that names a colour of a palette. Base64: RFC 4648, §4.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "report/colour.hpp"

namespace apsp::report {

/// The bytes of a PNG. pixels: [height, width], row-major, each < palette.size() ≤ 256; colour 0
/// of the palette is transparent. Requires: width, height > 0.
std::string png(std::span<const std::uint8_t> pixels, std::uint32_t width, std::uint32_t height,
                std::span<const Colour> palette);

std::string base64(std::string_view bytes);

}  // namespace apsp::report
