// Weights from where the vertices lie: great-circle lengths by the haversine formula, which keeps
// its digits for short distances (Sinnott, "Virtues of the haversine", Sky and Telescope 1984).
#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/numbers.hpp"
#include "io/edges.hpp"
#include "io/formats.hpp"

namespace apsp::io {
namespace {

constexpr double kMeanEarthRadius = 6371008.8;  // metres: IUGG mean radius R1

double radians(double degrees) { return degrees * (std::numbers::pi / 180); }

/// Metres between two vertices.
double great_circle_length(const CoordinateArray& at, Vertex u, Vertex v) {
  const double south = radians(at.latitude[u]), north = radians(at.latitude[v]);
  const double half_height = std::sin((north - south) / 2);
  const double half_width = std::sin(radians(at.longitude[v] - at.longitude[u]) / 2);
  const double haversine =
      half_height * half_height + std::cos(south) * std::cos(north) * half_width * half_width;
  return 2 * kMeanEarthRadius * std::asin(std::sqrt(std::min(1.0, haversine)));
}

}  // namespace

void require_one_each(const CoordinateArray& coordinates, const Graph& graph,
                      const std::string& name) {
  const auto rows = static_cast<std::int64_t>(coordinates.latitude.size());
  if (rows != graph.vertex_count()) {
    throw Error::malformed(
        {name, 0, 0}, fmt::format("{} for {}", base::counted(rows, "coordinate", "coordinates"),
                                  base::counted(graph.vertex_count(), "vertex", "vertices")));
  }
}

Graph with_great_circle_weights(const Graph& graph, const CoordinateArray& coordinates,
                                const std::string& name) {
  require_one_each(coordinates, graph, name);
  GraphBuilder builder(graph.vertex_count(), graph.directed());
  builder.reserve(graph.edge_count());
  for_each_edge(graph, [&](Vertex u, Vertex v, double) {
    builder.add_edge(u, v, great_circle_length(coordinates, u, v));
  });
  builder.set_first_id(graph.first_id());
  if (!graph.labels().empty()) {
    builder.set_labels({graph.labels().begin(), graph.labels().end()});
  }
  Graph weighted = std::move(builder).build();
  for (const std::string& remark : graph.remarks()) weighted = weighted.with_remark(remark);
  return weighted;
}

}  // namespace apsp::io
