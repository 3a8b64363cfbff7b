// A page to look at: what a result says of its graph, in figures and pictures.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <apsp/io.hpp>
#include <apsp/progress.hpp>
#include <apsp/solve.hpp>
#include <apsp/verify.hpp>

namespace apsp {

struct ReportOptions {
  std::string title{};  ///< heading; empty: what was solved, such as "Shortest paths"
  /// Where the vertices lie, [n]; empty: places are made from the distances (Brandes 2007), so that
  /// near vertices lie near each other.
  std::optional<Coordinates> coordinates{};
  std::size_t top = 10;         ///< central vertices listed
  std::size_t most_rows = 400;  ///< and columns of the distance matrix that its picture shows
  std::optional<VerifyReport> verification{};  ///< of this result, to be shown
  Control control{};
};

/// One page of HTML, well-formed as XML too, with all that it needs in itself: no script, nothing
/// from elsewhere, light and dark. The graph in figures, how distances spread, eccentricity and
/// closeness on maps, the longest shortest path, the most central vertices, the matrix of distances
/// as a picture, what was planned and what it took. What the result does not hold is left out, and
/// the page says so. Statistics are computed if the result lacks them; takes the time of some
/// `most_rows` + 50 rows besides. Throws `Error`: usage (coordinates of another number of
/// vertices, or not finite), interrupted, what the result throws.
std::string report_page(const Result& result, const ReportOptions& options = {});

/// The same in a file, which appears complete or not at all; "-" is standard output. Throws also
/// `Error` (input_output).
void write_report(const Result& result, const std::string& path, const ReportOptions& options = {});

// What the pictures of the page show, for those who draw them otherwise.

/// Some rows and columns of a result, in an order that shows its structure.
struct DistanceSample {
  std::vector<Vertex> sources{}, targets{};
  std::vector<double> distances{};  ///< [sources, targets], row-major; ±infinity: no path
  bool ordered = false;             ///< both are the same vertices, near ones together

  /// Whether a distance is that of a vertex from itself.
  bool on_diagonal(std::size_t i) const {
    return sources[i / targets.size()] == targets[i % targets.size()];
  }
};

/// All vertices that the result holds, or `most` of them drawn evenly, the same every time. Takes
/// the time of their rows. Throws `Error`: usage (a result of statistics alone), interrupted.
DistanceSample sample_distances(const Result& result, std::size_t most = 400,
                                const Control& control = {});

/// Where the vertices are drawn, [n]; NaN: not at all. `coordinates`, which are cut open at the
/// widest gap between longitudes, without far islands; or places from the distances (Brandes 2007),
/// of the largest component. Throws `Error`: usage (coordinates of another number of vertices, or
/// not finite; none, and the result has not all shortest paths), interrupted.
Coordinates map_places(const Result& result, const std::optional<Coordinates>& coordinates = {},
                       const Control& control = {});

}  // namespace apsp
