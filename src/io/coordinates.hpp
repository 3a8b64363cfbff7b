// Coordinates of vertices from tables or Matrix Market arrays, and great-circle weights by the
// haversine formula, which is accurate for short distances (Sinnott, "Virtues of the haversine",
// Sky and Telescope 1984).
#pragma once

#include <apsp/io.hpp>

#include "io/source.hpp"
#include "io/vertex_lists.hpp"

namespace apsp::io {

/// The same as `read_coordinates`, for a table in any encoding.
Coordinates read_places(const std::string& path, const Graph& graph, const ListReading& reading);

/// The graph with great-circle lengths in metres as weights. `places`: a Matrix Market array.
/// Throws `Error` (input), also unless there is one coordinate per vertex.
Graph with_great_circle_weights(const Graph& graph, const Source& places);

}  // namespace apsp::io
