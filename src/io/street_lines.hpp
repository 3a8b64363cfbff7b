// Lines of streets, which need not be straight between their vertices: tables with a column of WKT,
// as OSMnx and GeoPandas write them, and lines of GeoJSON.
#pragma once

#include <apsp/graph.hpp>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "io/geometry.hpp"
#include "io/vertex_lists.hpp"

namespace apsp::io {

class StreetLines {
 public:
  /// Points from `from` to `to`; empty if the street has no line. The line of the other direction
  /// is reversed if there is none of this one.
  std::vector<MapPoint> between(Vertex from, Vertex to) const;
  /// The first line of a street and direction counts.
  void add(Vertex from, Vertex to, std::vector<MapPoint> line) {
    lines_.emplace(std::pair(from, to), std::move(line));
  }
  std::size_t size() const { return lines_.size(); }

 private:
  std::map<std::pair<Vertex, Vertex>, std::vector<MapPoint>> lines_;
};

/// Reads lines of arcs: a table with usual titles of ends and a column titled geometry or wkt with
/// LINESTRING (…), where empty cells are streets without a line, or features of GeoJSON with
/// LineStrings and these ends as properties. Arcs that the graph does not have are left out. Throws
/// `Error`: input (no such titles, a bad line, an unknown vertex), input_output, interrupted.
StreetLines read_street_lines(const std::string& path, const Graph& graph,
                              const ListReading& reading);

}  // namespace apsp::io
