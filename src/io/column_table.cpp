#include "io/column_table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <concepts>

#include "base/fail.hpp"
#include "io/formats.hpp"
#include "io/number.hpp"

namespace apsp::io {
namespace {

bool is_plain(std::string_view name) {
  return !name.empty() && name.find_first_of(",\"\r\n") == name.npos && name.front() != '#' &&
         name.front() != '%' && name.front() != ' ' && name.back() != ' ';
}

template <class T>
const T& column_value(const ColumnValues& values, std::int64_t row) {
  const auto& column = std::get<Stepped<T>>(values);
  return column.first[row * column.step];
}

void put_value(OutputFile& file, std::int64_t value) { file.put(value); }

void put_value(OutputFile& file, std::string_view text) {
  is_plain(text) ? file.put(text) : file.put(quoted_field(text));
}

template <std::floating_point Real>
void put_value(OutputFile& file, Real value) {
  if (!std::isfinite(value)) {
    file.put(std::string_view(std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf"));
  } else if constexpr (std::is_same_v<Real, double>) {
    file.put(value);
  } else {
    char text[32];
    const auto end = std::to_chars(text, text + sizeof(text), value).ptr;
    file.put(std::string_view(text, static_cast<std::size_t>(end - text)));
  }
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

std::string quoted_field(std::string_view name) {
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
                         const Graph& graph, const Control& control, bool directed,
                         std::span<const std::string> further)
    : graph_(graph),
      states_(graph),
      further_(further),
      integer_names_(names_parquet(path) && further.empty() && has_integer_names(graph)),
      columns_(std::move(columns)),
      file_(path, compression_of_suffix(path), control),
      directed_(directed) {
  require_distinct_titles(columns_, path);
  if (names_parquet(path)) {
    require_utf8_names(graph, path);
    std::vector<TableColumn> stored = columns_;
    for (auto& [title, kind] : stored) {
      if (kind == ColumnKind::vertex) kind = integer_names_ ? ColumnKind::whole : ColumnKind::text;
    }
    parquet_.emplace(file_, std::move(stored));
    return;
  }
  if (directed_) file_.put(kDirectedLine);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (i > 0) file_.put(',');
    file_.put(csv_field(columns_[i].title));
  }
  file_.put('\n');
}

template <class Put>
void ColumnTable::with_value(std::size_t i, const ColumnValues& values, std::int64_t row,
                             const Put& put) const {
  switch (columns_[i].kind) {
    case ColumnKind::vertex: {
      const Vertex v = column_value<Vertex>(values, row);
      if (!further_.empty()) {
        const auto n = static_cast<Vertex>(graph_.vertex_count());
        if (v >= n) return put(std::string_view(further_[v - n]));
        const std::string name = graph_.name(states_.vertex_of(v));
        return put(std::string_view(name));
      }
      if (graph_.labels().empty()) return put(std::int64_t{graph_.first_id()} + v);
      const std::string& label = graph_.labels()[states_.vertex_of(v)];
      return integer_names_ ? put(*integer_of(label)) : put(std::string_view(label));
    }
    case ColumnKind::whole:
      return put(column_value<std::int64_t>(values, row));
    case ColumnKind::text:
      return put(std::string_view(column_value<std::string>(values, row)));
    case ColumnKind::real32:
      return put(static_cast<float>(column_value<double>(values, row)));
    case ColumnKind::real:
      return put(column_value<double>(values, row));
  }
}

void ColumnTable::put(std::int64_t rows, std::span<const ColumnValues> values) {
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (parquet_) {
        with_value(i, values[i], row, [&](auto value) { parquet_->put(i, value); });
      } else {
        if (i > 0) file_.put(',');
        with_value(i, values[i], row, [&](auto value) { put_value(file_, value); });
      }
    }
    parquet_ ? parquet_->end_row() : file_.put('\n');
    file_.end_row();
  }
}

void ColumnTable::commit() {
  if (parquet_) parquet_->finish(directed_);
  file_.commit();
}

}  // namespace apsp::io
