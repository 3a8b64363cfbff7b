// A map as a file: features with geometry and properties, as GeoJSON (RFC 7946), which QGIS,
// browsers and GeoPandas read.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/io.hpp>
#include <apsp/near.hpp>
#include <span>
#include <string>

#include "base/json.hpp"
#include "io/output_file.hpp"

namespace apsp::cli {

class MapFile {
 public:
  using Properties = nlohmann::ordered_json;

  /// `name`: of the file that the positions are from. Throws `Error`: input (positions that are no
  /// longitudes and latitudes), input_output.
  MapFile(const std::string& path, const Graph& graph, Coordinates at, const std::string& name,
          const Control& control);

  /// The vertex as a point.
  void point(Vertex v, const Properties& properties);
  /// The vertices as a line; a single one as a point.
  void line(std::span<const Vertex> vertices, const Properties& properties);
  /// All parts of the arcs that can be reached within the limit from the source, as lines: the
  /// streets of an isochrone. `targets`, `distances`: the vertices within the limit, without the
  /// source.
  void reached(Vertex source, double limit, std::span<const Vertex> targets,
               std::span<const double> distances, const Properties& properties);
  void commit();

 private:
  void begin_feature(std::string_view type);
  void end_feature(const Properties& properties);
  void put_place(double x, double y);
  void put_part(Vertex from, Vertex to, double share);

  const Graph& graph_;
  Coordinates at_;
  io::OutputFile file_;
  bool first_ = true, first_part_ = true;
  std::vector<double> distance_;  // [n] of the source whose streets are drawn; infinity
};

/// A number, or null where it is infinite.
nlohmann::ordered_json finite_json(double value);

}  // namespace apsp::cli
