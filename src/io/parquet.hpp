// Parquet tables (Apache Parquet Format 2.10), implemented here because supported distributions
// have no library for it.
//
// A table is read as the text of its CSV form, so that all rules of tables apply: texts are quoted
// and missing values empty. Supports flat columns, plain or dictionary-encoded, uncompressed or
// with snappy, gzip or zstd. Written columns of numbers and texts have no missing values; they are
// plain, one page per column and row group, compressed by zstd. Geometry is WKB, by GeoParquet 1.1:
// lines are read as WKT, and a column of points as columns lon and lat, or x and y, unless the
// table has such columns.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
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

/// The key of the metadata of GeoParquet.
inline constexpr std::string_view kGeometryKey = "geo";

/// Contents of a column. 32-bit reals are written in the shortest form that reads back as such.
enum class ColumnKind { vertex, whole, real, real32, text, geometry };

struct TableColumn {
  std::string title;
  ColumnKind kind = ColumnKind::real;
};

class ParquetWriter {
 public:
  /// `file` must outlive this object, which is its only writer. Requires: no column of vertices.
  ParquetWriter(OutputFile& file, std::vector<TableColumn> columns);

  /// The number of rows that may be put before the next `end_rows`; at least 1.
  std::int64_t room() const { return most_rows_ - rows_; }
  /// Puts value_of(row) for each of these rows into a column: std::int64_t, float, double or text.
  template <class ValueOf>
  void put(std::size_t column, std::int64_t first, std::int64_t last, const ValueOf& value_of) {
    using Value = std::remove_cvref_t<decltype(value_of(first))>;
    std::string& bytes = values_[column];
    if constexpr (std::is_arithmetic_v<Value>) {
      const std::size_t begin = bytes.size();
      bytes.resize(begin + static_cast<std::size_t>(last - first) * sizeof(Value));
      char* to = bytes.data() + begin;
      for (std::int64_t row = first; row < last; ++row, to += sizeof(Value)) {
        const Value value = value_of(row);
        std::memcpy(to, &value, sizeof(Value));
      }
    } else {
      for (std::int64_t row = first; row < last; ++row) {
        const auto& text = value_of(row);
        if (columns_[column].kind == ColumnKind::geometry) note_type_of(text);
        const auto size = static_cast<std::uint32_t>(text.size());
        bytes.append(reinterpret_cast<const char*>(&size), sizeof(size)).append(text);
      }
    }
  }
  /// Requires: each column has `count` more values.
  void end_rows(std::int64_t count) {
    // A group ends when a column has so many bytes.
    constexpr std::size_t kFullPage = std::size_t{32} << 20;
    rows_ += count;
    const auto is_full = [](const std::string& values) { return values.size() >= kFullPage; };
    if (rows_ == most_rows_ || std::ranges::any_of(values_, is_full)) end_group();
  }
  /// `directed`: the metadata say that rows are arcs (`apsp:directed`).
  void finish(bool directed = false);

 private:
  void end_group();
  /// Remembers the type of a geometry for the metadata.
  void note_type_of(std::string_view wkb);
  /// Writes a page and returns the size of its header.
  std::int64_t put_page(const std::string& values);

  OutputFile& file_;
  std::set<std::string> geometry_types_{};
  std::vector<TableColumn> columns_;
  std::vector<std::string> values_;  // [columns] encoded values of the group
  std::string packed_;               // a page
  std::int64_t rows_ = 0;            // in the group
  std::int64_t most_rows_;
  std::int64_t all_rows_ = 0;
  std::vector<std::string> groups_;  // descriptions of complete groups
};

}  // namespace apsp::io
