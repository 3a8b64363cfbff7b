// Reports of results as HTML pages, and tables of distances as files of any size.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <apsp/graph.hpp>
#include <apsp/io.hpp>
#include <apsp/near.hpp>
#include <apsp/progress.hpp>
#include <apsp/solve.hpp>
#include <apsp/statistics.hpp>

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

/// Points as rows or columns of a table.
struct PlacedPoints {
  std::vector<Place> places{};  ///< by `snap`
  PointTable points{};          ///< their names and other columns
};

struct TableOptions {
  /// Rows and columns, distinct, in this order; empty: all vertices.
  std::vector<Vertex> sources{}, targets{};
  /// Instead of `sources` or `targets`, repeats allowed. Distances between places of streets lead
  /// over the vertices at their ends, or along one street, whichever is shortest.
  std::optional<PlacedPoints> source_points{}, target_points{};
  /// Other weights: graphs with the same names and an arc for every arc on a path. Each distance is
  /// then followed by the sums of these weights along the path that `Result::path` returns (fewest
  /// edges). Of parallel arcs the best counts, then the one with the least weights in `second`, the
  /// first graph deciding first.
  std::vector<Graph> second{};
  std::vector<std::string> second_titles{};  ///< empty: "second", "second_2", …
  /// tall: a row for each pair. wide: a row for each source, a column for each target. automatic:
  /// wide for .npy, which supports no other, else tall.
  enum class Layout { automatic, tall, wide };
  Layout layout = Layout::automatic;
  std::string unit{};  ///< of the distances, for the title of their column; empty: none
};

/// Writes the distances, complete or not at all, in the order of the sources, in parts: memory does
/// not grow with the table. The suffix chooses the format:
///   .csv (.gz, .zst), .parquet   tall: from, to, distance, second, then of points from_walk,
///                                to_walk and their other columns; wide: from and each target
///   .npy                         [sources, targets] of f4 if these hold every distance exactly,
///                                else of f8; with second weights [sources, targets, 1 + second]
/// "-": CSV on standard output. No path is infinity. Second weights need whole rows and a search of
/// O(n + m) for each source. Sources, targets, results and rows in `solving` have no effect. Throws
/// `Error`: usage (an unknown suffix; wide with second weights, except .npy; vertices that do not
/// match), input (a path over an arc that `second` lacks), input_output, and as `solve`.
void write_table(const Graph& graph, const std::string& path, const TableOptions& options = {},
                 const SolveOptions& solving = {});

/// The same from the rows of a result. Throws also as `Result::distance`.
void write_table(const Result& result, const std::string& path, const TableOptions& options = {},
                 const PairsOptions& asking = {});

}  // namespace apsp
