#include "io/column_table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <concepts>
#include <functional>

#include "base/fail.hpp"
#include "base/json.hpp"
#include "io/formats.hpp"
#include "io/number.hpp"

namespace apsp::io {
namespace {

bool names_parquet(const std::string& path) { return path.ends_with(".parquet"); }

bool is_plain(std::string_view name) {
  return !name.empty() && name.find_first_of(",\"\r\n") == name.npos && name.front() != '#' &&
         name.front() != '%' && name.front() != ' ' && name.back() != ' ';
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

template <class Value>
std::string json_text_of(const Value& value) {
  return base::json_text(nlohmann::json(value));  // null for infinity
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

bool names_column_table(const std::string& path) {
  return path.ends_with(".csv") || path.ends_with(".csv.gz") || path.ends_with(".csv.zst") ||
         names_parquet(path);
}

bool names_geojson(const std::string& path) { return path.ends_with(".geojson"); }

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
      is_geojson_(names_geojson(path)),
      integer_names_((names_parquet(path) || is_geojson_) && further.empty() &&
                     has_integer_names(graph)),
      columns_(std::move(columns)),
      file_(path, compression_of_suffix(path), control),
      directed_(directed) {
  require_distinct_titles(columns_, path);
  if (names_parquet(path) || is_geojson_) require_utf8_names(graph, path);
  if (is_geojson_) {
    file_.put("{\"type\": \"FeatureCollection\", \"features\": [");
    return;
  }
  if (names_parquet(path)) {
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

template <class Take>
void ColumnTable::with_column(std::size_t i, const ColumnValues& values, const Take& take) const {
  const auto each = [&]<class T>(const Stepped<T>& cells, const auto& value_of) {
    take([=](std::int64_t row) -> decltype(auto) {
      return value_of(cells.first[row * cells.step]);
    });
  };
  switch (columns_[i].kind) {
    case ColumnKind::vertex: {
      const auto& vertices = std::get<Stepped<Vertex>>(values);
      const std::span<const std::string> labels = graph_.labels();
      if (!further_.empty()) {
        return each(vertices, [this](Vertex v) {
          const auto n = static_cast<Vertex>(graph_.vertex_count());
          return v < n ? graph_.name(states_.vertex_of(v)) : further_[v - n];
        });
      }
      if (labels.empty()) {
        return each(vertices,
                    [first = std::int64_t{graph_.first_id()}](Vertex v) { return first + v; });
      }
      const auto label = [this, labels](Vertex v) -> const std::string& {
        return labels[states_.vertex_of(v)];
      };
      if (!integer_names_) return each(vertices, label);
      return each(vertices, [label](Vertex v) { return *integer_of(label(v)); });
    }
    case ColumnKind::whole:
      return each(std::get<Stepped<std::int64_t>>(values), std::identity());
    case ColumnKind::text:
      return each(std::get<Stepped<std::string>>(values), std::identity());
    case ColumnKind::real32:
      return each(std::get<Stepped<double>>(values),
                  [](double value) { return static_cast<float>(value); });
    case ColumnKind::geometry:
      return each(std::get<Stepped<Geometry>>(values), parquet_      ? wkb_of
                                                       : is_geojson_ ? geojson_of
                                                                     : wkt_of);
    case ColumnKind::real:
      return each(std::get<Stepped<double>>(values), std::identity());
  }
}

void ColumnTable::put_feature(std::int64_t row, std::span<const ColumnValues> values) {
  std::string geometry, properties;
  for (std::size_t i = 0; i < values.size(); ++i) {
    with_column(i, values[i], [&](const auto& value_of) {
      if constexpr (std::is_convertible_v<decltype(value_of(row)), std::string>) {
        if (columns_[i].kind == ColumnKind::geometry) {
          geometry = value_of(row);
          return;
        }
      }
      properties += properties.empty() ? "" : ", ";
      properties += json_text_of(columns_[i].title) + ": " + json_text_of(value_of(row));
    });
  }
  file_.put(std::string_view(first_ ? "\n" : ",\n"),
            "{\"type\": \"Feature\", \"geometry\": ", geometry, ", \"properties\": {", properties,
            "}}");
  first_ = false;
}

void ColumnTable::put(std::int64_t rows, std::span<const ColumnValues> values) {
  for (std::int64_t row = 0; row < rows && is_geojson_; ++row) {
    put_feature(row, values);
    file_.end_rows();
  }
  for (std::int64_t row = 0; row < rows && !parquet_ && !is_geojson_; ++row) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i > 0) file_.put(',');
      with_column(i, values[i], [&](const auto& value_of) { put_value(file_, value_of(row)); });
    }
    file_.put('\n');
    file_.end_rows();
  }
  for (std::int64_t first = 0, last = 0; first < rows && parquet_; first = last) {
    last = std::min(rows, first + parquet_->room());
    for (std::size_t i = 0; i < values.size(); ++i) {
      with_column(i, values[i],
                  [&](const auto& value_of) { parquet_->put(i, first, last, value_of); });
    }
    parquet_->end_rows(last - first);
    file_.end_rows(last - first);
  }
}

void ColumnTable::commit() {
  if (parquet_) parquet_->finish(directed_);
  if (is_geojson_) file_.put("\n]}\n");
  file_.commit();
}

}  // namespace apsp::io
