// Formats of graphs and tables that are known but not read: recognised, so that the error names the
// format and a command that converts the file.
#pragma once

#include <string>
#include <string_view>

namespace apsp::io {

/// The text behind blanks, line breaks, and comments as XML and C have them.
std::string_view first_word(std::string_view text);

/// Throws `Error` (input) that begins with `name` if `text` is in such a format.
void refuse_foreign(std::string_view text, std::string_view name);

/// The same of a ZIP archive that holds a file of this name: spreadsheets are such archives.
void refuse_foreign_member(std::string_view member, std::string_view name);

}  // namespace apsp::io
