// Tables of distances: from some vertices to some, as a file of any size.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/solve.hpp>
#include <optional>
#include <string>
#include <vector>

namespace apsp {

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
