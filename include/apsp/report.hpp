// A page to look at: what a result says of its graph, in figures and pictures.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

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
/// vertices), interrupted, what the result throws.
std::string report_page(const Result& result, const ReportOptions& options = {});

/// The same in a file, which appears complete or not at all; "-" is standard output. Throws also
/// `Error` (input_output).
void write_report(const Result& result, const std::string& path, const ReportOptions& options = {});

}  // namespace apsp
