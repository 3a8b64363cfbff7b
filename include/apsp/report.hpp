// Reports of results as HTML pages.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <apsp/graph.hpp>
#include <apsp/io.hpp>
#include <apsp/progress.hpp>
#include <apsp/solve.hpp>
#include <apsp/statistics.hpp>
#include <apsp/table.hpp>

namespace apsp {

/// Values to draw on a map of their own.
struct ReportMap {
  std::string title{};           ///< such as "jobs within 15 min"
  std::vector<double> values{};  ///< [n]; NaN: no value
};

struct ReportOptions {
  std::string title{};  ///< empty: the problem, such as "Shortest paths"
  std::string unit{};   ///< of the distances, such as "min"; empty: none is shown
  /// Positions of the vertices, [n]; empty: computed from the distances (Brandes 2007).
  std::optional<Coordinates> coordinates{};
  std::vector<ReportMap> maps{};  ///< after those of eccentricity and closeness
  std::size_t top = 10;           ///< central vertices listed
  std::size_t most_rows = 400;    ///< rows and columns of the pictured distance matrix, at most
  std::optional<VerifyReport> verification{};  ///< of this result, to be shown
  Control control{};
};

/// Returns one self-contained page of HTML, also well-formed XML, without scripts: figures of the
/// graph, distribution of distances, maps of eccentricity and closeness, the longest shortest path,
/// the most central vertices, a picture of the matrix, plan and times. It names what is omitted
/// because the result does not hold it. Statistics are computed if missing; further time is that of
/// `most_rows` + 50 rows. Throws `Error`: usage (coordinates or values of a map of another number
/// of vertices, coordinates that are not finite), interrupted, or as the result.
std::string report_page(const Result& result, const ReportOptions& options = {});

/// Writes the page to a file; "-": standard output. Also throws `Error` (input_output).
void write_report(const Result& result, const std::string& path, const ReportOptions& options = {});

// Data of the pictures.

/// Some rows and columns of a result, in an order that shows its structure.
struct DistanceSample {
  std::vector<Vertex> sources{}, targets{};
  std::vector<double> distances{};  ///< [sources, targets], row-major; ±infinity: no path
  bool ordered = false;             ///< rows and columns are the same vertices, near ones adjacent

  /// Whether distance i is that of a vertex to itself. Requires: i < distances.size().
  bool on_diagonal(std::size_t i) const {
    return sources[i / targets.size()] == targets[i % targets.size()];
  }
};

/// Returns the rows and columns of all vertices that the result holds, or of `most` of them, evenly
/// and reproducibly drawn. Throws `Error`: usage (a result of statistics only), interrupted.
DistanceSample sample_distances(const Result& result, std::size_t most = 400,
                                const Control& control = {});

/// Returns positions to draw the vertices, [n], NaN for those not drawn: `coordinates`, cut open at
/// the widest gap between longitudes, without remote islands, or computed from the distances of the
/// largest component (Brandes 2007). Throws `Error`: usage (coordinates of another number of
/// vertices, or not finite; no coordinates and a result without all shortest paths), interrupted.
Coordinates map_places(const Result& result, const std::optional<Coordinates>& coordinates = {},
                       const Control& control = {});

}  // namespace apsp
