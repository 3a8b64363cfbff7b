// How much room a text takes on a terminal, and texts cut or filled to a width.
//
// Widths are counted in columns: most characters take one, East Asian wide characters and emoji
// two, combining marks none (after Unicode's East Asian Width, in ranges). Bytes that are no UTF-8
// count as one column each, so that labels in any encoding leave a table standing.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace apsp::cli {

std::size_t display_width(std::string_view text);

enum class Align { left, right };

/// Filled with spaces to `width` columns; a longer text stays as it is.
std::string pad(std::string_view text, std::size_t width, Align align = Align::left);

/// At most `width` columns; where something was cut, `mark` stands at the end.
std::string shorten(std::string_view text, std::size_t width, std::string_view mark);

/// Control characters (of labels read from files) replaced by '?': no text can move the cursor.
std::string printable(std::string_view text);

}  // namespace apsp::cli
