// Tables of points on a map, and points of GeoJSON.
#pragma once

#include <apsp/io.hpp>
#include <optional>
#include <string>
#include <utility>

#include "io/vertex_lists.hpp"

namespace apsp::io {

/// As `read_points`, for a table in any encoding.
std::optional<PointTable> read_point_table(const std::string& path, bool always,
                                           const ListReading& reading);

/// The ends of pairs, in a table with the titles from_lon, from_lat, to_lon and to_lat, or from_x,
/// … Names are those of from_name and to_name, or of from and to. Other columns belong to the first
/// points. Returns nothing for a table without these titles.
std::optional<std::pair<PointTable, PointTable>> read_point_pairs(const std::string& path,
                                                                  const ListReading& reading);

}  // namespace apsp::io
