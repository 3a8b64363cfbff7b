// What is drawn on the map: eccentricity, closeness, and the longest shortest path.
//
// Lines of a drawing have the colours of their ends' values. Those of one class of colour are one
// path of the picture, whose colours come from the page's style, so that they change with it.
#include <fmt/format.h>
#include <algorithm>
#include <apsp/error.hpp>
#include <array>
#include <vector>

#include "base/refusal.hpp"
#include "base/units.hpp"
#include "paths/paths.hpp"
#include "report/colour.hpp"
#include "report/drawing.hpp"
#include "report/map_places.hpp"
#include "report/markup.hpp"
#include "report/sections.hpp"

namespace apsp::report {
namespace {

constexpr std::size_t kMostPoints = 2000;  // vertices that are drawn themselves
constexpr std::size_t kMostNames = 40;     // vertices that are named in the picture

std::string opening(const Drawing& drawing, std::string_view what) {
  return fmt::format("<svg class=\"map{}\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n",
                     crowded(drawing) ? " crowded" : "", drawing.width, drawing.height,
                     escaped(what));
}

std::string label(const Graph& graph, const Drawing& drawing, Vertex v) {
  const Point at = drawing.points[v];
  const bool leftwards = at.x > drawing.width / 2;
  return fmt::format("<text x=\"{}\" y=\"{}\"{}>{}</text>\n", at.x + (leftwards ? -20 : 20),
                     at.y < kPictureUnits / 16 ? at.y + 70 : at.y - 12,
                     leftwards ? " text-anchor=\"end\"" : "", shown_name(graph, v));
}

std::string class_name(int value_class) {
  return value_class < 0 ? "none" : fmt::format("{}", value_class);
}

std::string lines_of(const Drawing& drawing, std::span<const double> values, const Scale& scale) {
  std::array<std::vector<Line>, kClasses + 1> classes;  // the first of lines without a value
  for (const Line& line : drawing.lines) {
    const double middle = (values[line.u] + values[line.v]) / 2;
    const int place = scale.class_of(middle) + 1;
    classes[static_cast<std::size_t>(place)].push_back(line);
  }
  std::string text;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    if (classes[i].empty()) continue;
    text += fmt::format("<path class=\"q{}\" d=\"{}\"/>\n", class_name(static_cast<int>(i) - 1),
                        path_text(classes[i]));
  }
  return text;
}

std::string points_of(const Graph& graph, const Drawing& drawing, std::span<const double> values,
                      const Scale& scale) {
  const std::size_t n = drawing.points.size();
  if (n > kMostPoints) return {};
  const int radius = n <= kMostNames ? 16 : n <= 300 ? 10 : 6;
  std::string text;
  for (Vertex v = 0; v < n; ++v) {
    if (!drawing.placed[v]) continue;
    text += fmt::format(
        "<circle class=\"f{}\" cx=\"{}\" cy=\"{}\" r=\"{}\"><title>{}: {}</title></circle>\n",
        class_name(scale.class_of(values[v])), drawing.points[v].x, drawing.points[v].y, radius,
        shown_name(graph, v), base::format_value(values[v]));
  }
  for (Vertex v = 0; n <= kMostNames && v < n; ++v) {
    if (drawing.placed[v]) text += label(graph, drawing, v);
  }
  return text;
}

/// values: [n]; lines have the mean of their ends. Up to some thousand vertices are drawn
/// themselves, with name and value to be pointed at, and a few dozen with their names. `what`: the
/// value, for those who cannot see the picture. `lines_id`: names the lines; empty: none.
std::string coloured_map(const Graph& graph, const Drawing& drawing, std::span<const double> values,
                         std::string_view what, std::string_view lines_id = {}) {
  std::vector<double> drawn;
  for (Vertex v = 0; v < values.size(); ++v) {
    if (drawing.placed[v]) drawn.push_back(values[v]);
  }
  const Scale scale(drawn, kClasses);
  const std::string mark = lines_id.empty() ? "" : fmt::format(" id=\"{}\"", lines_id);
  return opening(drawing, what) + "<g" + mark + ">\n" + lines_of(drawing, values, scale) +
         "</g>\n" + points_of(graph, drawing, values, scale) + "</svg>\n" + legend(scale, what);
}

/// The drawing in one pale colour, and over it a path with its ends named. `lines_id`: of the
/// page's lines of this drawing; empty: they are drawn again. Requires: the path is not empty.
std::string path_map(const Graph& graph, const Drawing& drawing, std::span<const Vertex> path,
                     std::string_view what, std::string_view lines_id = {}) {
  std::vector<Line> way;
  for (std::size_t i = 1; i < path.size(); ++i) {
    const Vertex u = path[i - 1], v = path[i];
    const bool drawn = drawing.placed[u] && drawing.placed[v];
    if (drawn && drawing.points[u] != drawing.points[v]) {
      way.push_back({drawing.points[u], drawing.points[v], u, v});
    }
  }
  std::string text = opening(drawing, what);
  if (!lines_id.empty()) {
    text += fmt::format("<use class=\"pale\" href=\"#{}\"/>\n", lines_id);
  } else if (!drawing.lines.empty()) {
    text += fmt::format("<path class=\"pale\" d=\"{}\"/>\n", path_text(drawing.lines));
  }
  if (!way.empty()) text += fmt::format("<path class=\"way\" d=\"{}\"/>\n", path_text(way));
  for (const Vertex end : {path.front(), path.back()}) {
    if (!drawing.placed[end]) continue;
    text += fmt::format("<circle class=\"end\" cx=\"{}\" cy=\"{}\" r=\"18\"/>\n",
                        drawing.points[end].x, drawing.points[end].y);
    text += label(graph, drawing, end);
  }
  return text + "</svg>\n";
}

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
    subject.without(
        "Maps: there are no coordinates, and places made from distances take those of shortest "
        "paths between all vertices.");
    return std::nullopt;
  }
  return map_places(subject.result, subject.options.coordinates, subject.options.control);
}

std::string hop_row(const Graph& graph, std::size_t number, const paths::Hop& hop) {
  return fmt::format(
      "<tr><td class=\"n\">{}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>\n",
      base::format_count(static_cast<std::int64_t>(number)), shown_name(graph, hop.to),
      base::format_value(hop.weight), base::format_value(hop.so_far));
}

/// The first and the last hops of a long path, all of a short one.
std::string hop_table(const Graph& graph, const std::vector<paths::Hop>& hops, Vertex from) {
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
    return subject.without(
        "Maps of eccentricity and closeness: they take the distances of shortest paths to, or "
        "from, "
        "all vertices.");
  }
  return section("Map", text + "<p class=\"note\">" + escaped(places->remark) + "</p>\n");
}

std::string longest_path(Subject& subject, const Places* places) {
  const std::optional<VertexPair>& pair = subject.statistics.diameter_pair;
  if (!pair) {
    return subject.without(
        "The longest shortest path: there is none, or statistics do not name its ends.");
  }
  if (!subject.holds_distances() || !subject.result.targets().empty()) {
    return subject.without(
        "The longest shortest path: it takes a row of distances to all vertices, and the result "
        "holds none.");
  }
  const Result& result = subject.result;
  std::vector<Vertex> path;
  try {
    path = result.path(pair->from, pair->to);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;
    return subject.without(std::string("The longest shortest path: ") + error.what());
  }
  const auto hops = paths::hops(result.graph(), result.semiring(), result.value_type(), path);
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
  refuse_if(
      !report::has_places_by_distance(result),
      "places made from distances need shortest paths between all vertices: give coordinates");
  return report::distance_layout(result, control);
}

}  // namespace apsp
