#pragma once

#include <string>

#include "io/source.hpp"

namespace apsp::io {

/// The features of GeoJSON (RFC 7946) as a table of CSV: points as the columns lon and lat, lines
/// as WKT in the column geometry, and their properties, in which line breaks become blanks. Empty
/// if the text is no GeoJSON. Throws `Error` (input) for a feature that is neither a point nor a
/// line.
std::string geojson_as_csv(const Source& source);

}  // namespace apsp::io
