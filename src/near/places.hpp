// Distances from and to places on streets, by the distances of the vertices at their ends.
#pragma once

#include <apsp/near.hpp>
#include <limits>
#include <vector>

namespace apsp::near {

/// A part of an arc: the way between a place and a vertex at the end of its street, or between two
/// places of a street. `from` = `to`: no arc, because the place is the vertex.
struct PartOfArc {
  Vertex vertex = 0;  ///< at the end of the part
  Vertex from = 0, to = 0;
  double share = 0;
  double weight = std::numeric_limits<double>::infinity();  ///< of the part; infinity: no arc
};

/// The ways from a place to vertices, and from vertices to a place: one or two, none if no arc
/// leads along the street.
std::vector<PartOfArc> exits_of(const Graph& graph, const Place& place);
std::vector<PartOfArc> entries_of(const Graph& graph, const Place& place);

/// The way along one street. Its weight is infinity if the places are on different streets, or no
/// arc leads from one to the other.
PartOfArc direct_part(const Graph& graph, const Place& from, const Place& to);

}  // namespace apsp::near
