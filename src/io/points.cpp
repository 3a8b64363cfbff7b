#include "io/points.hpp"

#include <algorithm>
#include <cmath>

#include "base/fail.hpp"
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

/// The points of each end, or nothing.
std::vector<PointTable> read(const std::string& path, const std::vector<std::string>& ends,
                             bool always, const ListReading& reading) {
  return of_text(hold_input(path, {}), path, reading, [&](TextCursor& cursor) {
    std::vector<PointTable> points(ends.size());
    std::vector<PointColumns> at;      // [ends]
    std::vector<std::size_t> further;  // columns, which belong to the first end
    struct NoPoints {};
    const auto titled = [&](const TableFields& first, const TableFields&) {
      const std::vector<std::string> titles = texts_of(first);
      for (const std::string& end : ends) {
        if (const auto found = columns_of(titles, end)) at.push_back(*found);
      }
      const auto vertices = find_title(titles, {"vertex", "node", "vertexid", "nodeid"});
      if (at.size() < ends.size() || (!always && vertices)) throw NoPoints();
      for (std::size_t i = 0; i < titles.size(); ++i) {
        const auto uses = [i](const PointColumns& of) {
          return i == of.x || i == of.y || i == of.name;
        };
        if (std::ranges::any_of(at, uses)) continue;
        further.push_back(i);
        points[0].columns.push_back({titles[i], {}, {}});
      }
      return true;
    };
    const auto take = [&](const TableFields& fields) {
      for (std::size_t e = 0; e < at.size(); ++e) {
        const double x = field_number(cursor, fields[at[e].x]);
        const double y = field_number(cursor, fields[at[e].y]);
        if (at[e].degrees) require_degrees(cursor, fields[at[e].x], x, y);
        PointTable& of = points[e];
        of.at.degrees = at[e].degrees;
        of.at.x.push_back(x);
        of.at.y.push_back(y);
        if (at[e].name) require_exact_id(cursor, fields[*at[e].name].at, fields[*at[e].name].text);
        of.names.push_back(at[e].name ? std::string(fields[*at[e].name].text)
                                      : std::to_string(of.names.size() + 1));
      }
      for (std::size_t i = 0; i < further.size(); ++i)
        points[0].columns[i].texts.emplace_back(fields[further[i]].text);
    };
    try {
      read_list(cursor, nullptr, titled, take);
    } catch (const NoPoints&) {
      return std::vector<PointTable>();
    }
    if (points[0].names.empty()) cursor.fail_at_end("there is no point");
    std::ranges::for_each(points[0].columns, settle);
    return points;
  });
}

}  // namespace

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
