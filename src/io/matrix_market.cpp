// Matrix Market: entry (i, j) is the arc i → j, counted from 1.
//
// A symmetric file holds the lower triangle and is an undirected graph; a general one is directed.
// An entry of a coordinate file is an edge even if it is zero. In an array every entry off the
// diagonal is an edge; of the diagonal only negative entries count, as the zeros (and whatever else
// is harmless) there say that a vertex is at no distance from itself.
#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/numbers.hpp"
#include "io/annotations.hpp"
#include "io/array_values.hpp"
#include "io/edges.hpp"
#include "io/formats.hpp"
#include "io/matrix_market_header.hpp"
#include "io/row_arcs.hpp"
#include "io/text_cursor.hpp"

namespace apsp::io {
namespace {

using Field = MatrixMarketHeader::Field;

double read_value(TextCursor& cursor, Field field) {
  cursor.skip_blanks();
  const char* const at = cursor.at();
  const double value = cursor.expect_weight();
  if (field == Field::integer && value != std::trunc(value)) {
    cursor.fail(at, fmt::format("{} in a file of integers", value));
  }
  return value;
}

void require_square(const TextCursor& cursor, const MatrixMarketHeader& header) {
  if (header.rows == header.cols) return;
  std::string message =
      fmt::format("a matrix of {} and {} is no graph", base::counted(header.rows, "row", "rows"),
                  base::counted(header.cols, "column", "columns"));
  if (header.array && header.cols == 2) {
    message += "; if it holds coordinates, give it with --coordinates beside the graph";
  }
  cursor.fail(header.size_at, message);
}

/// An entry between vertices of the graph, with the value that the header promises; `at` moves
/// behind its line end. False for anything else.
inline bool read_plain_entry(const char*& at, const char* end, const MatrixMarketHeader& header,
                             Edge& edge) {
  if (!read_plain_edge(at, end, header.rows, header.field != Field::pattern, edge)) return false;
  const bool above_diagonal = header.symmetric && edge.from < edge.to;
  const bool fraction = header.field == Field::integer && edge.weight != std::trunc(edge.weight);
  return !above_diagonal && !fraction;
}

Edge read_entry(TextCursor& cursor, const MatrixMarketHeader& header) {
  const char* const at = cursor.at();
  Edge edge;
  edge.from = cursor.expect_vertex(header.rows);
  edge.to = cursor.expect_vertex(header.rows);
  if (header.symmetric && edge.from < edge.to) {
    cursor.fail(at, fmt::format("entry ({}, {}) of a symmetric matrix is above the diagonal",
                                edge.from + kCountedFrom, edge.to + kCountedFrom));
  }
  if (header.field != Field::pattern) edge.weight = read_value(cursor, header.field);
  cursor.expect_line_end();
  return edge;
}

RowArcs read_coordinate_entries(TextCursor& cursor, const MatrixMarketHeader& header, bool mirrored,
                                Annotations& annotations) {
  const auto row_of = [header, end = cursor.end()](const char*& at, std::size_t, Edge& edge) {
    return read_plain_entry(at, end, header, edge);
  };
  RowArcs rows(cursor.source(), mirrored, header.rows,
               [row_of](Piece& piece) { read_piece(piece, row_of); });
  while (find_matrix_market_entry(cursor, annotations)) {
    if (rows.edges() == header.entries) {
      cursor.fail(fmt::format("one entry more than the {} of the size line", header.entries));
    }
    if (!rows.append(cursor, header.entries)) rows.add(read_entry(cursor, header));
  }
  if (rows.edges() != header.entries) {
    cursor.fail_at_end(
        fmt::format("the file ends after {} of {}", rows.edges(),
                    base::counted(static_cast<std::int64_t>(header.entries), "entry", "entries")));
  }
  return rows;
}

/// Values column by column; `take(row, col, value)` gets each.
template <class Take>
void read_array_entries(TextCursor& cursor, const MatrixMarketHeader& header,
                        Annotations& annotations, const Take& take) {
  for (std::int64_t col = 0; col < header.cols; ++col) {
    for (std::int64_t row = header.symmetric ? col : 0; row < header.rows; ++row) {
      if (!find_matrix_market_entry(cursor, annotations)) {
        cursor.fail_at_end(fmt::format("the file ends before the entry of row {}, column {}",
                                       row + kCountedFrom, col + kCountedFrom));
      }
      take(row, col, read_value(cursor, header.field));
    }
  }
  if (find_matrix_market_entry(cursor, annotations)) {
    cursor.fail(fmt::format("one entry more than a {} by {} array has", header.rows, header.cols));
  }
}

WeightMatrix read_matrix(TextCursor& cursor, const MatrixMarketHeader& header,
                         Annotations& annotations) {
  ArrayValues values;
  read_array_entries(cursor, header, annotations,
                     [&](std::int64_t, std::int64_t, double value) { values.add(value); });
  return header.symmetric ? values.symmetric(header.rows) : values.general(header.rows);
}

/// Every entry of a general matrix as an undirected edge of its own.
std::vector<Edge> edges_of(const WeightMatrix& matrix) {
  std::vector<Edge> edges;
  const auto n = static_cast<Vertex>(matrix.n);
  const double* value = static_cast<const double*>(matrix.data);
  for (Vertex col = 0; col < n; ++col) {
    for (Vertex row = 0; row < n; ++row, ++value) {
      if (row != col || *value < 0) edges.push_back({row, col, *value});
    }
  }
  return edges;
}

Graph read_array(TextCursor& cursor, const MatrixMarketHeader& header, Annotations& annotations) {
  WeightMatrix matrix = read_matrix(cursor, header, annotations);
  const ReadOptions& options = cursor.source().options;
  const bool directed = annotations.resolve_directed(options, !header.symmetric);
  GraphBuilder builder(header.rows, directed);
  builder.set_threads(options.threads);
  if (directed || header.symmetric) {
    builder.set_matrix(std::move(matrix));
  } else {
    builder.add_edges(edges_of(matrix));
  }
  annotations.apply(cursor, header.rows, kCountedFrom, kCountedFrom, builder);
  return std::move(builder).build();
}

/// `mirrored`: whether every entry is two arcs, where a reading before found out; else as the first
/// comments say.
Graph read_matrix_file(const Source& source, std::optional<bool> mirrored) {
  TextCursor cursor(source);
  Annotations annotations;
  const MatrixMarketHeader header = read_matrix_market_header(cursor, annotations);
  require_square(cursor, header);
  if (header.array) return read_array(cursor, header, annotations);
  const auto directed = [&] {
    return annotations.resolve_directed(source.options, !header.symmetric);
  };
  const auto both_ways = [&] { return header.symmetric || !directed(); };
  if (!mirrored) mirrored = both_ways();
  const RowArcs rows = read_coordinate_entries(cursor, header, *mirrored, annotations);
  if (both_ways() != *mirrored)
    return read_matrix_file(source, both_ways());  // a comment says otherwise
  GraphBuilder builder(header.rows, directed());
  builder.set_threads(source.options.threads);
  builder.set_arcs(rows.arcs());
  annotations.apply(cursor, header.rows, kCountedFrom, kCountedFrom, builder);
  return std::move(builder).build();
}

}  // namespace

Graph read_matrix_market(const Source& source) { return read_matrix_file(source, std::nullopt); }

CoordinateArray read_coordinates(const Source& source) {
  TextCursor cursor(source);
  Annotations annotations;
  const MatrixMarketHeader header = read_matrix_market_header(cursor, annotations);
  if (!header.array || header.symmetric || header.cols != 2) {
    cursor.fail(header.size_at,
                "coordinates are a general array of 2 columns: longitude and latitude in degrees");
  }
  CoordinateArray coordinates;
  read_array_entries(
      cursor, header, annotations, [&](std::int64_t, std::int64_t col, double degrees) {
        if (std::abs(degrees) > (col == 0 ? 360 : 90)) {
          cursor.fail(
              fmt::format("{} degrees of {}", degrees, col == 0 ? "longitude" : "latitude"));
        }
        (col == 0 ? coordinates.longitude : coordinates.latitude).push_back(degrees);
      });
  return coordinates;
}

void write_matrix_market(const Graph& graph, OutputFile& out) {
  const WeightFacts& facts = graph.weight_facts();
  out.put("%%MatrixMarket matrix coordinate ");
  out.put(facts.unit ? "pattern " : facts.integral ? "integer " : "real ");
  out.put(graph.directed() ? "general\n" : "symmetric\n");
  AnnotationWriter annotations(out, "% ");
  annotations.first_id(graph, kCountedFrom);
  annotations.labels(graph, kCountedFrom);
  for (int i = 0; i < 2; ++i) {
    out.put_integer(static_cast<std::uint64_t>(graph.vertex_count()));
    out.put(' ');
  }
  out.put_integer(static_cast<std::uint64_t>(graph.edge_count()));
  out.put('\n');
  for_each_edge(
      graph,
      [&](Vertex u, Vertex v, double weight) {
        if (!graph.directed()) std::swap(u, v);  // u ≤ v: below the diagonal the row is the larger
        out.put_integer(std::uint64_t{u} + kCountedFrom);
        out.put(' ');
        out.put_integer(std::uint64_t{v} + kCountedFrom);
        if (!facts.unit) {
          out.put(' ');
          out.put_number(weight);
        }
        out.put('\n');
      },
      [&] { out.end_row(); });
}

}  // namespace apsp::io
