#include "report/drawing.hpp"

#include <apsp/graph.hpp>
#include <cctype>
#include <sstream>

#include "base/random.hpp"
#include "support/graph_of.hpp"
#include "support/test.hpp"

namespace apsp::report::drawing_test {
namespace {

Coordinates grid_places(std::int64_t across, std::int64_t n) {
  Coordinates places;
  for (std::int64_t v = 0; v < n; ++v) {
    places.x.push_back(static_cast<double>(v % across));
    places.y.push_back(-static_cast<double>(v / across));
  }
  return places;
}

TEST(Drawing, FillsItsLongerSideAndTurnsNothingOver) {
  const Graph graph = graph_of(3, {{0, 1, 1}, {1, 2, 1}});
  const Drawing drawing = drawing_of(graph, {{0, 4, 4}, {0, 0, 1}, false});
  EXPECT_EQ(drawing.width, kPictureUnits);
  EXPECT_LT(drawing.height, kPictureUnits / 2);
  EXPECT_LT(drawing.points[0].x, drawing.points[1].x);
  EXPECT_EQ(drawing.points[0].y, drawing.points[1].y);
  EXPECT_LT(drawing.points[2].y, drawing.points[1].y);  // upwards
  EXPECT_EQ(drawing.lines.size(), 2u);
  EXPECT_EQ(drawing.every, 1);
}

TEST(Drawing, ShortensDegreesOfLongitude) {
  const Graph graph = graph_of(3, {});
  const Drawing drawing = drawing_of(graph, {{0, 10, 0}, {55, 55, 65}, true});
  const double across = drawing.points[1].x - drawing.points[0].x;
  const double up = drawing.points[0].y - drawing.points[2].y;
  EXPECT_NEAR(across / up, 0.5, 0.01);
}

TEST(Drawing, DrawsAnEdgeOnceAndNoLoops) {
  const Coordinates places{{0, 1, 2}, {0, 5, 0}, false};
  const std::vector<Edge> edges = {{0, 1, 1}, {1, 0, 1}, {0, 1, 9}, {2, 2, 1}, {1, 2, 1}};
  EXPECT_EQ(drawing_of(graph_of(3, edges), places).lines.size(), 2u);
  EXPECT_EQ(drawing_of(graph_of(3, edges, false), places).lines.size(), 2u);
}

TEST(Drawing, LeavesOutVerticesWithoutAPlace) {
  const double nowhere = std::nan("");
  const Drawing drawing =
      drawing_of(graph_of(3, {{0, 1, 1}, {1, 2, 1}}), {{0, 1, nowhere}, {0, 1, nowhere}, false});
  EXPECT_EQ(drawing.placed, (std::vector<bool>{true, true, false}));
  EXPECT_EQ(drawing.lines.size(), 1u);
}

TEST(Drawing, OfOnePlaceOrNoneIsAPictureAllTheSame) {
  for (const std::int64_t n : {0, 1, 2}) {
    const auto size = static_cast<std::size_t>(n);
    const Drawing drawing =
        drawing_of(graph_of(n, {}), {std::vector<double>(size, 3), std::vector<double>(size, 4)});
    EXPECT_GT(drawing.width, 0);
    EXPECT_GT(drawing.height, 0);
    for (const Point point : drawing.points) {
      EXPECT_EQ(point.x, drawing.width / 2);
      EXPECT_EQ(point.y, drawing.height / 2);
    }
  }
}

TEST(Drawing, OfPlacesWithoutAScaleHasAllInTheMiddle) {
  const double most = std::numeric_limits<double>::max();
  for (const double far : {most, std::numeric_limits<double>::denorm_min()}) {
    const Drawing drawing =
        drawing_of(graph_of(3, {{0, 1, 1}}), {{-far, far, 0}, {far, -far, 0}, false});
    for (const Point& point : drawing.points) {
      EXPECT_EQ(point.x, (drawing.width + 1) / 2);
      EXPECT_EQ(point.y, (drawing.height + 1) / 2);
    }
    EXPECT_TRUE(drawing.lines.empty());
  }
}

TEST(Drawing, OfManyEdgesHasNoMoreLinesThanAskedFor) {
  GenerateOptions options{.kind = GraphKind::grid, .vertices = 10'000, .directed = false};
  const Graph graph = generate(options);
  const Drawing whole = drawing_of(graph, grid_places(100, 10'000));
  EXPECT_EQ(std::ssize(whole.lines), graph.edge_count());
  const Drawing few = drawing_of(graph, grid_places(100, 10'000), 500);
  EXPECT_LE(few.lines.size(), 500u);
  EXPECT_GT(few.lines.size(), 400u);
  EXPECT_EQ(few.every, 40);
  std::set<std::pair<Point, Point>> ends;
  for (const Line& line : few.lines) {
    EXPECT_TRUE(ends.emplace(line.from, line.to).second);
    EXPECT_NE(line.from, line.to);
  }
}

TEST(Drawing, OfLongLinesThatCrossEachOtherIsCrowdedAndHasFewer) {
  const Graph graph = generate({.kind = GraphKind::complete, .vertices = 300, .directed = false});
  Coordinates places;
  for (Vertex v = 0; v < 300; ++v) {
    places.x.push_back(v * 7919 % 307);
    places.y.push_back(v * 104'729 % 311);
  }
  const Drawing drawing = drawing_of(graph, places);
  EXPECT_TRUE(crowded(drawing));
  EXPECT_LE(drawing.lines.size(), 40'000u);
  EXPECT_EQ(drawing.every, 2);
  EXPECT_FALSE(crowded(drawing_of(generate({.kind = GraphKind::grid, .vertices = 10'000}),
                                  grid_places(100, 10'000))));
}

TEST(Drawing, OfEdgesTooShortForAScreenMergesThem) {
  std::vector<Edge> edges;
  Coordinates places;
  for (Vertex v = 0; v < 20'000; ++v) {
    places.x.push_back(v);
    places.y.push_back(0);
    if (v > 0) edges.push_back({v - 1, v, 1});
  }
  const Drawing drawing = drawing_of(graph_of(20'000, edges), places);
  EXPECT_LE(std::ssize(drawing.lines), kPictureUnits);
  EXPECT_GT(std::ssize(drawing.lines), kPictureUnits * 9 / 10);  // and leaves no gap
  EXPECT_EQ(drawing.every, 1);
}

using Ends = std::pair<Point, Point>;

/// The lines drawn by a path of m, l, h and v, with sorted ends.
std::multiset<Ends> lines_of(const std::string& text) {
  std::multiset<Ends> lines;
  std::istringstream in(text);
  Point at;
  for (char command = 0; in >> std::ws && in.peek() != EOF;) {
    if (std::isalpha(in.peek()) != 0) in >> command;
    const Point from = at;
    std::int32_t first = 0, second = 0;
    in >> first;
    if (command == 'h') at.x += first;
    if (command == 'v') at.y += first;
    if (command == 'l' || command == 'm') {
      in >> second;
      at = {at.x + first, at.y + second};
    }
    EXPECT_FALSE(in.fail()) << text;
    if (command != 'm') lines.insert(std::minmax(from, at));
    if (command == 'm') command = 'l';
  }
  return lines;
}

std::multiset<Ends> ends_of(const std::vector<Line>& lines) {
  std::multiset<Ends> ends;
  for (const Line& line : lines) ends.insert(std::minmax(line.from, line.to));
  return ends;
}

TEST(PathText, JoinsLinesThatMeet) {
  const std::vector<Line> lines = {{{1, 2}, {4, 2}}, {{4, 2}, {4, 9}}, {{5, 5}, {4, 9}}};
  EXPECT_EQ(path_text(lines), "m1 2h3v7l1-4");
  EXPECT_EQ(path_text({}), "");
}

TEST(PathText, WritesACommandThatIsTheSameOnce) {
  const std::vector<Line> lines = {
      {{0, 0}, {1, 1}}, {{1, 1}, {0, 3}}, {{0, 3}, {2, 4}}, {{9, 9}, {9, 8}}};
  EXPECT_EQ(path_text(lines), "m0 0l1 1-1 2 2 1m7 5v-1");
}

TEST(PathText, DrawsEveryLineOnce) {
  base::SplitMix64 random(5);
  const auto at = [&] { return static_cast<std::int32_t>(random.below(12)); };
  for (const std::size_t count : {1, 10, 200}) {
    std::vector<Line> lines;
    while (lines.size() < count) {
      const Line line{{at(), at()}, {at(), at()}};
      if (line.from != line.to) lines.push_back(line);
    }
    EXPECT_EQ(lines_of(path_text(lines)), ends_of(lines));
  }
}

}  // namespace

}  // namespace apsp::report::drawing_test
