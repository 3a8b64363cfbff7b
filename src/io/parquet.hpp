// Parquet tables (Apache Parquet Format 2.10), implemented here because supported distributions
// have no library for it.
//
// A table is read as the text of its CSV form, so that all rules of tables apply: texts are quoted
// and missing values empty. Supports flat columns, plain or dictionary-encoded, uncompressed or
// with snappy, gzip or zstd. Written columns of numbers and texts have no missing values; they are
// plain, one page per column and row group, compressed by zstd.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "io/output_file.hpp"

namespace apsp::io {

inline constexpr std::string_view kParquetMagic = "PAR1";
/// The annotation of a table whose rows are arcs (annotations.hpp).
inline constexpr std::string_view kDirectedLine = "# apsp:directed\n";
inline constexpr std::string_view kDirectedKey = "apsp:directed";

/// Calls put(text) with parts of the CSV. `file`: all bytes. Throws `Error`: input (damaged or
/// unsupported; begins with `name`), interrupted, and the exceptions of `put`.
void parquet_as_csv(std::string_view file, const std::string& name, const Control& control,
                    const std::function<void(std::string_view)>& put);

/// Contents of a column. 32-bit reals are written in the shortest form that reads back as such.
enum class ColumnKind { vertex, whole, real, real32, text };

struct TableColumn {
  std::string title;
  ColumnKind kind = ColumnKind::real;
};

class ParquetWriter {
 public:
  /// `file` must outlive this object, which is its only writer. Requires: no column of vertices.
  ParquetWriter(OutputFile& file, std::vector<TableColumn> columns);

  // A row is complete when each column has one more value.
  void put(std::size_t column, std::int64_t value) { put_plain(column, value); }
  void put(std::size_t column, float value) { put_plain(column, value); }
  void put(std::size_t column, double value) { put_plain(column, value); }
  void put(std::size_t column, std::string_view text) {
    put_plain(column, static_cast<std::uint32_t>(text.size()));
    values_[column] += text;
  }
  void end_row() {
    if (++rows_ == most_rows_) end_group();
  }
  /// `directed`: the metadata say that rows are arcs (`apsp:directed`).
  void finish(bool directed = false);

 private:
  template <class T>
  void put_plain(std::size_t column, T value) {
    values_[column].append(reinterpret_cast<const char*>(&value), sizeof(value));
  }
  void end_group();
  /// Writes a page and returns the size of its header.
  std::int64_t put_page(const std::string& values);

  OutputFile& file_;
  std::vector<TableColumn> columns_;
  std::vector<std::string> values_;  // [columns] encoded values of the group
  std::int64_t rows_ = 0;            // in the group
  std::int64_t most_rows_;
  std::int64_t all_rows_ = 0;
  std::vector<std::string> groups_;  // descriptions of complete groups
};

}  // namespace apsp::io
