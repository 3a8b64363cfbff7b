// Texts, numbers and pixels as parts of a page, which is HTML and well-formed XML at the same time.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "report/colour.hpp"

namespace apsp::report {

/// How many classes of colour lines, vertices and legends have: classes q0 … of the style.
inline constexpr int kClasses = 16;

/// Fit for text and for attributes between quotation marks: signs of the markup are written out,
/// and bytes that are no UTF-8, or no characters of XML, are replaced.
std::string escaped(std::string_view text);
std::string shown_name(const Graph& graph, Vertex v);

/// A number as people read it, and in its attribute `value` as programs do: shortest text of the
/// same value. `id`: unique in the page; empty: none.
std::string number(double value, std::string_view id = {});
std::string count(std::int64_t value, std::string_view id = {});

/// "<tr><th>title</th><td>content</td></tr>"; `title` is text, `content` is markup.
std::string row(std::string_view title, std::string_view content);

/// Both are markup.
std::string figure(std::string_view picture, std::string_view caption);

/// The classes of a scale, with the values at both ends. `what`: text.
std::string legend(const Scale& scale, std::string_view what);

/// The bytes of a PNG (ISO/IEC 15948), one byte a pixel that names a colour of a palette. pixels:
/// [height, width], row-major, each < palette.size() ≤ 256; colour 0 of the palette is transparent.
/// Requires: width, height > 0.
std::string png(std::span<const std::uint8_t> pixels, std::uint32_t width, std::uint32_t height,
                std::span<const Colour> palette);

/// RFC 4648, §4.
std::string base64(std::string_view bytes);

}  // namespace apsp::report
