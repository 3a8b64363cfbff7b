#include "io/matrix_market.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "base/units.hpp"
#include "io/annotations.hpp"

namespace apsp::io {
namespace {

struct MatrixMarketHeader {
  bool array = false;
  bool symmetric = false;
  bool pattern = false, integer = false;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::uint64_t entries = 0;
  const char* size_at = nullptr;
};

/// Reads the next word, which must be one of `choices`, ignoring case; `expected` describes them.
std::string take_choice(TextCursor& cursor, std::span<const std::string_view> choices,
                        const char* expected) {
  const char* const at = cursor.next();
  std::string word = lower_case(cursor.take_word());
  if (word == "complex") cursor.fail(at, "complex numbers cannot be edge weights");
  if (word == "skew-symmetric" || word == "hermitian") {
    cursor.fail(at, "a {} matrix cannot be read as a graph: only 'general' and 'symmetric' can",
                word);
  }
  if (std::ranges::find(choices, word) == choices.end()) cursor.fail_expected(at, expected);
  return word;
}

void read_banner(TextCursor& cursor, MatrixMarketHeader& header) {
  const auto choice = [&](const char* expected, auto... words) {
    const std::string_view choices[] = {words...};
    return take_choice(cursor, choices, expected);
  };
  if (lower_case(cursor.take_word()) != "%%matrixmarket") {
    cursor.fail(cursor.source().bytes.data(), "a Matrix Market file begins with %%MatrixMarket");
  }
  choice("'matrix'", "matrix");
  header.array = choice("'coordinate' or 'array'", "coordinate", "array") == "array";
  const char* const at = cursor.next();
  const std::string field = choice("'real', 'integer' or 'pattern'", "real", "double", "integer",
                                   "unsigned-integer", "pattern");
  if (field == "pattern" && header.array) {
    cursor.fail(at, "an array has values; 'pattern' goes with 'coordinate'");
  }
  header.pattern = field == "pattern";
  header.integer = field.ends_with("integer");
  header.symmetric = choice("'general' or 'symmetric'", "general", "symmetric") == "symmetric";
  cursor.expect_line_end();
}

MatrixMarketHeader read_matrix_market_header(TextCursor& cursor, Annotations& annotations) {
  MatrixMarketHeader header;
  read_banner(cursor, header);
  if (!annotations.find_row(cursor, '%')) {
    cursor.fail_at_end("{}", header.array ? "the size line is missing: ROWS COLUMNS"
                                          : "the size line is missing: ROWS COLUMNS ENTRIES");
  }
  header.size_at = cursor.at();
  header.rows = cursor.expect_vertex_count();
  header.cols = cursor.expect_vertex_count();
  if (!header.array) header.entries = cursor.expect_count("the number of entries");
  cursor.expect_line_end();
  return header;
}

double read_value(TextCursor& cursor, const MatrixMarketHeader& header) {
  const char* const at = cursor.next();
  const double value = cursor.expect_weight();
  if (header.integer && value != std::trunc(value)) {
    cursor.fail(at, "{} in a file of integers", value);
  }
  return value;
}

void require_square(const TextCursor& cursor, const MatrixMarketHeader& header) {
  if (header.rows == header.cols) return;
  std::string message = fmt::format(
      "a matrix of {} and {} is not a graph: a graph is a square matrix",
      base::counted(header.rows, "row", "rows"), base::counted(header.cols, "column", "columns"));
  if (header.array && header.cols == 2) {
    message += "; if it holds coordinates, name it with `coordinates`, and the graph first";
  }
  cursor.fail(header.size_at, "{}", message);
}

bool read_entry(TextCursor& cursor, const MatrixMarketHeader& header, RowEdges& edges) {
  const char* const start = cursor.at();
  const Edge edge = read_counted_edge(cursor, header.rows, !header.pattern);
  if (header.symmetric && edge.from < edge.to) {
    cursor.fail(start, "entry ({}, {}) of a symmetric matrix is above the diagonal",
                edge.from + kCountedFrom, edge.to + kCountedFrom);
  }
  if (header.integer && edge.weight != std::trunc(edge.weight)) {
    cursor.move_to(start);
    cursor.take_word();
    cursor.take_word();
    read_value(cursor, header);
  }
  edges.add(edge.from, edge.to, edge.weight);
  return true;
}

RowArcs read_coordinate_entries(TextCursor& cursor, const MatrixMarketHeader& header, bool mirrored,
                                Annotations& annotations) {
  RowArcs rows(cursor, {.mirrored = mirrored, .vertices = header.rows},
               [header](TextCursor& at, std::size_t, RowEdges& edges) {
                 return read_entry(at, header, edges);
               });
  read_announced_rows(cursor, annotations, '%', rows, header.entries, "entry", "entries");
  return rows;
}

template <class Take>
void read_array_entries(TextCursor& cursor, const MatrixMarketHeader& header,
                        Annotations& annotations, const Take& take) {
  for (std::int64_t col = 0; col < header.cols; ++col) {
    for (std::int64_t row = header.symmetric ? col : 0; row < header.rows; ++row) {
      if (!annotations.find_row(cursor, '%')) {
        cursor.fail_at_end("the file ends before the entry of row {}, column {}",
                           row + kCountedFrom, col + kCountedFrom);
      }
      take(row, col, read_value(cursor, header));
    }
  }
  if (annotations.find_row(cursor, '%')) {
    cursor.fail_here("one entry more than a {} by {} array has", header.rows, header.cols);
  }
}

void append_values(StreamedBytes& stream, std::span<const double> values) {
  stream.append({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
}

/// The columns of a symmetric matrix, of which `triangle` has those of the lower triangle.
HeldBytes whole_columns(const HeldBytes& triangle, std::int64_t n) {
  constexpr std::int64_t kColumns = 64;  // at a time: a run in every column fills cache lines
  const auto column = [n, packed = reinterpret_cast<const double*>(triangle.bytes.data())](
                          std::int64_t c) { return packed + c * n - c * (c - 1) / 2 - c; };
  std::vector<double> band(static_cast<std::size_t>(std::min(kColumns, n) * n));  // [columns, n]
  StreamedBytes whole;
  for (std::int64_t first = 0; first < n; first += kColumns) {
    const std::int64_t end = std::min(first + kColumns, n);
    for (std::int64_t r = 0; r < end; ++r) {  // row r of these columns is column r
      for (std::int64_t c = std::max(first, r + 1); c < end; ++c) {
        band[static_cast<std::size_t>((c - first) * n + r)] = column(r)[c];
      }
    }
    for (std::int64_t c = first; c < end; ++c) {
      std::copy(column(c) + c, column(c) + n, band.begin() + (c - first) * n + c);
    }
    append_values(whole, std::span(band).first(static_cast<std::size_t>((end - first) * n)));
  }
  return whole.finish();
}

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
  StreamedBytes stream;
  std::vector<double> column;
  read_array_entries(cursor, header, annotations,
                     [&](std::int64_t row, std::int64_t, double value) {
                       column.push_back(value);
                       if (row + 1 < header.rows) return;
                       append_values(stream, column);
                       column.clear();
                     });
  HeldBytes held = stream.finish();
  if (header.symmetric) held = whole_columns(held, header.rows);
  WeightMatrix matrix;
  matrix.type = ValueType::f64;
  matrix.n = header.rows;
  matrix.by_columns = !header.symmetric;
  matrix.data = held.bytes.data();
  held.give_to(matrix);
  const ReadOptions& options = cursor.source().options;
  const bool directed = annotations.resolve_directed(options, !header.symmetric);
  GraphBuilder builder(header.rows, directed);
  builder.set_threads(options.threads);
  if (directed || header.symmetric) {
    builder.set_matrix(std::move(matrix));
  } else {
    builder.add_edges(edges_of(matrix));
  }
  annotations.apply(cursor, header.rows, kCountedFrom, builder);
  return std::move(builder).build();
}

/// `mirrored`: whether every entry is two arcs, if known from an earlier reading; else according to
/// the first comments.
Graph read_matrix_file(const Source& source, std::optional<bool> mirrored = {}) {
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
  if (both_ways() != *mirrored) return read_matrix_file(source, both_ways());
  const Graph graph =
      build_numbered(cursor, annotations, directed(), header.rows, kCountedFrom, rows.arcs());
  const bool once = header.symmetric || directed();  // an entry is at its place only
  if (!once || !has_parallel_arcs(graph)) return graph;
  return graph.with_remark("entries at one place are parallel edges; SciPy adds them up");
}

void write_matrix_market(const Graph& graph, OutputFile& out) {
  const WeightFacts& facts = graph.weight_facts();
  out.put("%%MatrixMarket matrix coordinate ",
          facts.unit       ? "pattern "
          : facts.integral ? "integer "
                           : "real ",
          graph.directed() ? "general\n" : "symmetric\n");
  put_names(out, "% ", graph, kCountedFrom, kCountedFrom);
  out.put(graph.vertex_count(), ' ', graph.vertex_count(), ' ', graph.edge_count(), '\n');
  for_each_edge(
      graph,
      [&](Vertex u, Vertex v, double weight) {
        if (!graph.directed()) std::swap(u, v);  // u ≤ v: the lower triangle
        out.put(u + kCountedFrom, ' ', v + kCountedFrom);
        if (!facts.unit) out.put(' ', weight);
        out.put('\n');
      },
      [&] { out.end_rows(); });
}

std::optional<GraphHeader> peek_matrix_market(const Source& source) {
  TextCursor cursor(source);
  Annotations annotations;
  const MatrixMarketHeader read = read_matrix_market_header(cursor, annotations);
  if (read.rows != read.cols) return std::nullopt;
  const bool both = read.symmetric && !read.array;
  auto header = header_before(cursor.at(), static_cast<std::uint64_t>(read.rows),
                              both ? 2 * read.entries : read.entries);
  if (header) header->matrix = read.array;
  return header;
}

}  // namespace

bool has_matrix_market_banner(std::string_view text) {
  constexpr std::string_view kBanner = "%%matrixmarket";
  return has_suffix(text.substr(0, kBanner.size()), kBanner);
}

Coordinates read_coordinate_array(const Source& source) {
  TextCursor cursor(source);
  Annotations annotations;
  const MatrixMarketHeader header = read_matrix_market_header(cursor, annotations);
  if (!header.array || header.symmetric || header.cols != 2) {
    cursor.fail(header.size_at,
                "coordinates are a general array of 2 columns: longitude and latitude in degrees");
  }
  Coordinates coordinates;
  coordinates.degrees = true;
  read_array_entries(
      cursor, header, annotations, [&](std::int64_t, std::int64_t col, double degrees) {
        if (std::abs(degrees) > (col == 0 ? 360 : 90)) {
          cursor.fail_here("{} degrees of {}", degrees, col == 0 ? "longitude" : "latitude");
        }
        (col == 0 ? coordinates.x : coordinates.y).push_back(degrees);
      });
  return coordinates;
}

extern const Format matrix_market_format = {
    .name = "matrix-market",
    .suffixes = {".mtx"},
    .recognises = has_matrix_market_banner,
    .read = [](const Source& source) { return read_matrix_file(source); },
    .write = write_matrix_market,
    .peek = peek_matrix_market};

}  // namespace apsp::io
