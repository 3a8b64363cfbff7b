#include "io/points.hpp"

#include <algorithm>
#include <cmath>

#include "base/fail.hpp"
#include "base/json.hpp"
#include "base/units.hpp"
#include "io/formats.hpp"
#include "io/text_table.hpp"

namespace apsp::io {
namespace {

struct PointColumns : PlaceColumns {
  std::optional<std::size_t> name;
};

/// `end`: "from", "to", or "" for points that are no pairs.
std::optional<PointColumns> columns_of(const std::vector<std::string>& titles,
                                       const std::string& end) {
  const auto place = find_place_titles(titles, end);
  if (!place) return std::nullopt;
  auto name = find_title(titles, {"name"}, end);
  if (!name) name = find_title(titles, {"id"}, end);
  if (!name && !end.empty()) name = find_title(titles, {""}, end);
  return PointColumns{*place, name};
}

class PointRows {
 public:
  PointRows(const TextCursor& cursor, PointColumns columns) : cursor_(cursor), at_(columns) {
    points_.at.degrees = columns.degrees;
  }
  void take(const TableFields& fields) {
    points_.at.x.push_back(field_number(cursor_, fields[at_.x]));
    points_.at.y.push_back(field_number(cursor_, fields[at_.y]));
    if (points_.at.degrees)
      require_degrees(cursor_, fields[at_.x], points_.at.x.back(), points_.at.y.back());
    points_.names.push_back(at_.name ? std::string(fields[*at_.name].text)
                                     : std::to_string(points_.names.size() + 1));
  }
  bool uses(std::size_t column) const {
    return column == at_.x || column == at_.y || column == at_.name;
  }
  PointTable& points() { return points_; }

 private:
  const TextCursor& cursor_;
  PointColumns at_;
  PointTable points_;
};

/// Makes a column of numbers if all texts are numbers as they would be written again.
void settle(PointColumn& column) {
  std::vector<double> numbers;
  for (const std::string& text : column.texts) {
    if (!is_number_text(text) || (text.size() > 1 && text[0] == '0' && is_digit(text[1]))) return;
    numbers.push_back(std::strtod(text.c_str(), nullptr));
  }
  column.numbers = std::move(numbers);
  column.texts.clear();
}

/// The points of each end.
std::vector<PointTable> rows_of(TextCursor& cursor, const std::vector<std::string>& ends,
                                bool always) {
  std::vector<PointRows> rows;
  std::vector<PointColumn> columns;
  std::vector<std::size_t> places;
  std::size_t width = 0;
  struct NoPoints {};
  const auto titled = [&](const TableFields& first, const TableFields&) {
    const std::vector<std::string> titles = texts_of(first);
    width = titles.size();
    for (const std::string& end : ends) {
      const auto found = columns_of(titles, end);
      const bool has_vertices =
          find_title(titles, {"vertex", "node", "vertexid", "nodeid"}).has_value();
      if (!found || (!always && has_vertices)) throw NoPoints();
      rows.emplace_back(cursor, *found);
    }
    for (std::size_t i = 0; i < width; ++i) {
      if (std::ranges::any_of(rows, [i](const PointRows& of) { return of.uses(i); })) continue;
      places.push_back(i);
      columns.push_back({titles[i], {}, {}});
    }
    return true;
  };
  const auto take = [&](const TableFields& fields) {
    for (PointRows& of : rows) of.take(fields);
    for (std::size_t i = 0; i < places.size(); ++i) {
      columns[i].texts.emplace_back(fields[places[i]].text);
    }
  };
  try {
    read_list(cursor, nullptr, titled, take);
  } catch (const NoPoints&) {
    return {};
  }
  if (rows.empty() || rows.front().points().names.empty()) cursor.fail_at_end("there is no point");
  std::ranges::for_each(columns, settle);
  rows.front().points().columns = std::move(columns);
  std::vector<PointTable> all;
  all.reserve(rows.size());
  for (PointRows& of : rows) all.push_back(std::move(of.points()));
  return all;
}

PointTable points_of_geojson(const TextCursor& cursor) {
  const std::string& file = cursor.source().name;
  PointTable points;
  points.at.degrees = true;
  const nlohmann::json none = nlohmann::json::array(), features = features_of(cursor, "points");
  const auto count = features.size();
  for (std::size_t i = 0; i < count; ++i) {
    const nlohmann::json& feature = features[i];
    const nlohmann::json* const geometry =
        feature.is_object() && feature.contains("geometry") ? &feature["geometry"] : &none;
    const bool is_point =
        geometry->is_object() && geometry->value("type", "") == "Point" &&
        geometry->contains("coordinates") && (*geometry)["coordinates"].size() >= 2 &&
        (*geometry)["coordinates"][0].is_number() && (*geometry)["coordinates"][1].is_number();
    if (!is_point) base::fail_input(file, "feature {} is no point", i + 1);
    points.at.x.push_back((*geometry)["coordinates"][0].get<double>());
    points.at.y.push_back((*geometry)["coordinates"][1].get<double>());
    points.names.push_back(std::to_string(i + 1));
    if (!feature.contains("properties") || !feature["properties"].is_object()) continue;
    for (const auto& [title, value] : feature["properties"].items()) {
      if (title == "name" || (title == "id" && !feature["properties"].contains("name"))) {
        points.names.back() = text_of_value(value);
        continue;
      }
      auto column = std::ranges::find(points.columns, title, &PointColumn::title);
      if (column == points.columns.end()) {
        points.columns.push_back({title, std::vector<std::string>(count), {}});
        column = points.columns.end() - 1;
      }
      column->texts[i] = text_of_value(value);
    }
  }
  if (count == 0) base::fail_input(file, "there is no point");
  std::ranges::for_each(points.columns, settle);
  return points;
}

/// The points of each end, or nothing.
std::vector<PointTable> read(const std::string& path, const std::vector<std::string>& ends,
                             bool always, const ListReading& reading) {
  return of_text(hold_input(path, {}), path, reading, [&](TextCursor& cursor) {
    return ends.size() == 1 && is_json(cursor) ? std::vector{points_of_geojson(cursor)}
                                               : rows_of(cursor, ends, always);
  });
}

}  // namespace

bool is_json(const TextCursor& cursor) {
  return first_word(text_of(cursor.source())).starts_with('{');
}

nlohmann::json features_of(const TextCursor& cursor, std::string_view geometry) {
  nlohmann::json document = base::parsed_json(text_of(cursor.source()));
  if (!document.is_object() || !document["features"].is_array()) {
    base::fail_input(cursor.source().name, "no features of GeoJSON, which have {} as geometry",
                     geometry);
  }
  return std::move(document["features"]);
}

std::string text_of_value(const nlohmann::json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.is_null() ? std::string() : value.dump();
}

std::optional<PointTable> read_point_table(const std::string& path, bool always,
                                           const ListReading& reading) {
  std::vector<PointTable> found = read(path, {""}, always, reading);
  if (!found.empty()) return std::move(found.front());
  if (always) {
    base::fail_input(display_name(path),
                     "no columns of points: their titles are lon and lat, or x and y");
  }
  return std::nullopt;
}

std::optional<std::pair<PointTable, PointTable>> read_point_pairs(const std::string& path,
                                                                  const ListReading& reading) {
  std::vector<PointTable> found = read(path, {"from", "to"}, true, reading);
  if (found.empty()) return std::nullopt;
  return std::pair(std::move(found[0]), std::move(found[1]));
}

}  // namespace apsp::io

namespace apsp {

std::optional<PointTable> read_points(const std::string& path, bool always,
                                      const Control& control) {
  return io::read_point_table(path, always, {.control = control});
}

}  // namespace apsp
