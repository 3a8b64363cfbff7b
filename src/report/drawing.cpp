#include "report/drawing.hpp"

#include <fmt/format.h>
#include <cmath>
#include <numbers>
#include <optional>
#include <string_view>
#include <utility>

#include "base/random.hpp"

namespace apsp::report {
namespace {

/// Edges that are examined; more are thinned before they are sorted (24 bytes each).
constexpr std::int64_t kMostEdges = 4'000'000;
constexpr std::int32_t kMargin = kPictureUnits / 40;

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
  // A degree of longitude is shorter than a degree of latitude by the cosine of the latitude.
  const double squeeze = coordinates.degrees ? std::cos(up.middle() * std::numbers::pi / 180) : 1.0;
  const double longest = std::max(across.length() * squeeze, up.length());
  const double scale = (kPictureUnits - 2 * kMargin) / longest;
  // All are placed in the middle if the picture has no scale: one point, or an overflow.
  const bool scaled = longest > 0 && std::isfinite(longest) && std::isfinite(scale);
  const auto units = [&](double from, double length) {
    return static_cast<std::int32_t>(std::lround(scaled ? from + length * scale : from));
  };
  const auto side = [&](double length) {
    return std::clamp(units(2 * kMargin, length), kPictureUnits / 4, kPictureUnits);
  };
  drawing.width = side(across.length() * squeeze);
  drawing.height = side(up.length());
  for (std::size_t v = 0; v < n; ++v) {
    if (!drawing.placed[v]) continue;
    const double right = (coordinates.x[v] - across.middle()) * squeeze;
    const double below = up.middle() - coordinates.y[v];
    drawing.points[v] = {units(drawing.width / 2.0, right), units(drawing.height / 2.0, below)};
  }
}

Point snapped(Point point, std::int32_t unit) {
  const auto near = [unit](std::int32_t at) { return (at + unit / 2) / unit * unit; };
  return {near(point.x), near(point.y)};
}

/// Sorts lines and their ends and removes duplicates, on a lattice of `unit`.
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

/// Takes one random line of each `every`; a regular choice would make a pattern.
std::vector<Line> thinned(const std::vector<Line>& lines, std::size_t every) {
  base::SplitMix64 random(1);
  std::vector<Line> list;
  for (std::size_t first = 0; first < lines.size(); first += every) {
    list.push_back(lines[first + random.below(std::min(every, lines.size() - first))]);
  }
  return list;
}

class PathCommands {
 public:
  void move(Point to) { step('m', to); }
  void draw(Point to) {
    if (to.y == at_.y) {
      along('h', to.x - at_.x);
    } else if (to.x == at_.x) {
      along('v', to.y - at_.y);
    } else {
      step('l', to);
    }
    at_ = to;
  }
  std::string take() { return std::move(text_); }

 private:
  void along(char command, std::int32_t length) {
    begin(command);
    put(length, last_ == command);
    last_ = command;
  }
  void step(char command, Point to) {
    begin(command);
    put(to.x - at_.x, last_ == command);
    put(to.y - at_.y, true);
    last_ = command;
    at_ = to;
  }
  /// Omits a repeated command; coordinates after a move would be a line.
  void begin(char command) {
    if (command == 'm') last_ = 0;
    if (command != last_) text_ += command;
  }
  /// A sign also separates numbers.
  void put(std::int32_t number, bool behind_another) {
    const std::string_view between = behind_another && number >= 0 ? " " : "";
    text_ += fmt::format("{}{}", between, number);
  }

  std::string text_;
  Point at_;
  char last_ = 0;
};

class OpenLines {
 public:
  explicit OpenLines(std::span<const Line> lines) : lines_(lines), taken_(lines.size()) {
    for (std::size_t i = 0; i < lines.size(); ++i) {
      ends_.emplace_back(lines[i].from, i);
      ends_.emplace_back(lines[i].to, i);
    }
    std::sort(ends_.begin(), ends_.end());
  }

  bool taken(std::size_t line) const { return taken_[line]; }
  Point take(std::size_t line, Point from) {
    taken_[line] = true;
    return lines_[line].from == from ? lines_[line].to : lines_[line].from;
  }
  std::optional<std::size_t> at(Point point) const {
    auto end = std::lower_bound(ends_.begin(), ends_.end(), std::pair(point, std::size_t{0}));
    for (; end != ends_.end() && end->first == point; ++end) {
      if (!taken_[end->second]) return end->second;
    }
    return std::nullopt;
  }

 private:
  std::span<const Line> lines_;
  std::vector<bool> taken_;
  std::vector<std::pair<Point, std::size_t>> ends_;
};

}  // namespace

bool crowded(const Drawing& drawing) {
  double length = 0;
  for (const Line& line : drawing.lines) {
    const double x = line.to.x - line.from.x, y = line.to.y - line.from.y;
    length += std::sqrt(x * x + y * y);  // hypot would need a newer glibc than wheels allow
  }
  constexpr double kLong = 40;  // units, of the mean
  const bool are_long = length > kLong * static_cast<double>(drawing.lines.size());
  return are_long && 6 * length > double(drawing.width) * drawing.height;
}

Drawing drawing_of(const Graph& graph, const Coordinates& coordinates, std::size_t most_lines) {
  Drawing drawing;
  place(coordinates, drawing);
  const std::vector<Line> lines = all_lines(graph, drawing);
  std::size_t most = most_lines;
  for (const std::int32_t unit : {1, 2, 4}) {
    drawing.lines = snapped(lines, unit);
    most = crowded(drawing) ? most_lines / 3 : most_lines;
    if (drawing.lines.size() <= most) return drawing;
  }
  const std::size_t every = (drawing.lines.size() + most - 1) / most;
  drawing.lines = thinned(drawing.lines, every);
  drawing.every *= static_cast<std::int64_t>(every);
  return drawing;
}

std::string path_text(std::span<const Line> lines) {
  PathCommands commands;
  OpenLines open(lines);
  for (std::size_t first = 0; first < lines.size(); ++first) {
    if (open.taken(first)) continue;
    Point at = lines[first].from;
    commands.move(at);
    for (std::optional<std::size_t> next = first; next; next = open.at(at)) {
      at = open.take(*next, at);
      commands.draw(at);
    }
  }
  return commands.take();
}

}  // namespace apsp::report
