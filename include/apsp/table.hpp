// Tables of distances as files of any size, and units of distances.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/io.hpp>
#include <apsp/snap.hpp>
#include <apsp/solve.hpp>
#include <optional>
#include <string>
#include <vector>

namespace apsp {

/// The unit of weights, in which limits such as 15min are given and distances are titled.
struct Unit {
  std::string text{};  ///< "min", "0.1s"; empty: not known
  double size = 1;     ///< in seconds or metres
  bool time = false;
};

/// Parses s, min, h, m or km, or a multiple such as 0.1s. `option`: its name, for messages. Throws
/// `Error` (usage) for another text.
Unit parse_unit(const std::string& option, const std::string& text);

/// A number, or a quantity such as "15min" as a number of weights. Throws `Error` (usage): neither,
/// weights in no known unit or one of another kind.
double quantity(const std::string& option, const std::string& text, const Unit& unit);

/// "distance (min)"; the title itself if the unit is not known.
std::string with_unit(const std::string& title, const Unit& unit);

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
