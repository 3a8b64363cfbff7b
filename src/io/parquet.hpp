// Tables in Parquet (Apache Parquet Format 2.10), read and written here because no distribution
// that we build on has a library for it.
//
// Read, a table becomes the text that it has as CSV, so that its columns, vertices and missing
// values follow the rules of all tables: texts are in quotation marks, missing values are empty.
// Flat columns are read, plain or by dictionary, not packed or packed by snappy, gzip or zstd.
//
// Written, columns of numbers and texts have no missing values. They are stored plain, in one page
// a column and group of rows, compressed by zstd, which finds what repeats.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "io/output_file.hpp"

namespace apsp::io {

inline constexpr std::string_view kParquetMagic = "PAR1";

/// Calls put(text) with parts of the CSV. Throws `Error`: input (damaged, or written in a way that
/// is not read; begins with `name`), interrupted, what `put` throws. `file`: all bytes.
void parquet_as_csv(std::string_view file, const std::string& name, const Control& control,
                    const std::function<void(std::string_view)>& put);

enum class ParquetType { int64 = 2, float32 = 4, float64 = 5, text = 6 };

struct ParquetColumn {
  std::string title;
  ParquetType type = ParquetType::float64;
};

class ParquetWriter {
 public:
  /// `file` outlives this, and nothing else is put into it.
  ParquetWriter(OutputFile& file, std::vector<ParquetColumn> columns);

  // A row is complete when each of its columns has one more value.
  void put(std::size_t column, std::int64_t value) { put_plain(column, value); }
  void put(std::size_t column, float value) { put_plain(column, value); }
  void put(std::size_t column, double value) { put_plain(column, value); }
  void put(std::size_t column, std::string_view text) {
    put_plain(column, static_cast<std::uint32_t>(text.size()));
    values_[column] += text;
  }
  /// Behind every row.
  void end_row() {
    if (++rows_ == most_rows_) end_group();
  }
  /// Writes what is left, and the footer.
  void finish();

 private:
  /// Where the values of one column and group are.
  struct Chunk {
    std::int64_t begin = 0, plain_bytes = 0, bytes = 0;
  };
  struct Group {
    std::int64_t rows = 0;
    std::vector<Chunk> chunks;  // [columns]
  };

  template <class T>
  void put_plain(std::size_t column, T value) {
    values_[column].append(reinterpret_cast<const char*>(&value), sizeof(value));
  }
  void end_group();
  Chunk put_chunk(const std::string& values);
  std::string footer() const;

  OutputFile& file_;
  std::vector<ParquetColumn> columns_;
  std::vector<std::string> values_;  // [columns] of the group, as they are written
  std::int64_t rows_ = 0;            // of the group
  std::int64_t most_rows_;
  std::vector<Group> groups_;
};

}  // namespace apsp::io
