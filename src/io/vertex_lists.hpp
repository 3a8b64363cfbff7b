// Lists of vertices, of pairs, and of edges that users give beside a graph: what `--sources @FILE`,
// `apsp distance --pairs` and `apsp update` read.
//
// A list is a text in rows, gzip or zstd too; "-" is standard input. Fields have commas, semicolons
// or blanks between them. Lines that begin with # or % are comments. All throw `Error`: input (a
// name that is no vertex, too few columns; with line and column), input_output, interrupted.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/io.hpp>
#include <apsp/progress.hpp>
#include <apsp/statistics.hpp>

#include <span>
#include <string>
#include <vector>

#include "io/table_rows.hpp"

namespace apsp::io {

struct ListReading {
  Control control = {};
  Remarks* remarks = nullptr;
  std::string encoding = {};  ///< of a text, as in `ReadOptions`
  /// Gets what the column `name` calls the vertices of a list whose other column names them.
  std::vector<std::string>* names = nullptr;
};

/// The vertices of a list, in its order. A line is a vertex's name, or its first column is, or that
/// titled vertex, node or id. A first row of titles is none of the vertices: a usual title
/// ("source", "node"), or a word that is no vertex above one that is. A vertex that comes again
/// counts once. Remarks tell of both. Throws `Error` (input) also where there is no vertex.
std::vector<Vertex> read_vertices(const std::string& path, const Graph& graph,
                                  const ListReading& reading = {});

/// Two columns name vertices of the graph: those whose titles are usual for ends ("to,from"), else
/// the first two. Others are passed over, so that an edge list and our own output can be read. A
/// first row of which nothing is a vertex, above a pair, is titles too. An .npy [pairs, 2] of
/// integers is read too, faster.
std::vector<VertexPair> read_pairs(const std::string& path, const Graph& graph,
                                   const ListReading& reading = {});
/// The rows of such an array, each the name of a vertex: its number in the graph's file, or a label
/// that is such a number. `bytes`: of the file `file`, which begins as an .npy. Throws `Error`
/// (input) also for another shape or type, or a file cut short, with its row.
std::vector<VertexPair> pairs_of_npy(std::span<const char> bytes, const std::string& file,
                                     const Graph& graph, const Control& control);

/// The same with a weight ("inf" removes the arc), by its title or in the third column, and perhaps
/// an old weight, titled "old" as the last column or in the fourth one. An empty old weight is
/// none.
std::vector<WeightChange> read_changes(const std::string& path, const Graph& graph,
                                       const ListReading& reading = {});

/// Only weights, one on each row, "inf" among them; or an .npy [m] of real numbers. A word in the
/// first row is a title.
std::vector<double> read_weight_list(const std::string& path, const ListReading& reading = {});

/// Quantities of vertices, such as jobs or people.
struct VertexQuantities {
  std::vector<std::string> titles;  ///< [columns] "jobs"; "1", "2" where the table has no titles
  std::vector<double> values;       ///< [columns, n] row by row; 0 for a vertex that is not listed
};

/// A table whose first column names vertices and whose others are numbers. What several rows say of
/// a vertex is added up. A first row of titles ("vertex,jobs") names the columns.
VertexQuantities read_quantities(const std::string& path, const Graph& graph,
                                 const ListReading& reading = {});

}  // namespace apsp::io
