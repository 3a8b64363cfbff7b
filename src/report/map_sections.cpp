// What is drawn on the map: eccentricity, closeness, and the longest shortest path.
#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>

#include "base/numbers.hpp"
#include "base/units.hpp"
#include "query/hops.hpp"
#include "report/distance_layout.hpp"
#include "report/map.hpp"
#include "report/map_frame.hpp"
#include "report/markup.hpp"
#include "report/sections.hpp"

namespace apsp::report {
namespace {

/// Whether rows of shortest paths tell the distances to all vertices, from any of them.
bool has_places_by_distance(const Result& result) {
  return result.semiring() == Semiring::min_plus && result.kept() != Keep::statistics &&
         result.sources().empty() && result.targets().empty();
}

std::optional<Coordinates> coordinates_of(Subject& subject, std::string& remark) {
  if (subject.options.coordinates) {
    remark = "Vertices lie where their coordinates say.";
  } else if (has_places_by_distance(subject.result)) {
    remark =
        "There are no coordinates: vertices that are near each other by their distances lie near "
        "each other (classical scaling to pivots).";
  } else {
    subject.left_out.emplace_back(
        "Maps: there are no coordinates, and places made from distances take those of shortest "
        "paths between all vertices.");
    return std::nullopt;
  }
  return map_places(subject.result, subject.options.coordinates, subject.options.control);
}

std::string figure(const std::string& picture, std::string_view caption) {
  return fmt::format("<figure>\n{}<figcaption>{}</figcaption></figure>\n", picture,
                     escaped(caption));
}

std::string hop_row(const Graph& graph, std::size_t number, const query::Hop& hop) {
  return fmt::format(
      "<tr><td class=\"n\">{}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>\n",
      base::format_count(static_cast<std::int64_t>(number)), shown_name(graph, hop.to),
      base::format_value(hop.weight), base::format_value(hop.so_far));
}

/// The first and the last hops of a long path, all of a short one.
std::string hop_table(const Graph& graph, const std::vector<query::Hop>& hops, Vertex from) {
  constexpr std::size_t kMostRows = 24;
  std::string rows = fmt::format(
      "<tr><td class=\"n\">0</td><td>{}</td><td class=\"n\"></td><td class=\"n\"></td></tr>\n",
      shown_name(graph, from));
  const bool all = hops.size() <= kMostRows;
  for (std::size_t i = 0; i < hops.size(); ++i) {
    if (all || i < kMostRows / 2 || i + kMostRows / 2 >= hops.size()) {
      rows += hop_row(graph, i + 1, hops[i]);
    } else if (i == kMostRows / 2) {
      rows +=
          "<tr><td class=\"n\">…</td><td>…</td><td class=\"n\">…</td><td class=\"n\">…</td></tr>\n";
    }
  }
  return "<div class=\"wide\"><table id=\"path\"><thead><tr><th class=\"n\">hop</th><th>vertex</th>"
         "<th class=\"n\">edge</th><th class=\"n\">so far</th></tr></thead><tbody>\n" +
         rows + "</tbody></table></div>\n";
}

/// All vertices of a long path, to be unfolded.
std::string vertex_list(const Graph& graph, const std::vector<Vertex>& path) {
  constexpr std::size_t kShort = 26, kMost = 5000;
  if (path.size() <= kShort || path.size() > kMost) return {};
  std::string names;
  for (const Vertex v : path) names += (names.empty() ? "" : " → ") + shown_name(graph, v);
  return fmt::format("<details><summary>All {} vertices of the path</summary><p>{}</p></details>\n",
                     base::format_count(std::ssize(path)), names);
}

}  // namespace

std::optional<Places> places_of(Subject& subject) {
  Places places;
  const auto coordinates = coordinates_of(subject, places.remark);
  if (!coordinates || subject.graph().vertex_count() == 0) return std::nullopt;
  places.drawing = drawing_of(subject.graph(), *coordinates);
  const Drawing& drawing = places.drawing;
  const auto drawn = std::count(drawing.placed.begin(), drawing.placed.end(), true);
  if (drawn < subject.graph().vertex_count()) {
    places.remark +=
        fmt::format(" Drawn is the largest component, {} vertices.", base::format_count(drawn));
  }
  if (drawing.every > 1) {
    places.remark += fmt::format(" One of {} edges is drawn.", base::format_count(drawing.every));
  }
  return places;
}

std::string maps(Subject& subject, Places* places) {
  if (places == nullptr) return {};
  const Statistics& s = subject.statistics;
  std::string text;
  if (!s.eccentricity.empty()) {
    places->lines_id = "lines";
    text += figure(coloured_map(subject.graph(), places->drawing, s.eccentricity, "Eccentricity",
                                places->lines_id),
                   "Eccentricity: how far the furthest vertex is that can be reached.");
  }
  if (!s.closeness.empty()) {
    text += figure(coloured_map(subject.graph(), places->drawing, s.closeness, "Closeness"),
                   "Closeness: large where the other vertices are near.");
  }
  if (text.empty()) {
    subject.left_out.emplace_back(
        "Maps of eccentricity and closeness: they take the distances of shortest paths to, or "
        "from, "
        "all vertices.");
    return {};
  }
  return section("Map", text + "<p class=\"note\">" + escaped(places->remark) + "</p>\n");
}

std::string longest_path(Subject& subject, const Places* places) {
  const std::optional<VertexPair>& pair = subject.statistics.diameter_pair;
  if (!pair) {
    subject.left_out.emplace_back(
        "The longest shortest path: there is none, or statistics do not name its ends.");
    return {};
  }
  if (!subject.holds_distances() || !subject.result.targets().empty()) {
    subject.left_out.emplace_back(
        "The longest shortest path: it takes a row of distances to all vertices, and the result "
        "holds none.");
    return {};
  }
  const Result& result = subject.result;
  std::vector<Vertex> path;
  try {
    path = result.path(pair->from, pair->to);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;
    subject.left_out.push_back(std::string("The longest shortest path: ") + error.what());
    return {};
  }
  const auto hops = query::hops(result.graph(), result.semiring(), result.value_type(), path);
  const std::string ends =
      fmt::format("{} → {}", result.graph().name(pair->from), result.graph().name(pair->to));
  std::string text = fmt::format("<p>{}: {}, {}.</p>\n", escaped(ends),
                                 number(result.distance(pair->from, pair->to), "longest"),
                                 base::counted(std::ssize(hops), "edge", "edges"));
  if (places != nullptr && places->drawing.placed[pair->from]) {
    text += figure(
        path_map(result.graph(), places->drawing, path, "the path " + ends, places->lines_id),
        "On the map above, with both ends named.");
  }
  return section("Longest shortest path", text + hop_table(result.graph(), hops, pair->from) +
                                              vertex_list(result.graph(), path));
}

}  // namespace apsp::report

namespace apsp {

Coordinates map_places(const Result& result, const std::optional<Coordinates>& coordinates,
                       const Control& control) {
  if (coordinates) {
    report::require_places(result.graph(), *coordinates);
    return report::framed(result.graph(), *coordinates);
  }
  if (!report::has_places_by_distance(result)) {
    throw Error(ErrorKind::usage,
                "places made from distances take shortest paths between all vertices: give "
                "coordinates");
  }
  return report::distance_layout(result, control);
}

}  // namespace apsp
