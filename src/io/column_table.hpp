// Writes tables of named columns as CSV, compressed or not, Parquet or GeoJSON, according to the
// suffix. Vertices are written by name. A column of geometry is WKT in CSV, WKB in Parquet, which
// is then GeoParquet, and makes each row a feature of GeoJSON.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "graph/vertex_states.hpp"
#include "io/geometry.hpp"
#include "io/output_file.hpp"
#include "io/parquet.hpp"

namespace apsp::io {

/// Values of a column in consecutive rows. A step of 0 repeats the first.
template <class T>
struct Stepped {
  const T* first;
  std::int64_t step = 1;
};
using ColumnValues = std::variant<Stepped<Vertex>, Stepped<std::int64_t>, Stepped<double>,
                                  Stepped<std::string>, Stepped<Geometry>>;

/// Columns and their values: of one row after another, or of all rows.
struct Columns {
  std::vector<TableColumn> titles;
  std::vector<ColumnValues> cells;

  /// The kind is that of `T`: Vertex, std::int64_t, double, std::string or Geometry.
  template <class T>
  void add(std::string title, const T* first, std::int64_t step = 1) {
    constexpr bool kVertex = std::is_same_v<T, Vertex>, kWhole = std::is_integral_v<T>;
    constexpr bool kGeometry = std::is_same_v<T, Geometry>;
    titles.push_back({std::move(title), kVertex                       ? ColumnKind::vertex
                                        : kWhole                      ? ColumnKind::whole
                                        : std::is_floating_point_v<T> ? ColumnKind::real
                                        : kGeometry                   ? ColumnKind::geometry
                                                                      : ColumnKind::text});
    cells.push_back(Stepped<T>{first, step});
  }
};

/// Whether this is the name of a CSV file, compressed or not, or of a Parquet file.
bool names_column_table(const std::string& path);
bool names_geojson(const std::string& path);

/// A name in quotation marks, or as a CSV field with quotation marks only if necessary.
std::string quoted_field(std::string_view name);
std::string csv_field(const std::string& name);

class ColumnTable {
 public:
  /// "-" is standard output, as CSV. `graph` names the vertices; it and `control` outlive this
  /// object. Throws as `OutputFile`, and `Error` (usage) if two columns have the same title or
  /// names in Parquet or GeoJSON are not UTF-8. `directed`: the table says that its rows are arcs,
  /// for the reader of edge lists. `further`: names of vertices beyond those of the graph; it
  /// outlives this object.
  ColumnTable(const std::string& path, std::vector<TableColumn> columns, const Graph& graph,
              const Control& control, bool directed = false,
              std::span<const std::string> further = {});

  void expect_rows(std::int64_t rows) { file_.expect_rows(rows); }
  void put(std::int64_t rows, std::span<const ColumnValues> values);
  void commit();

 private:
  /// Calls take(value_of), where value_of(row) is an integer, a real number or a text of column i.
  template <class Take>
  void with_column(std::size_t i, const ColumnValues& values, const Take& take) const;

  void put_feature(std::int64_t row, std::span<const ColumnValues> values);

  const Graph& graph_;
  graph::VertexStates states_;  // are written as their vertices
  std::span<const std::string> further_;
  bool is_geojson_, integer_names_;
  bool first_ = true;  // feature of GeoJSON
  std::vector<TableColumn> columns_;
  OutputFile file_;
  std::optional<ParquetWriter> parquet_;
  bool directed_;
};

}  // namespace apsp::io
