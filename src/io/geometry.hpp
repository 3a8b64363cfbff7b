// Points and lines on a map, and their forms in files: GeoJSON (RFC 7946), WKT and WKB.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace apsp::io {

using MapPoint = std::pair<double, double>;  // longitude, latitude

/// One line, which is a point if it has one position; or several lines.
struct Geometry {
  std::vector<std::vector<MapPoint>> lines{};
  bool several = false;
};

std::string geojson_of(const Geometry& geometry);
std::string wkt_of(const Geometry& geometry);
/// ISO WKB in the order of bytes of this machine, which is little-endian.
std::string wkb_of(const Geometry& geometry);

/// The points of "LINESTRING (24.9 60.1, 24.91 60.2)"; nothing for another text. A third number of
/// a point is ignored.
std::optional<std::vector<MapPoint>> line_of_wkt(std::string_view text);
/// The point or line of WKB in either order of bytes; nothing for other bytes. Further numbers of a
/// position are ignored.
std::optional<Geometry> geometry_of_wkb(std::string_view bytes);

}  // namespace apsp::io
