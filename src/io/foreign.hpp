// Known formats that are not read: the error names the format and a command that converts the file.
#pragma once

#include <string>
#include <string_view>

namespace apsp::io {

/// The text after blanks, line breaks, and comments of XML and C.
std::string_view first_word(std::string_view text);

/// Throws `Error` (input) that begins with `name` if `text` is in such a format.
void refuse_foreign(std::string_view text, std::string_view name);

/// The same for a ZIP archive with a member of this name: spreadsheets are such archives.
void refuse_foreign_member(std::string_view member, std::string_view name);

}  // namespace apsp::io
