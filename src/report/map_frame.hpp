// What a map shows: where it is cut open around the globe, and how much of far islands it leaves
// out.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/io.hpp>
#include <vector>

namespace apsp::report {

/// Throws `Error` (usage): another number of vertices, or a place that is not finite.
void require_places(const Graph& graph, const Coordinates& coordinates);

/// The vertices of the largest weak component, by number. Requires: at least one vertex.
std::vector<Vertex> largest_component(const Graph& graph);

/// The same places, longitudes counted from behind the widest gap between them, so that what lies
/// on both sides of a meridian stays together. Where nine tenths of the vertices are one component
/// and the others would make the map half as large again, these have no place (NaN).
Coordinates framed(const Graph& graph, Coordinates coordinates);

}  // namespace apsp::report
