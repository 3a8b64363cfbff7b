#include "report/map.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <iterator>
#include <vector>

#include "base/numbers.hpp"
#include "report/markup.hpp"
#include "report/scale.hpp"

namespace apsp::report {
namespace {

constexpr std::size_t kMostPoints = 2000;  // vertices that are drawn themselves
constexpr std::size_t kMostNames = 40;     // vertices that are named in the picture

/// Commands of a path: each line begins where the last one ended, or after a move.
class PathText {
 public:
  void line(Point from, Point to) {
    if (text_.empty()) {
      text_ = fmt::format("M{} {}", from.x, from.y);
    } else if (from != at_) {
      step('m', from);
    }
    at_ = from;
    step('l', to);
  }
  const std::string& text() const { return text_; }

 private:
  void step(char command, Point to) {
    const std::int32_t x = to.x - at_.x, y = to.y - at_.y;
    const std::string_view between = y < 0 ? "" : " ";  // a sign parts numbers too
    fmt::format_to(std::back_inserter(text_), "{}{}{}{}", command, x, between, y);
    at_ = to;
  }
  std::string text_;
  Point at_;
};

/// Whether lines three units wide would cover half of the picture.
bool crowded(const Drawing& drawing) {
  double length = 0;
  for (const Line& line : drawing.lines) {
    const double x = line.to.x - line.from.x, y = line.to.y - line.from.y;
    length += std::sqrt(x * x + y * y);  // hypot would want a glibc newer than a wheel may
  }
  return 6 * length > double(drawing.width) * drawing.height;
}

std::string opening(const Drawing& drawing, std::string_view what) {
  return fmt::format("<svg class=\"map{}\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n",
                     crowded(drawing) ? " crowded" : "", drawing.width, drawing.height,
                     escaped(what));
}

std::string label(const Graph& graph, const Drawing& drawing, Vertex v) {
  const Point at = drawing.points[v];
  const bool leftwards = at.x > drawing.width / 2;
  return fmt::format("<text x=\"{}\" y=\"{}\"{}>{}</text>\n", at.x + (leftwards ? -20 : 20),
                     at.y - 12, leftwards ? " text-anchor=\"end\"" : "", shown_name(graph, v));
}

std::string class_name(int value_class) {
  return value_class < 0 ? "none" : fmt::format("{}", value_class);
}

std::string lines_of(const Drawing& drawing, std::span<const double> values, const Scale& scale) {
  std::array<PathText, kClasses + 1> paths;  // the first of lines without a value
  for (const Line& line : drawing.lines) {
    const double middle = (values[line.u] + values[line.v]) / 2;
    paths[static_cast<std::size_t>(scale.class_of(middle) + 1)].line(line.from, line.to);
  }
  std::string text;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (paths[i].text().empty()) continue;
    text += fmt::format("<path class=\"q{}\" d=\"{}\"/>\n", class_name(static_cast<int>(i) - 1),
                        paths[i].text());
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
                         std::string_view what) {
  std::vector<double> drawn;
  for (Vertex v = 0; v < values.size(); ++v) {
    if (drawing.placed[v]) drawn.push_back(values[v]);
  }
  const Scale scale(drawn, kClasses);
  return opening(drawing, what) + lines_of(drawing, values, scale) +
         points_of(graph, drawing, values, scale) + "</svg>\n" + legend(scale, what);
}

std::string path_map(const Graph& graph, const Drawing& drawing, std::span<const Vertex> path,
                     std::string_view what) {
  PathText pale, strong;
  for (const Line& line : drawing.lines) pale.line(line.from, line.to);
  for (std::size_t i = 1; i < path.size(); ++i) {
    const Point from = drawing.points[path[i - 1]], to = drawing.points[path[i]];
    const bool drawn = drawing.placed[path[i - 1]] && drawing.placed[path[i]];
    if (drawn && from != to) strong.line(from, to);
  }
  std::string text = opening(drawing, what);
  if (!pale.text().empty()) text += fmt::format("<path class=\"pale\" d=\"{}\"/>\n", pale.text());
  if (!strong.text().empty())
    text += fmt::format("<path class=\"way\" d=\"{}\"/>\n", strong.text());
  for (const Vertex end : {path.front(), path.back()}) {
    if (!drawing.placed[end]) continue;
    text += fmt::format("<circle class=\"end\" cx=\"{}\" cy=\"{}\" r=\"18\"/>\n",
                        drawing.points[end].x, drawing.points[end].y);
    text += label(graph, drawing, end);
  }
  return text + "</svg>\n";
}

}  // namespace apsp::report
