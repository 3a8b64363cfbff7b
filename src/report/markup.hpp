// Text, numbers and pixels as markup that is both HTML and well-formed XML.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "report/colour.hpp"

namespace apsp::report {

/// The number of colour classes of lines, vertices and legends: q0 … of the style.
inline constexpr int kClasses = 16;

/// Escapes text for elements and quoted attributes. Replaces bytes that are not UTF-8 or not
/// characters of XML.
std::string escaped(std::string_view text);
std::string shown_name(const Graph& graph, Vertex v);

/// A number as text for people, with the attribute `value`: the shortest text of the same value.
/// `id`: unique in the page; empty: none.
std::string number(double value, std::string_view id = {});
std::string count(std::int64_t value, std::string_view id = {});

/// "<tr><th>title</th><td>content</td></tr>"; `title` is text, `content` is markup.
std::string row(std::string_view title, std::string_view content);

std::string figure(std::string_view picture, std::string_view caption);

std::string legend(const Scale& scale, std::string_view what);

/// The bytes of a PNG (ISO/IEC 15948). pixels: [height, width], row-major, one byte each: the index
/// of a palette colour, < palette.size() ≤ 256. Colour 0 is transparent. Requires: width, height >
/// 0.
std::string png(std::span<const std::uint8_t> pixels, std::uint32_t width, std::uint32_t height,
                std::span<const Colour> palette);

/// The style of the page as rules of CSS: light and dark, on screens and on paper.
std::string style();

/// RFC 4648, §4.
std::string base64(std::string_view bytes);

}  // namespace apsp::report
