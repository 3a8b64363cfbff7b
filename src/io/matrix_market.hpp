// Matrix Market (Boisvert, Pozo, Remington: "The Matrix Market Exchange Formats", NISTIR 5935,
// 1996): entry (i, j) is the arc i → j, counted from 1.
//
// A symmetric file holds the lower triangle of an undirected graph; a general one is directed. An
// entry of a coordinate file is an edge even if it is zero. An array has edges for all entries off
// the diagonal and for negative entries on it.
#pragma once

#include "io/formats.hpp"

namespace apsp::io {

bool has_matrix_market_banner(std::string_view text);
Coordinates read_coordinate_array(const Source& source);

}  // namespace apsp::io
