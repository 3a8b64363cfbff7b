#include "io/street_lines.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace apsp::io {
namespace {

/// The points of "LINESTRING (24.9 60.1, 24.91 60.2)"; nothing for another text. A third number of
/// a point is ignored.
std::optional<std::vector<MapPoint>> line_of_wkt(std::string_view text) {
  const std::size_t open = text.find('('), close = text.rfind(')');
  constexpr std::string_view kWord = "LINESTRING";
  const bool named = text.size() > kWord.size() &&
                     std::ranges::equal(text.substr(0, kWord.size()), kWord, {},
                                        [](char c) { return static_cast<char>(c & ~0x20); });
  if (!named || open == std::string_view::npos || close == std::string_view::npos) {
    return std::nullopt;
  }
  std::vector<MapPoint> line;
  const char* at = text.data() + open + 1;
  const char* const end = text.data() + close;
  while (at < end) {
    const char* const stop = std::find(at, end, ',');
    double values[2];
    for (double& value : values) {
      while (at < stop && *at == ' ') ++at;
      const auto [next, failure] = std::from_chars(at, stop, value);
      if (failure != std::errc() || !std::isfinite(value)) return std::nullopt;
      at = next;
    }
    line.emplace_back(values[0], values[1]);
    at = stop + (stop < end ? 1 : 0);
  }
  return line.size() < 2 ? std::nullopt : std::optional(std::move(line));
}

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
