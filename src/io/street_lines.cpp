#include "io/street_lines.hpp"

#include <optional>

namespace apsp::io {
namespace {

StreetLines lines_of_table(TextCursor& cursor, const Graph& graph) {
  StreetLines lines;
  std::size_t from = 0, to = 0, geometry = 0;
  const auto titled = [&](const TableFields& first, const TableFields&) {
    const std::vector<std::string> titles = texts_of(first);
    const auto line = find_title(titles, {"geometry", "wkt", "geom"});
    const auto ends = has_end_titles(titles) ? find_end_titles(titles) : std::nullopt;
    if (!line || !ends) {
      cursor.fail(first.front().at,
                  "no lines of streets: the titles are {}, and u,v,geometry are needed",
                  listed(titles));
    }
    from = ends->first;
    to = ends->second;
    geometry = *line;
    return true;
  };
  const auto take = [&](const TableFields& fields) {
    if (is_missing_value(fields[geometry].text)) return;
    auto line = line_of_wkt(fields[geometry].text);
    if (!line) cursor.fail(fields[geometry].at, "a line is LINESTRING (x y, x y, …)");
    for (const auto& [x, y] : *line) require_degrees(cursor, fields[geometry], x, y);
    const Vertex u = field_vertex(cursor, fields[from], graph);
    const Vertex v = field_vertex(cursor, fields[to], graph);
    if (has_arc(graph, u, v)) lines.add(u, v, std::move(*line));
  };
  read_list(cursor, &graph, titled, take);
  return lines;
}

}  // namespace

std::vector<MapPoint> StreetLines::between(Vertex from, Vertex to) const {
  if (const auto found = lines_.find({from, to}); found != lines_.end()) return found->second;
  const auto back = lines_.find({to, from});
  if (back == lines_.end()) return {};
  return {back->second.rbegin(), back->second.rend()};
}

StreetLines read_street_lines(const std::string& path, const Graph& graph,
                              const ListReading& reading) {
  return of_text(hold_input(path, {}), path, reading,
                 [&](TextCursor& cursor) { return lines_of_table(cursor, graph); });
}

}  // namespace apsp::io
