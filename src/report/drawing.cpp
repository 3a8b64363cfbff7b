#include "report/drawing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace apsp::report {
namespace {

/// Edges that are looked at: more are thinned out before they are sorted, at some 24 bytes each.
constexpr std::int64_t kMostEdges = 4'000'000;
constexpr std::int32_t kMargin = kPictureUnits / 40;

struct Extent {
  double least = std::numeric_limits<double>::infinity();
  double greatest = -std::numeric_limits<double>::infinity();

  void take(double value) {
    least = std::min(least, value);
    greatest = std::max(greatest, value);
  }
  double length() const { return greatest > least ? greatest - least : 0; }
  double middle() const { return least + length() / 2; }
};

/// Places every vertex so that the longer side fills the picture.
void place(const Coordinates& coordinates, Drawing& drawing) {
  const std::size_t n = coordinates.x.size();
  drawing.points.resize(n);
  drawing.placed.resize(n);
  Extent across, up;
  for (std::size_t v = 0; v < n; ++v) {
    drawing.placed[v] = std::isfinite(coordinates.x[v]) && std::isfinite(coordinates.y[v]);
    if (!drawing.placed[v]) continue;
    across.take(coordinates.x[v]);
    up.take(coordinates.y[v]);
  }
  // A degree of longitude is shorter than one of latitude by the cosine of the latitude.
  const double squeeze = coordinates.degrees ? std::cos(up.middle() * std::numbers::pi / 180) : 1.0;
  const double longest = std::max(across.length() * squeeze, up.length());
  const double scale = longest > 0 ? (kPictureUnits - 2 * kMargin) / longest : 0;
  const auto side = [&](double length) {
    const auto units = static_cast<std::int32_t>(std::lround(length * scale)) + 2 * kMargin;
    return std::clamp(units, kPictureUnits / 4, kPictureUnits);
  };
  drawing.width = side(across.length() * squeeze);
  drawing.height = side(up.length());
  for (std::size_t v = 0; v < n; ++v) {
    if (!drawing.placed[v]) continue;
    const double right = (coordinates.x[v] - across.middle()) * squeeze * scale;
    const double above = (coordinates.y[v] - up.middle()) * scale;
    drawing.points[v] = {static_cast<std::int32_t>(std::lround(drawing.width / 2.0 + right)),
                         static_cast<std::int32_t>(std::lround(drawing.height / 2.0 - above))};
  }
}

Point snapped(Point point, std::int32_t unit) {
  const auto near = [unit](std::int32_t at) { return (at + unit / 2) / unit * unit; };
  return {near(point.x), near(point.y)};
}

/// Ends in order, lines in order, no two alike, on a lattice of so many units.
std::vector<Line> snapped(const std::vector<Line>& lines, std::int32_t unit) {
  std::vector<Line> list;
  for (Line line : lines) {
    line.from = snapped(line.from, unit);
    line.to = snapped(line.to, unit);
    if (line.to < line.from) std::swap(line.from, line.to);
    if (line.from != line.to) list.push_back(line);
  }
  const auto ends = [](const Line& line) { return std::pair(line.from, line.to); };
  std::sort(list.begin(), list.end(),
            [&](const Line& a, const Line& b) { return ends(a) < ends(b); });
  const auto alike = [&](const Line& a, const Line& b) { return ends(a) == ends(b); };
  list.erase(std::unique(list.begin(), list.end(), alike), list.end());
  return list;
}

std::vector<Line> all_lines(const Graph& graph, Drawing& drawing) {
  drawing.every = std::max<std::int64_t>(1, graph.arc_count() / kMostEdges);
  std::int64_t number = 0;
  std::vector<Line> lines;
  graph.visit_all([&](Vertex u, Vertex v, double) {
    if (number++ % drawing.every != 0 || u == v) return;
    if (!graph.directed() && v < u) return;
    if (!drawing.placed[u] || !drawing.placed[v]) return;
    lines.push_back({drawing.points[u], drawing.points[v], u, v});
  });
  return lines;
}

}  // namespace

Drawing drawing_of(const Graph& graph, const Coordinates& coordinates, std::size_t most_lines) {
  Drawing drawing;
  place(coordinates, drawing);
  const std::vector<Line> lines = all_lines(graph, drawing);
  for (const std::int32_t unit : {1, 2, 4}) {
    drawing.lines = snapped(lines, unit);
    if (drawing.lines.size() <= most_lines) return drawing;
  }
  const std::size_t every = (drawing.lines.size() + most_lines - 1) / most_lines;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < drawing.lines.size(); i += every) {
    drawing.lines[kept++] = drawing.lines[i];
  }
  drawing.lines.resize(kept);
  drawing.every *= static_cast<std::int64_t>(every);
  return drawing;
}

}  // namespace apsp::report
