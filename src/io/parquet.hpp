// The body of a Parquet file: columns of numbers and texts without missing values, group after
// group of rows, each column compressed by zstd (Apache Parquet Format 2.10).
//
// Written here because no distribution that we build on has a library for it. Values are stored
// plain, in one page a column and group. So the file is simple, and zstd finds what repeats.
// The footer is a structure of Thrift's compact protocol.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/output_file.hpp"

namespace apsp::io {

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
