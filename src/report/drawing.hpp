// A graph as lines on a lattice: places of its vertices, and the edges that a screen can show.
#pragma once

#include <algorithm>
#include <apsp/graph.hpp>
#include <apsp/io.hpp>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace apsp::report {

inline constexpr std::int32_t kPictureUnits = 2000;

struct Point {
  std::int32_t x = 0, y = 0;  // units, y downwards
  friend bool operator==(const Point&, const Point&) = default;
  friend bool operator<(const Point& a, const Point& b) {
    return a.x < b.x || (a.x == b.x && a.y < b.y);
  }
};

struct Line {
  Point from, to;
  Vertex u = 0, v = 0;
};

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

struct Drawing {
  std::int32_t width = 0, height = 0;
  std::vector<Point> points;
  std::vector<bool> placed;  ///< [n] whether the vertex is drawn
  std::vector<Line> lines;   ///< distinct, none of length 0
  std::int64_t every = 1;
};

/// Whether lines three units wide would cover half of the picture if they are long.
bool crowded(const Drawing& drawing);

/// Vertices without finite coordinates are not drawn. Edges between the same points are one line.
/// If there are more than `most_lines`, or a third of that in a crowded picture, the lattice is
/// made coarser, up to four units; after that lines are omitted at random. O(n + m log m).
Drawing drawing_of(const Graph& graph, const Coordinates& coordinates,
                   std::size_t most_lines = 120'000);

/// The attribute d of an SVG path (SVG 1.1, §8.3) that draws the lines, with relative coordinates
/// and joined lines to save bytes. Requires: no line of length 0.
std::string path_text(std::span<const Line> lines);

}  // namespace apsp::report
