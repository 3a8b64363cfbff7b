// Text matrices with a row per vertex, with names in the first row and column or without.
#pragma once

#include <apsp/graph.hpp>

#include "io/text_table.hpp"

namespace apsp::io {

/// Whether a table, whose first row is at the cursor, is a matrix: its first title is empty and the
/// others are the names of the rows in any order; or it has as many rows as columns, at least four,
/// of numbers. Throws `Error` (input) if it could be a matrix or edges: two or three rows of
/// numbers with a diagonal of zeros, or four rows whose first numbers count from 0.
bool holds_matrix(const TextCursor& cursor, Separator separator);

Graph read_matrix(const Source& source);

}  // namespace apsp::io
