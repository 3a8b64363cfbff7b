// Where the vertices of a graph lie on a map: by their coordinates, or by distances.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/io.hpp>
#include <apsp/solve.hpp>

namespace apsp::report {

/// Throws `Error` (usage): another number of vertices, or a place that is not finite.
void require_places(const Graph& graph, const Coordinates& coordinates);

/// The same places, longitudes counted from behind the widest gap between them, so that what lies
/// on both sides of a meridian stays together. Where nine tenths of the vertices are one component
/// and the others would make the map half as large again, these have no place (NaN).
Coordinates framed(const Graph& graph, Coordinates coordinates);

/// Places for the vertices of a graph without coordinates, from its distances: those that are near
/// each other lie near each other.
///
/// Classical scaling to a few pivots (Brandes 2007): squared distances to pivots far apart from
/// each other, centred both ways; their two strongest directions are the axes. O(n pivots²) and a
/// row of distances a pivot.
///
/// Of the largest weak component; NaN for the other vertices. Requires: the result gives whole rows
/// from every vertex; shortest paths. Throws `Error` (interrupted).
Coordinates distance_layout(const Result& result, const Control& control);

}  // namespace apsp::report
