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
  friend auto operator<=>(const Point&, const Point&) = default;
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

/// Vertices without finite coordinates are not drawn. Edges whose ends fall on the same points are
/// one line; where there are more than `most_lines`, the lattice is made coarser, up to four units,
/// and then lines are left out evenly. O(n + m log m).
Drawing drawing_of(const Graph& graph, const Coordinates& coordinates,
                   std::size_t most_lines = 40'000);

}  // namespace apsp::report
