// A graph as lines on a lattice: where its vertices lie in a picture, and those of its edges that a
// screen can show.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/io.hpp>
#include <cstdint>
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
  Vertex u = 0, v = 0;  ///< an edge that is drawn so
};

struct Drawing {
  std::int32_t width = 0, height = 0;  ///< units
  std::vector<Point> points;           ///< [n]
  std::vector<bool> placed;            ///< [n] whether a vertex is drawn
  std::vector<Line> lines;             ///< no two alike, none of length 0
  std::int64_t every = 1;              ///< of the edges, this many stand for one line
};

/// Whether long lines, three units wide, would cover half of the picture; short ones may fill it.
bool crowded(const Drawing& drawing);

/// Vertices without finite coordinates are not drawn. Edges whose ends fall on the same points are
/// one line; where there are more than `most_lines`, or a third of it in a crowded picture, whose
/// lines are long, the lattice is made coarser, up to four units, and then lines are left out
/// evenly. O(n
/// + m log m).
Drawing drawing_of(const Graph& graph, const Coordinates& coordinates,
                   std::size_t most_lines = 120'000);

}  // namespace apsp::report
