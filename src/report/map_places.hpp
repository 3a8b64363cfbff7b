// Places of vertices on a map, from coordinates or distances.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/io.hpp>
#include <apsp/solve.hpp>

namespace apsp::report {

/// Throws `Error` (usage) if the number of places is not n, or a place is not finite.
void require_places(const Graph& graph, const Coordinates& coordinates);

/// The same places with longitudes counted from the end of their widest gap, so that places on both
/// sides of a meridian are neighbours. If nine tenths of the vertices are one component and the
/// others would make the map half as large again, those others get no place (NaN).
Coordinates framed(const Graph& graph, Coordinates coordinates);

/// Places for the vertices of a graph without coordinates, such that small distances are short on
/// the map: classical scaling to a few pivots (Brandes and Pich 2007). Squared distances to pivots
/// are centred both ways; the two strongest directions are the axes. O(n pivots²) and a row of
/// distances per pivot.
///
/// Covers the largest weak component; other vertices get NaN. Requires: the result gives whole rows
/// from every vertex; shortest paths. Throws `Error` (interrupted).
Coordinates distance_layout(const Result& result, const Control& control);

}  // namespace apsp::report
