// Places for the vertices of a graph without coordinates, from its distances: those that are near
// each other lie near each other.
//
// Classical scaling to a few pivots (Brandes 2007): squared distances to pivots far apart from each
// other, centred both ways; their two strongest directions are the axes. O(n pivots² ) and a row of
// distances a pivot.
#pragma once

#include <apsp/io.hpp>
#include <apsp/solve.hpp>

namespace apsp::report {

/// Of the largest weak component; NaN for the other vertices. Requires: the result gives whole rows
/// from every vertex; shortest paths. Throws `Error` (interrupted).
Coordinates distance_layout(const Result& result, const Control& control);

}  // namespace apsp::report
