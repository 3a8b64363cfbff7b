// A graph as lines on a lattice: where its vertices lie in a picture, and those of its edges that a
// screen can show.
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

/// Units of a picture's longer side.
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
  Vertex u = 0, v = 0;  ///< the ends of an edge that the line stands for
};

/// Of finite values; of none it has length 0.
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
  std::int32_t width = 0, height = 0;  ///< units
  std::vector<Point> points;           ///< [n]
  std::vector<bool> placed;            ///< [n] whether a vertex is drawn
  std::vector<Line> lines;             ///< no two alike, none of length 0
  std::int64_t every = 1;              ///< one edge in so many is drawn; 1: all are
};

/// Whether long lines, three units wide, would cover half of the picture; short ones may fill it.
bool crowded(const Drawing& drawing);

/// Vertices without finite coordinates are not drawn. Edges whose ends fall on the same points are
/// one line. If there are more than `most_lines`, or a third of that in a crowded picture, the
/// lattice is made coarser, up to four units; if there still are, lines are left out evenly.
///
/// O(n + m log m).
Drawing drawing_of(const Graph& graph, const Coordinates& coordinates,
                   std::size_t most_lines = 120'000);

/// Lines as the commands of one SVG path in few bytes: coordinates are relative, and where possible
/// a line begins where the one before it ended. The attribute d of a path (SVG 1.1, §8.3).
/// Requires: no line of length 0.
std::string path_text(std::span<const Line> lines);

}  // namespace apsp::report
