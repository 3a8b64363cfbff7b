// The page: its sections as markup, each empty if there is nothing to show.
#include <fmt/format.h>
#include <algorithm>
#include <apsp/error.hpp>
#include <apsp/report.hpp>
#include <apsp/solve.hpp>
#include <apsp/statistics.hpp>
#include <array>
#include <cctype>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/refusal.hpp"
#include "base/units.hpp"
#include "graph/components.hpp"
#include "io/output_file.hpp"
#include "paths/paths.hpp"
#include "rates/machine_report.hpp"
#include "report/colour.hpp"
#include "report/drawing.hpp"
#include "report/map_places.hpp"
#include "report/markup.hpp"
#include "report/pictures.hpp"
#include "semiring/semiring_words.hpp"

namespace apsp {
namespace report {
namespace {

struct Subject {
  const Result& result;
  const Statistics& statistics;
  const ReportOptions& options;
  std::vector<std::string> left_out{};  ///< plain sentences: what the page lacks, and why

  const Graph& graph() const { return result.graph(); }
  bool holds_distances() const { return result.kept() != Keep::statistics; }
  /// Records the sentence for the end of the page. Returns an empty section.
  std::string without(std::string sentence) {
    left_out.push_back(std::move(sentence));
    return {};
  }
};

/// A title of distances, with their unit.
std::string with_unit(const Subject& subject, std::string_view title) {
  const std::string& unit = subject.options.unit;
  return unit.empty() ? std::string(title) : fmt::format("{} ({})", title, unit);
}
std::string measure_of(const Subject& subject) {
  return with_unit(subject, semiring::words_of(subject.result.semiring()).measure);
}
/// A distance as markup, with its unit.
std::string distance(const Subject& subject, double value, std::string_view id) {
  const std::string& unit = subject.options.unit;
  return number(value, id) + (unit.empty() ? "" : " " + escaped(unit));
}

/// Places of vertices in pictures, and their origin. Empty (and reported as missing) without
/// coordinates or distances.
struct Places {
  Drawing drawing;
  std::string remark;
  std::string lines_id;  ///< the id of its lines on the page; empty until they are written
};

/// `content` and `remark` are markup.
std::string tile(std::string_view title, std::string_view content, std::string_view remark = {}) {
  const std::string small = remark.empty() ? "" : fmt::format("<small>{}</small>", remark);
  return fmt::format("<div><dt>{}</dt><dd>{}{}</dd></div>\n", title, content, small);
}

std::string pair_remark(const Graph& graph, const std::optional<VertexPair>& pair) {
  if (!pair) return {};
  return fmt::format("{} → {}", shown_name(graph, pair->from), shown_name(graph, pair->to));
}

std::string component_tiles(const Subject& subject, const ComponentStatistics& component) {
  const char* const kind = subject.graph().directed() ? "strong components" : "components";
  std::string text =
      tile("Largest component", count(component.vertices, "component-vertices"),
           fmt::format("of {} vertices; {} {}", base::format_count(subject.statistics.vertices),
                       base::format_count(component.components), kind));
  if (component.mean)
    text += tile("Its mean", distance(subject, *component.mean, "component-mean"));
  if (component.diameter) {
    text += tile("Its diameter", distance(subject, *component.diameter, "component-diameter"),
                 pair_remark(subject.graph(), component.diameter_pair));
  }
  return text;
}

std::string extent_tiles(const Subject& subject) {
  const Statistics& s = subject.statistics;
  const std::string pair = pair_remark(subject.graph(), s.diameter_pair);
  std::string text;
  if (s.diameter) {
    text += tile("Diameter", distance(subject, *s.diameter, "diameter"), pair);
  } else if (s.diameter_at_least) {
    text += tile("Diameter at least", distance(subject, *s.diameter_at_least, "diameter-at-least"),
                 pair);
  } else if (s.greatest) {
    text += tile("Greatest", distance(subject, *s.greatest, "greatest"));
  }
  const std::string centre =
      s.radius_pair ? "centre " + shown_name(subject.graph(), s.radius_pair->from) : "";
  if (s.component) text += component_tiles(subject, *s.component);
  if (s.radius) {
    text +=
        tile(s.component ? "Its radius" : "Radius", distance(subject, *s.radius, "radius"), centre);
  } else if (s.radius_at_most) {
    text += tile("Radius at most", distance(subject, *s.radius_at_most, "radius-at-most"));
  }
  return text;
}

std::string weights_row(const Graph& graph) {
  const WeightFacts& facts = graph.weight_facts();
  if (graph.arc_count() == 0) return "none";
  if (facts.unit) return "all 1";
  const char* const kind = facts.integral ? "integers" : "real numbers";
  if (facts.least == facts.greatest) return fmt::format("{}, all {}", kind, number(facts.least));
  return fmt::format("{} from {} to {}", kind, number(facts.least), number(facts.greatest));
}

std::string degrees_row(const Graph& graph) {
  std::int64_t least = graph.arc_count(), greatest = 0;
  for (Vertex v = 0; v < graph.vertex_count(); ++v) {
    least = std::min(least, graph.out_degree(v));
    greatest = std::max(greatest, graph.out_degree(v));
  }
  const double mean =
      static_cast<double>(graph.arc_count()) / static_cast<double>(graph.vertex_count());
  return fmt::format("{} to {}, {:.3g} on average", base::format_count(least),
                     base::format_count(greatest), mean);
}

std::string components_row(const Graph& graph) {
  const Components components = weak_components(graph);
  const std::vector<std::int64_t> sizes = components.sizes();
  const std::string largest =
      base::counted(*std::max_element(sizes.begin(), sizes.end()), "vertex", "vertices");
  return fmt::format("{}{}", base::format_count(components.count),
                     components.count == 1 ? "" : ", the largest of " + largest);
}

std::string central_table(const Subject& subject, const std::vector<double>& values,
                          std::string_view title, std::string_view id) {
  const std::vector<Vertex> best = top(values, subject.options.top);
  if (best.empty()) return {};
  std::string rows;
  for (std::size_t i = 0; i < best.size(); ++i) {
    const Vertex v = best[i];
    rows += fmt::format(
        "<tr><td class=\"n\">{}</td><td>{}</td><td class=\"n\"><data value=\"{}\">{:.4g}</data>"
        "</td></tr>\n",
        i + 1, shown_name(subject.graph(), v), values[v], values[v]);
  }
  return fmt::format(
      "<div class=\"wide\"><table class=\"short\" id=\"{}\"><thead><tr><th class=\"n\">#</th><th>"
      "vertex</th><th class=\"n\">{}</th></tr></thead><tbody>\n{}</tbody></table></div>\n",
      id, title, rows);
}

std::string of_whom(const Statistics& statistics) {
  if (statistics.of_all()) return {};
  return fmt::format(", from {} to {}", base::counted(statistics.sources, "source", "sources"),
                     base::counted(statistics.targets, "target", "targets"));
}

std::string section(std::string_view title, const std::string& content) {
  if (content.empty()) return {};
  return fmt::format("<section>\n<h2>{}</h2>\n{}</section>\n", title, content);
}

std::string key_figures(const Subject& subject) {
  const Graph& graph = subject.graph();
  const Statistics& s = subject.statistics;
  std::string text = tile("Vertices", count(graph.vertex_count(), "vertices"));
  text += tile(graph.directed() ? "Arcs" : "Edges", count(graph.edge_count(), "edges"));
  text += tile("Pairs with a path", escaped(base::format_share(s.reachable_pairs, s.pairs)),
               fmt::format("{} of {}", count(s.reachable_pairs, "reachable-pairs"),
                           count(s.pairs, "pairs")));
  if (s.unreachable_pairs() > 0) {
    text +=
        tile("Pairs without a path", escaped(base::format_share(s.unreachable_pairs(), s.pairs)),
             count(s.unreachable_pairs(), "unreachable-pairs"));
  }
  text += extent_tiles(subject);
  if (s.mean) text += tile("Mean", distance(subject, *s.mean, "mean"));
  if (s.median) {
    const std::string error =
        s.median_error > 0 ? fmt::format("within {:.2g} %", 100 * s.median_error) : "";
    text += tile("Median", distance(subject, *s.median, "median"), error);
  }
  return "<dl class=\"figures\">\n" + text + "</dl>\n";
}

std::string graph_table(const Subject& subject) {
  const Graph& graph = subject.graph();
  const std::int64_t n = graph.vertex_count();
  std::string rows = row("vertices", base::format_count(n));
  rows += row(graph.directed() ? "arcs" : "edges", base::format_count(graph.edge_count()));
  const bool both_ways = graph.directed() && graph.symmetric() && graph.arc_count() > 0;
  rows += row("direction", !graph.directed() ? "undirected"
                           : both_ways       ? "directed, and every arc has its like the other way"
                                             : "directed");
  rows += row("weights", weights_row(graph));
  if (graph.loop_count() > 0) rows += row("self-loops", base::format_count(graph.loop_count()));
  if (n > 0) {
    rows += row(graph.directed() ? "out-degrees" : "degrees", degrees_row(graph));
    rows += row(graph.directed() ? "weak components" : "components", components_row(graph));
    rows += row("names", fmt::format("{} to {}", shown_name(graph, 0),
                                     shown_name(graph, static_cast<Vertex>(n - 1))));
  }
  rows += row("digest", graph.digest());
  return section("Graph", "<table class=\"short\">" + rows + "</table>\n");
}

std::string spread(Subject& subject) {
  const std::string measure = measure_of(subject);
  const std::string picture = histogram_picture(subject.statistics, measure);
  if (picture.empty()) {
    return subject.without("How distances spread: no two vertices have one.");
  }
  const Statistics& s = subject.statistics;
  const std::string caption =
      fmt::format("Ordered pairs of distinct vertices by their {}{}.", measure, of_whom(s));
  return section("How far apart", figure(picture, caption));
}

std::string central_vertices(Subject& subject) {
  const Statistics& s = subject.statistics;
  std::string text = central_table(subject, s.closeness, "closeness", "closeness");
  text += central_table(subject, s.harmonic, "harmonic centrality", "harmonic");
  if (!text.empty())
    return section("Most central vertices", "<div class=\"two\">" + text + "</div>\n");
  if (subject.options.top > 0) {
    subject.without(
        "Central vertices: closeness takes the distances of shortest paths from all vertices, none "
        "of them negative.");
  }
  return {};
}

constexpr std::size_t kMostPoints = 2000;
constexpr std::size_t kMostNames = 40;

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
  std::array<std::vector<Line>, kClasses + 1> classes;
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

/// values: [n]; a line has the mean of its ends. Up to kMostPoints vertices are points with name
/// and value on hover, up to kMostNames with visible names. `what`: the value, as alternative text.
/// `lines_id`: id of the lines; empty: none.
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

/// The drawing in one pale colour with a path and the names of its ends. `lines_id`: the lines of
/// the page to reuse; empty: draws them again. Requires: the path is not empty.
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

/// Whether the result gives rows of shortest paths from any vertex to all.
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

std::string hop_table(const Subject& subject, const std::vector<paths::Hop>& hops, Vertex from) {
  const Graph& graph = subject.graph();
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
  return fmt::format(
      "<div class=\"wide\"><table id=\"path\"><thead><tr><th class=\"n\">hop</th><th>vertex</th>"
      "<th class=\"n\">{}</th><th "
      "class=\"n\">{}</th></tr></thead><tbody>\n{}</tbody></table></div>\n",
      escaped(with_unit(subject, "edge")), escaped(with_unit(subject, "so far")), rows);
}

std::string vertex_list(const Graph& graph, const std::vector<Vertex>& path) {
  constexpr std::size_t kShort = 26, kMost = 5000;
  if (path.size() <= kShort || path.size() > kMost) return {};
  std::string names;
  for (const Vertex v : path) names += (names.empty() ? "" : " → ") + shown_name(graph, v);
  return fmt::format("<details><summary>All {} vertices of the path</summary><p>{}</p></details>\n",
                     base::format_count(std::ssize(path)), names);
}

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
    text += figure(coloured_map(subject.graph(), places->drawing, s.eccentricity,
                                with_unit(subject, "Eccentricity"), places->lines_id),
                   "Eccentricity: how far the furthest vertex is that can be reached.");
  }
  if (!s.closeness.empty()) {
    text += figure(coloured_map(subject.graph(), places->drawing, s.closeness, "Closeness"),
                   "Closeness: large where the other vertices are near.");
  }
  if (text.empty()) {
    subject.without(
        "Maps of eccentricity and closeness: they take the distances of shortest paths to, or "
        "from, all vertices.");
  }
  for (const ReportMap& map : subject.options.maps) {
    text += figure(coloured_map(subject.graph(), places->drawing, map.values, map.title),
                   escaped(map.title) + ".");
  }
  if (text.empty()) return {};
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
  std::string text =
      fmt::format("<p>{}: {}, {}.</p>\n", escaped(ends),
                  distance(subject, result.distance(pair->from, pair->to), "longest"),
                  base::counted(std::ssize(hops), "edge", "edges"));
  if (places != nullptr && places->drawing.placed[pair->from]) {
    text += figure(
        path_map(result.graph(), places->drawing, path, "the path " + ends, places->lines_id),
        "On the map above, with both ends named.");
  }
  return section("Longest shortest path",
                 text + hop_table(subject, hops, pair->from) + vertex_list(result.graph(), path));
}

/// The rows of a large stored matrix are read with all rows of their tiles.
constexpr std::int64_t kLargeMatrix = 32'768;
constexpr std::size_t kRowsOfALargeMatrix = 160;

std::string compared(std::string_view what, std::string_view planned, std::string_view actual) {
  return fmt::format(
      "<tr><th scope=\"row\">{}</th><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>\n", what,
      planned, actual);
}

std::string seconds(double value, bool rough, std::string_view id) {
  return fmt::format("{}<data id=\"{}\" value=\"{}\">{}</data>", rough ? "about " : "", id, value,
                     base::format_seconds(value));
}

std::string comparison(const SolveReport& report) {
  constexpr const char* kNone = "–";
  std::string rows =
      compared("time",
               report.seconds_predicted > 0
                   ? seconds(report.seconds_predicted, report.prediction_rough, "seconds-planned")
                   : kNone,
               seconds(report.seconds_total, false, "seconds-actual"));
  if (report.on_device) {
    rows += compared("of it " + escaped(report.on_device->name),
                     seconds(report.on_device->seconds_predicted, report.prediction_rough,
                             "device-seconds-planned"),
                     seconds(report.on_device->seconds, false, "device-seconds-actual"));
  }
  rows += compared("memory",
                   report.bytes_planned > 0 ? base::format_bytes(report.bytes_planned) : kNone,
                   report.bytes_resident > 0 ? base::format_bytes(report.bytes_resident) : kNone);
  return "<table class=\"short\"><thead><tr><th></th><th class=\"n\">planned</th><th class=\"n\">"
         "actual</th></tr></thead><tbody>\n" +
         rows + "</tbody></table>\n";
}

std::string details(const SolveReport& report) {
  std::string rows = row("plan", escaped(report.plan));
  const std::string parts = fmt::format(
      "prepare {}, solve {}, store {}", base::format_seconds(report.seconds_prepare),
      base::format_seconds(report.seconds_solve), base::format_seconds(report.seconds_store));
  rows += row("parts of the time", parts);
  if (report.relaxations > 0) {
    rows += row("work", base::format_si(report.relaxations) + " relaxations");
  }
  rows += row("all distances", base::format_bytes(report.bytes_matrix) + ", " +
                                   std::string(name(report.value_type)));
  if (report.unit_roundoff > 0) {
    rows += row("precision", fmt::format("at most {} an edge of a path, relative",
                                         base::format_error(report.unit_roundoff)));
  }
  if (report.absolute_error > 0) {
    rows += row("precision",
                "no distance is off by more than " + base::format_error(report.absolute_error));
  }
  if (report.rows_resumed > 0) {
    rows += row("rows of an earlier run", base::format_count(report.rows_resumed));
  }
  if (report.pivots_resumed > 0) {
    rows += row("pivots of an earlier run", base::format_count(report.pivots_resumed));
  }
  return "<table class=\"short\">" + rows + "</table>\n";
}

std::string matrix_picture(Subject& subject) {
  const Result& result = subject.result;
  if (!subject.holds_distances()) {
    return subject.without(
        "The matrix of distances: the result keeps only statistics. Solve with -o and a .zarr to "
        "keep distances.");
  }
  if (result.vertex_count() == 0) return {};
  const bool large = result.kept() == Keep::matrix && result.vertex_count() > kLargeMatrix;
  const std::size_t most = std::max<std::size_t>(subject.options.most_rows, 1);
  const DistanceSample sample = sample_distances(
      result, large ? std::min(most, kRowsOfALargeMatrix) : most, subject.options.control);
  const std::int64_t all =
      result.sources().empty() ? result.vertex_count() : std::ssize(result.sources());
  std::string caption = "A row a source, a column a target";
  if (std::ssize(sample.sources) < all) {
    caption += fmt::format("; {} of {} sources, drawn evenly",
                           base::format_count(std::ssize(sample.sources)), base::format_count(all));
  }
  caption += sample.ordered
                 ? ". In an order by halving between far vertices, so that near ones are together."
                 : ". In the order of the result.";
  return section("Matrix of distances",
                 figure(heat_map(sample, result.semiring(), measure_of(subject)), caption));
}

std::string plan_and_run(Subject& subject) {
  const SolveReport& report = subject.result.report();
  if (report.plan.empty()) {
    return subject.without("Plan and run: the file does not tell how it was solved.");
  }
  return section("Plan and run", comparison(report) + details(report));
}

std::string verification(Subject& subject) {
  if (!subject.options.verification) {
    return subject.without("Verification: not asked for (option verify).");
  }
  const VerifyReport& report = *subject.options.verification;
  std::string rows, failures;
  for (const VerifyCheck& check : report.checks) {
    rows += compared(escaped(check.name), base::format_count(check.tested),
                     base::format_count(check.failed));
    if (!check.first_failure.empty()) {
      failures += fmt::format("<p class=\"bad\">{}: {}</p>\n", escaped(check.name),
                              escaped(check.first_failure));
    }
  }
  const std::string verdict =
      fmt::format("<p id=\"verdict\" class=\"{}\">{}{}. Rows checked: {} of {}.</p>\n",
                  report.passed ? "good" : "bad", report.passed ? "Passed: " : "FAILED",
                  report.passed ? escaped(report.meaning) : "",
                  base::format_count(report.sources_checked), base::format_count(report.sources));
  return section(
      "Verification",
      verdict + failures +
          "<table class=\"short\"><thead><tr><th>check</th><th class=\"n\">tested</th><th "
          "class=\"n\">failed</th></tr></thead><tbody>\n" +
          rows + "</tbody></table>\n");
}

std::string what_was_solved(const Subject& subject) {
  std::string paths(semiring::words_of(subject.result.semiring()).paths);
  paths[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(paths[0])));
  return paths;
}

std::string subtitle(const Subject& subject) {
  const Graph& graph = subject.graph();
  const Statistics& s = subject.statistics;
  const char* const kind = graph.directed() ? "arc" : "edge";
  std::string text = fmt::format("{} in a graph of {} and {}", what_was_solved(subject),
                                 base::counted(graph.vertex_count(), "vertex", "vertices"),
                                 base::counted(graph.edge_count(), kind, std::string(kind) + "s"));
  return text + of_whom(s);
}

std::string left_out(const Subject& subject) {
  if (subject.left_out.empty()) return {};
  std::string list;
  for (const std::string& sentence : subject.left_out) {
    list += fmt::format("<li>{}</li>\n", escaped(sentence));
  }
  return section("Not on this page", "<ul class=\"note\">\n" + list + "</ul>\n");
}

std::string body(Subject& subject) {
  std::optional<Places> found = places_of(subject);
  Places* const places = found ? &*found : nullptr;
  std::string text = key_figures(subject) + spread(subject) + maps(subject, places);
  text += longest_path(subject, places) + central_vertices(subject) + matrix_picture(subject);
  text += graph_table(subject) + plan_and_run(subject) + verification(subject);
  return text + left_out(subject);
}

}  // namespace
}  // namespace report

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

std::string report_page(const Result& result, const ReportOptions& options) {
  if (options.coordinates) report::require_places(result.graph(), *options.coordinates);
  for (const ReportMap& map : options.maps) {
    refuse_if(std::ssize(map.values) != result.vertex_count(),
              "the map '{}' has {} values for {} vertices", map.title, map.values.size(),
              result.vertex_count());
  }
  report::Subject subject{result, result.statistics(options.control), options};
  const std::string title =
      report::escaped(options.title.empty() ? report::what_was_solved(subject) : options.title);
  const std::string content = report::body(subject);
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n<meta "
      "name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>{0}</title>\n"
      "<style>\n{1}</style>\n</head>\n<body>\n<main>\n<h1>{0}</h1>\n<p class=\"about\">{2}</p>\n{3}"
      "<footer>apsp {4}</footer>\n</main>\n</body>\n</html>\n",
      title, report::style(), report::escaped(report::subtitle(subject)), content,
      rates::version());
}

void write_report(const Result& result, const std::string& path, const ReportOptions& options) {
  const std::string page = report_page(result, options);
  io::OutputFile out(path, io::Compression::none, options.control);
  out.put(page);
  out.commit();
}

}  // namespace apsp
