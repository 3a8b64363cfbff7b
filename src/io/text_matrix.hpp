// Matrices of text: a row a vertex, with names in the first row and column or without.
#pragma once

#include <apsp/graph.hpp>

#include "io/table_rows.hpp"

namespace apsp::io {

/// Whether a table, whose first row begins at the cursor, is a matrix: its first field is empty and
/// the other titles are the names of the rows in any order; or it has as many rows as columns, at
/// least four, of numbers. Throws `Error` (input) for what may be a matrix or edges: two or three
/// rows of numbers with zeros on the diagonal, and four of which the first numbers count from 0.
bool holds_matrix(const TextCursor& cursor, Separator separator);

/// Reads a matrix of text, labelled or not, from its first row on.
Graph read_matrix(const Source& source);

}  // namespace apsp::io
