// What stands between the fields of a table's rows: blanks and tabs, commas, or semicolons, as in
// tables from places where the comma is the decimal mark. The first row tells.
#pragma once

#include <optional>
#include <string_view>

namespace apsp::io {

enum class Separator : char { blank = ' ', comma = ',', semicolon = ';' };

/// What separates the fields of a table whose first row is `line`: semicolons if there are any
/// outside quotation marks, else commas, else blanks. Semicolons are parts of names where a tab
/// stands inside of what they would separate, and where only commas or blanks leave a number at the
/// end. `annotated`: the file has annotations, so it may be our own, which has blanks or commas;
/// they are taken where both ways give two columns.
Separator separator_of(std::string_view line, bool annotated = false);

/// Whether semicolons and commas both make two columns of a row.
bool has_two_separators(std::string_view line);

/// The number with a decimal comma ("1,5", "1,234,567") at the end of a row between blanks, which
/// commas would cut; empty: there is none.
std::optional<std::string_view> decimal_comma_behind_blanks(std::string_view line);

/// "3,5", "-1,234,567", "1.234,5": digits with commas, perhaps points, between them.
bool is_number_with_comma(std::string_view text);

}  // namespace apsp::io
