// The separator of a table: the first of tab, semicolon and comma that is in every row, else the
// blank. If another separator also makes the rows a table of edges, the table is ambiguous unless
// the first one gives more columns.
#pragma once

#include "io/text_cursor.hpp"

namespace apsp::io {

/// The separator of a table of edges, whose first row is at the cursor, by options, else by the
/// first rows. Throws `Error` (input) for ambiguous rows.
Separator table_separator(const TextCursor& cursor);

/// The same for a list of vertices, pairs or weights. Never ambiguous; wrong choices give unknown
/// names.
Separator list_separator(const TextCursor& cursor);

}  // namespace apsp::io
