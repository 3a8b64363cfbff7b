// Matrix Market: entry (i, j) is the arc i → j, counted from 1.
//
// A symmetric file holds the lower triangle and is an undirected graph; a general one is directed.
// An entry of a coordinate file is an edge even if it is zero. In an array every entry off the
// diagonal is an edge, and of the diagonal the negative ones.
//
// Format: Boisvert, Pozo, Remington: "The Matrix Market Exchange Formats" (NISTIR 5935, 1996).
#pragma once

#include "io/formats.hpp"

namespace apsp::io {

/// Whether a text begins as a Matrix Market file does.
bool has_matrix_market_banner(std::string_view text);
/// A Matrix Market array [rows, 2] of longitude and latitude in degrees. Throws `Error` (input).
Coordinates read_coordinate_array(const Source& source);
}  // namespace apsp::io
