// A table of named columns as a file: CSV, compressed or not, or Parquet, by the suffix. Vertices
// stand in it by their names.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "io/output_file.hpp"
#include "io/parquet.hpp"

namespace apsp::io {

/// What a column holds. Vertices stand by their names; reals of 32 bits are written in the shortest
/// form that reads back as such.
enum class ColumnKind { vertex, whole, real, real32, text };

struct TableColumn {
  std::string title;
  ColumnKind kind = ColumnKind::real;
};

/// Values of a column in rows that follow each other. A step of 0 repeats the first.
template <class T>
struct Stepped {
  const T* first;
  std::int64_t step = 1;  ///< values from one row to the next
};
/// Vertices; whole numbers from 0 on; reals of both kinds; texts.
using ColumnValues =
    std::variant<Stepped<Vertex>, Stepped<std::int64_t>, Stepped<double>, Stepped<std::string>>;

/// Whether a path names such a file: .csv, .csv.gz, .csv.zst, .parquet.
bool names_column_table(const std::string& path);
bool names_parquet(const std::string& path);

/// A name in quotation marks, and as CSV writes it: in quotation marks where it must be.
std::string quoted_field(const std::string& name);
std::string csv_field(const std::string& name);

class ColumnTable {
 public:
  /// "-" is standard output, as CSV. `graph` names the vertices; it and `control` outlive this.
  /// Throws as `OutputFile`, and `Error` (usage) where two columns have one title, or names are not
  /// UTF-8 in a Parquet file.
  ColumnTable(const std::string& path, std::vector<TableColumn> columns, const Graph& graph,
              const Control& control);

  /// Progress is counted in rows, if any are expected.
  void expect_rows(std::int64_t rows) { file_.expect_rows(rows); }
  /// The next rows. `values`: a column each.
  void put(std::int64_t rows, std::span<const ColumnValues> values);
  void commit();

 private:
  void put_text(std::int64_t row, std::span<const ColumnValues> values);
  void put_binary(std::int64_t row, std::span<const ColumnValues> values);

  const Graph& graph_;
  bool integer_names_;  // in Parquet
  std::vector<TableColumn> columns_;
  OutputFile file_;
  std::optional<ParquetWriter> parquet_;
};

}  // namespace apsp::io
