// The separator of a table, as its first rows show it.
//
// It is the first of tab, semicolon and comma that is in every row, else the blank. If another one makes a table of edges
// of the same rows, too, the table is ambiguous, unless the first one makes more columns of them.
#pragma once

#include "io/text_cursor.hpp"

namespace apsp::io {

/// What separates the fields of a table of edges, whose first row begins at the cursor: what the
/// options say, else what the first rows show. Throws `Error` (input) for rows that can be read in
/// two ways.
Separator table_separator(const TextCursor& cursor);

/// The same of a list of vertices, pairs or weights, which never asks: unknown names tell.
Separator list_separator(const TextCursor& cursor);

}  // namespace apsp::io
