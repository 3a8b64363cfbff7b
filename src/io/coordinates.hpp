// Where the vertices of a graph lie: a table of names and places, or a Matrix Market array in the
// vertices' own order; and weights from that: great-circle lengths by the haversine formula, which
// keeps its digits for short distances (Sinnott, "Virtues of the haversine", Sky and Telescope
// 1984).
#pragma once

#include <apsp/io.hpp>

#include "io/source.hpp"
#include "io/vertex_lists.hpp"

namespace apsp::io {

/// `read_coordinates` of a table in any encoding.
Coordinates read_places(const std::string& path, const Graph& graph, const ListReading& reading);

/// `graph` with great-circle lengths in metres for weights. `places`: such an array. Throws `Error`
/// (input), also unless there is one coordinate a vertex.
Graph with_great_circle_weights(const Graph& graph, const Source& places);

}  // namespace apsp::io
