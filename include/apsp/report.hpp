// A page to look at: what a result says of its graph, in figures and pictures. And tables of
// distances, from some vertices to some, as a file of any size.
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

  /// Whether a distance is that of a vertex from itself. Requires: i < distances.size().
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

struct TableOptions {
  /// Rows and columns, distinct, in this order; empty: all vertices.
  std::vector<Vertex> sources{}, targets{};
  /// Other weights: the same vertices by the same names, and an arc wherever a path leads. Beside
  /// each distance then stands the length, by these weights, of the path that `Result::path` gives:
  /// of several shortest ones the one of fewest edges. Of parallel arcs the least weight counts.
  std::optional<Graph> second{};
  /// Long: a row a pair. Wide: a row a source, a column a target. Automatic: wide for an .npy,
  /// which has no other, and long for all others.
  enum class Layout { automatic, tall, wide };
  Layout layout = Layout::automatic;
};

/// Writes the distances, complete or not at all, in the order of the sources, a part at a time:
/// memory does not grow with the table. By its suffix `path` is
///   .csv (.gz, .zst), .parquet   long: from, to, distance and second; wide: from and each target
///   .npy                         [sources, targets] of f4 where these hold every distance exactly,
///                                else of f8; with second weights [sources, targets, 2]
/// "-": CSV on standard output. No path: infinity. With second weights whole rows are found, and
/// a search of O(n + m) a source is added. Of `solving`, what it says of sources, targets, results
/// and rows has no effect. Throws `Error`: usage (a name of no such file; wide with second weights,
/// but for an .npy; vertices that do not agree), input (a path over an arc that `second` has not),
/// input_output, and as `solve`.
void write_table(const Graph& graph, const std::string& path, const TableOptions& options = {},
                 const SolveOptions& solving = {});

/// The same from a result, of what it holds. Throws also as `Result::distance`.
void write_table(const Result& result, const std::string& path, const TableOptions& options = {},
                 const PairsOptions& asking = {});

}  // namespace apsp
