#include "io/column_table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "base/fail.hpp"
#include "io/number.hpp"
#include "io/output_names.hpp"

namespace apsp::io {
namespace {

Compression compression_by_suffix(const std::string& path) {
  return path.ends_with(".gz")    ? Compression::gzip
         : path.ends_with(".zst") ? Compression::zstd
                                  : Compression::none;
}

bool is_plain(const std::string& name) {
  return !name.empty() && name.find_first_of(",\"\r\n") == name.npos && name.front() != '#' &&
         name.front() != '%' && name.front() != ' ' && name.back() != ' ';
}

ParquetType parquet_type(ColumnKind kind, bool integer_names) {
  switch (kind) {
    case ColumnKind::vertex:
      return integer_names ? ParquetType::int64 : ParquetType::text;
    case ColumnKind::whole:
      return ParquetType::int64;
    case ColumnKind::text:
      return ParquetType::text;
    case ColumnKind::real32:
      return ParquetType::float32;
    default:
      return ParquetType::float64;
  }
}

template <class T>
const T& column_value(const ColumnValues& values, std::int64_t row) {
  const auto& column = std::get<Stepped<T>>(values);
  return column.first[row * column.step];
}

void put_real(OutputFile& file, double value, ColumnKind kind) {
  if (!std::isfinite(value)) {
    return file.put(std::string_view(std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf"));
  }
  if (kind == ColumnKind::real) return file.put(value);
  char text[32];
  const auto end = std::to_chars(text, text + sizeof(text), static_cast<float>(value)).ptr;
  file.put(std::string_view(text, static_cast<std::size_t>(end - text)));
}

void put_field(OutputFile& file, const std::string& name) {
  is_plain(name) ? file.put(name) : file.put(quoted_field(name));
}

void require_distinct_titles(const std::vector<TableColumn>& columns, const std::string& path) {
  std::vector<std::string_view> titles;
  titles.reserve(columns.size());
  for (const TableColumn& column : columns) titles.push_back(column.title);
  std::ranges::sort(titles);
  const auto twin = std::ranges::adjacent_find(titles);
  if (twin == titles.end()) return;
  base::fail(ErrorKind::usage, "{} would have two columns with the title '{}': rename one", path,
             *twin);
}

}  // namespace

bool names_parquet(const std::string& path) { return path.ends_with(".parquet"); }

bool names_column_table(const std::string& path) {
  return path.ends_with(".csv") || path.ends_with(".csv.gz") || path.ends_with(".csv.zst") ||
         names_parquet(path);
}

std::string quoted_field(const std::string& name) {
  std::string quoted = "\"";
  for (const char c : name) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string csv_field(const std::string& name) {
  return is_plain(name) ? name : quoted_field(name);
}

ColumnTable::ColumnTable(const std::string& path, std::vector<TableColumn> columns,
                         const Graph& graph, const Control& control)
    : graph_(graph),
      integer_names_(names_parquet(path) && has_integer_names(graph)),
      columns_(std::move(columns)),
      file_(path, compression_by_suffix(path), control) {
  require_distinct_titles(columns_, path);
  if (names_parquet(path)) {
    require_utf8_names(graph, path);
    std::vector<ParquetColumn> written;
    for (const auto& [title, kind] : columns_) {
      written.push_back({title, parquet_type(kind, integer_names_)});
    }
    parquet_.emplace(file_, std::move(written));
    return;
  }
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (i > 0) file_.put(',');
    file_.put(csv_field(columns_[i].title));
  }
  file_.put('\n');
}

void ColumnTable::put(std::int64_t rows, std::span<const ColumnValues> values) {
  for (std::int64_t row = 0; row < rows; ++row) {
    parquet_ ? put_binary(row, values) : put_text(row, values);
    file_.end_row();
  }
}

void ColumnTable::put_text(std::int64_t row, std::span<const ColumnValues> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) file_.put(',');
    switch (columns_[i].kind) {
      case ColumnKind::vertex: {
        const Vertex v = column_value<Vertex>(values[i], row);
        graph_.labels().empty() ? file_.put(std::uint64_t{graph_.first_id()} + v)
                                : put_field(file_, graph_.labels()[v]);
        break;
      }
      case ColumnKind::whole:
        file_.put(column_value<std::int64_t>(values[i], row));
        break;
      case ColumnKind::text:
        file_.put(csv_field(column_value<std::string>(values[i], row)));
        break;
      default:
        put_real(file_, column_value<double>(values[i], row), columns_[i].kind);
    }
  }
  file_.put('\n');
}

void ColumnTable::put_binary(std::int64_t row, std::span<const ColumnValues> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    switch (columns_[i].kind) {
      case ColumnKind::vertex: {
        const Vertex v = column_value<Vertex>(values[i], row);
        if (graph_.labels().empty()) {
          parquet_->put(i, std::int64_t{graph_.first_id()} + v);
        } else if (integer_names_) {
          parquet_->put(i, *integer_of(graph_.labels()[v]));
        } else {
          parquet_->put(i, std::string_view(graph_.labels()[v]));
        }
        break;
      }
      case ColumnKind::whole:
        parquet_->put(i, column_value<std::int64_t>(values[i], row));
        break;
      case ColumnKind::text:
        parquet_->put(i, std::string_view(column_value<std::string>(values[i], row)));
        break;
      case ColumnKind::real32:
        parquet_->put(i, static_cast<float>(column_value<double>(values[i], row)));
        break;
      case ColumnKind::real:
        parquet_->put(i, column_value<double>(values[i], row));
    }
  }
  parquet_->end_row();
}

void ColumnTable::commit() {
  if (parquet_) parquet_->finish();
  file_.commit();
}

}  // namespace apsp::io
