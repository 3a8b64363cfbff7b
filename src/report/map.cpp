#include "report/map.hpp"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "base/numbers.hpp"
#include "report/markup.hpp"
#include "report/path_text.hpp"
#include "report/scale.hpp"

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

}  // namespace

std::string coloured_map(const Graph& graph, const Drawing& drawing, std::span<const double> values,
                         std::string_view what, std::string_view lines_id) {
  std::vector<double> drawn;
  for (Vertex v = 0; v < values.size(); ++v) {
    if (drawing.placed[v]) drawn.push_back(values[v]);
  }
  const Scale scale(drawn, kClasses);
  const std::string mark = lines_id.empty() ? "" : fmt::format(" id=\"{}\"", lines_id);
  return opening(drawing, what) + "<g" + mark + ">\n" + lines_of(drawing, values, scale) +
         "</g>\n" + points_of(graph, drawing, values, scale) + "</svg>\n" + legend(scale, what);
}

std::string path_map(const Graph& graph, const Drawing& drawing, std::span<const Vertex> path,
                     std::string_view what, std::string_view lines_id) {
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

}  // namespace apsp::report
